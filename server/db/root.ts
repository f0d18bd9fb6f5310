// Where the files of the server package are, both when run from source and from the bundle in dist/.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

export const serverRoot = (): string => {
  if (found !== undefined) return found;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'db/migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the folder db/migrations of the server package is missing');
    folder = parent;
  }
  found = folder;
  return folder;
};
