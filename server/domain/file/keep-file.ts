// A file that comes along with a request, instead of by a signature. How large it is, is known when it is there: so it is
// put aside on this machine first.
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomText } from '@rowhouse/contract/id.ts';
import type { Context } from '../../context.ts';
import { isContentType, unknownType } from './content-type.ts';
import { demandFileSize } from './create-signature.ts';
import type { FileFacts } from './file.ts';
import { demandFileRoom } from './file-room.ts';
import { insertFile } from './file.sql.ts';
import { acceptFile } from './notify-file.ts';
import { typeByName } from './type-by-name.ts';

export interface IncomingFile {
  body: AsyncIterable<Uint8Array>;
  name: string;
  mimetype: string;
  /** Bytes that there will be at least. */
  atLeast: number;
}

const hourLong = 3_600;

/** Answers how many bytes there were. */
const putAside = async (path: string, body: AsyncIterable<Uint8Array>, limit: number): Promise<number> => {
  const draft = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      demandFileSize(size, limit, 'file');
      await draft.write(piece);
    }
    return size;
  } finally {
    await draft.close();
  }
};

/** In the room of a space; null: it belongs to none. */
export const keepFile = async (
  context: Context,
  spaceId: string | null,
  { body, name, mimetype, atLeast }: IncomingFile,
  most = Number.POSITIVE_INFINITY,
): Promise<FileFacts> => {
  const { config, db, files, newId, principal } = context;
  const limit = Math.min(config.fileLimit, most);
  demandFileSize(atLeast, limit, 'file');
  if (spaceId !== null) await db.transaction((tx) => demandFileRoom(tx, context, spaceId, atLeast));
  const path = join(tmpdir(), `rowhouse-${randomText(16)}`);
  try {
    const size = await putAside(path, body, limit);
    const token = newId('att');
    const type =
      isContentType(mimetype) && mimetype !== unknownType && mimetype.length <= 255
        ? mimetype
        : (typeByName(name) ?? unknownType);
    await db.transaction(async (tx) => {
      if (spaceId !== null) await demandFileRoom(tx, context, spaceId, size);
      await insertFile(tx, {
        token,
        type: 1,
        size,
        mimetype: type,
        name: null,
        spaceId,
        createdBy: principal.userId,
        seconds: hourLong,
      });
    });
    await files.storage.write(token, createReadStream(path) as AsyncIterable<Buffer>, size);
    return await acceptFile(context, token, name.slice(0, 1_000));
  } finally {
    await rm(path, { force: true });
  }
};
