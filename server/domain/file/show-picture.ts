// Pictures of people, and of the instance, that are shown to everybody: a form with a file becomes one.
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { pictureLibrary } from './image.ts';
import { keepFile } from './keep-file.ts';
import { deletePublicFiles, insertPublicFile } from './public-file.sql.ts';
import { readForm } from './read-form.ts';

const mostBytes = 3 * 1_048_576;
/** A form has something around its file: at most so much is not counted before it is there. */
const around = 4_096;

/** In place of the one that its owner showed before. `write` notes it where it is shown. */
export const showPicture = async (
  context: Context,
  ownerId: string,
  body: AsyncIterable<Buffer> | undefined,
  headers: IncomingHttpHeaders,
  write: (tx: Tx, token: string) => Promise<void>,
): Promise<void> => {
  const refuse = (message: string): Error =>
    invalid({ path: 'file', message, expected: 'a picture of at most 3 MB: PNG, JPEG, GIF, WebP, AVIF or SVG' });
  if (body === undefined) throw refuse('There is no form');
  const part = await readForm(body, headers['content-type'], 'file', 'fileUrl');
  if ('url' in part) throw refuse('The form has no file in the part file');
  if (!/^image\//i.test(part.file.mimetype))
    throw refuse(`A file of type ${part.file.mimetype.slice(0, 100)} is not a picture`);
  const file = await keepFile(
    context,
    null,
    { ...part.file, atLeast: Math.max(0, Number(headers['content-length'] ?? 0) - around) },
    mostBytes,
  );
  // Nobody can tell whether it is one: that is no fault of the file.
  const missing = pictureLibrary.fault();
  if (file.width === null && missing !== undefined) throw missing;
  if (file.width === null) throw refuse('The file is not a picture that can be shown');
  await context.db.transaction(async (tx) => {
    await deletePublicFiles(tx, ownerId);
    await insertPublicFile(tx, ownerId, file.token);
    await write(tx, file.token);
  });
};
