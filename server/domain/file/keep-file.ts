// A file that comes along with a request, instead of by a signature. How large it is, is known when it is there: so it is
// put aside on this machine first, in a file without a name, of which a killed process leaves nothing.
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomText } from '@rowhouse/contract/id.ts';
import type { Context } from '../../context.ts';
import { isContentType, unknownType } from './content-type.ts';
import { demandFileSize } from './create-signature.ts';
import { receiveFile } from './arrival.ts';
import { deleteArrival } from './arrival.sql.ts';
import type { FileFacts } from './file.ts';
import { dropFile, insertFile } from './file.sql.ts';
import { acceptFile } from './notify-file.ts';
import { typeByName } from './type-by-name.ts';
import { demandRoom } from './waiting-files.ts';

interface IncomingFile {
  body: AsyncIterable<Uint8Array>;
  name: string;
  mimetype: string;
  /** Bytes that there will be at least. */
  atLeast: number;
}

const hourLong = 3_600;

const openDraft = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `rowhouse-${randomText(16)}`);
  const draft = await open(path, 'wx+', 0o600);
  await rm(path);
  return draft;
};

/** Answers how many bytes there were. */
const putAside = async (draft: FileHandle, body: AsyncIterable<Uint8Array>, limit: number): Promise<number> => {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    demandFileSize(size, limit, 'file');
    await draft.writeFile(piece);
  }
  return size;
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
  const owner = { userId: principal.userId, spaceId, viewId: null };
  await db.transaction((tx) => demandRoom(tx, context, owner, atLeast));
  const draft = await openDraft();
  try {
    const token = newId('att');
    await receiveFile(context, owner, { token: null, size: atLeast }, async ({ id, counted }) => {
      const size = await putAside(draft, counted(body), limit);
      const mime =
        isContentType(mimetype) && mimetype !== unknownType && mimetype.length <= 255
          ? mimetype
          : (typeByName(name) ?? unknownType);
      await db.transaction(async (tx) => {
        await insertFile(tx, {
          token,
          type: 1,
          size,
          mimetype: mime,
          name: null,
          spaceId,
          createdBy: principal.userId,
          seconds: hourLong,
          isUploaded: true,
        });
        await deleteArrival(tx, id);
      });
      const stored = draft.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
      await files.storage.write(token, stored, size).catch(async (error: unknown) => {
        await dropFile(db, token);
        throw error;
      });
    });
    return await acceptFile(context, token, name.slice(0, 1_000));
  } finally {
    await draft.close();
  }
};
