// Which Rowhouse this is: the version of the package, and the commit that it was built from, where that is known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverRoot } from './root.ts';

interface Version {
  version: string;
  /** Null when it was built outside of a repository. */
  commit: string | null;
}

const readJson = <T>(file: string): Partial<T> => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return {};
  }
};

let found: Version | undefined;

export const versionOf = (): Version =>
  (found ??= {
    version: readJson<Version>(join(serverRoot(), 'package.json')).version ?? 'unknown',
    commit: readJson<Version>(join(serverRoot(), 'dist/build.json')).commit ?? null,
  });
