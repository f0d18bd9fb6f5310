// Pictures that everybody may see who knows their address: of people, and of templates.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { selectSeenFiles } from './file.sql.ts';
import { holdFile, insertPublicFile } from './public-file.sql.ts';

export const publicFolders = ['avatar', 'logo', 'template'] as const;

export const publicAddress = (folder: (typeof publicFolders)[number], name: string): string =>
  `/api/attachments/read/public/${folder}/${name}`;

/** An uploaded image that the caller may show. It stays until its owner shows another one. */
export const showPublicly = async (
  tx: Tx,
  { principal }: Pick<Context, 'principal'>,
  ownerId: string,
  token: string,
  path: string,
): Promise<void> => {
  const [seen] = await selectSeenFiles(tx, [token], { principal });
  const file = seen === undefined ? undefined : await holdFile(tx, token);
  if (file === undefined)
    throw invalid({
      path,
      message: `There is no uploaded file ${JSON.stringify(token.slice(0, 50))}`,
      expected: 'the token of a file that was uploaded and notified',
    });
  if (!/^image\//i.test(file.mimetype))
    throw invalid({ path, message: `A file of type ${file.mimetype} is not a picture`, expected: 'an image' });
  await insertPublicFile(tx, ownerId, token);
};
