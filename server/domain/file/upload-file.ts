// PUT and POST /attachments/upload/:token
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '@rowhouse/contract/error.ts';
import type { PublicContext } from '../../context.ts';
import { SizeMismatch } from '../../stored-files.ts';
import { receiveFile } from './arrival.ts';
import { noteUploaded } from './arrival.sql.ts';
import { selectFile } from './file.sql.ts';

const wrong = (message: string): Error =>
  invalid({ path: 'token', message, expected: 'the token of a signature that was not used yet' });

async function* nothing(): AsyncGenerator<Buffer> {
  // An empty file has no body.
}

const essence = (type: string | undefined): string => (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

export const uploadFile = async (
  context: PublicContext,
  token: string,
  body: AsyncIterable<Buffer> | undefined,
  headers: IncomingHttpHeaders,
): Promise<void> => {
  const { db, files } = context;
  const file = await selectFile(db, token);
  if (file === undefined) throw wrong('Invalid token: nothing was announced under it');
  if (file.isNotified) throw wrong('Invalid token: its file is there already');
  if (file.isExpired) throw wrong('Invalid token: it has expired');
  const given = essence(headers['content-type']);
  if (given !== '' && given !== essence(file.mimetype))
    throw invalid({
      path: 'headers.Content-Type',
      message: `Not allow upload ${given}: ${file.mimetype} was announced`,
      expected: file.mimetype,
    });
  const length = headers['content-length'];
  const mismatch = (message: string): Error =>
    invalid({ path: '', message: `Size mismatch: ${message}`, expected: `${file.size} bytes` });
  if (length !== undefined && Number(length) !== file.size)
    throw mismatch(`the file has ${Number(length)} bytes, and ${file.size} were announced`);
  try {
    await receiveFile(context, file.owner, file, async ({ id, counted }) => {
      await files.storage.write(token, counted(body ?? nothing()), file.size);
      await noteUploaded(db, token, id);
    });
  } catch (error) {
    throw error instanceof SizeMismatch ? mismatch(error.message) : error;
  }
};
