// Reads a backup through, once to see that it is whole and what is in it, and again for its rows.
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { StartError } from '../../db/error.ts';
import { createJsonScan, type JsonLimits } from '../../work/json-scan.ts';
import { createPause } from '../../work/slices.ts';
import { type ArchiveLimits, type Member, ofOperator, readArchive, tooMuch } from './archive.ts';
import { demandManifest, type Manifest, type TableData } from './manifest.ts';
import { fileMember, memberName } from './write-backup.ts';

/** A piece of what is unpacked: a part can be packed to a thousandth, and is never in memory as a whole. */
const pieceSize = 262_144;

/** What may be unpacked of any file, however small. */
export const smallFile = { unpacked: 64_000_000 };

async function* unpacked(body: Buffer, path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceSize });
  gunzip.end(body);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) yield piece;
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_')
      ? new StartError(`${path} is damaged: a part of it cannot be unpacked`)
      : error;
  } finally {
    gunzip.destroy();
  }
}

/** JSON.parse reads it in one go: 8 MB of empty objects would take a second in which nobody else is served. */
const demandFewValues = async (manifest: Buffer, path: string, { values }: ArchiveLimits): Promise<void> => {
  if (values === Number.POSITIVE_INFINITY) return;
  const limits: JsonLimits = { levels: 100, keys: 10_000, values };
  const scan = createJsonScan(limits);
  const pause = createPause();
  for (let at = 0; at < manifest.length; at += pieceSize) {
    const excess = scan(manifest.subarray(at, at + pieceSize));
    if (excess !== undefined) throw tooMuch(path, `its manifest.json has more ${excess}`, limits[excess], 'of them');
    await pause();
  }
};

/** What a backup holds; an error when a single byte of it is not what was written. */
export const openBackup = async (path: string, limits: ArchiveLimits = ofOperator): Promise<Manifest> => {
  let manifest: Buffer | undefined;
  for await (const { name, body } of readArchive(path, limits)) if (name === 'manifest.json') manifest = body;
  if (manifest === undefined) throw new StartError(`${path} is no backup of Rowhouse: it lacks manifest.json`);
  await demandFewValues(manifest, path, limits);
  try {
    return demandManifest(JSON.parse(manifest.toString()), path);
  } catch (error) {
    throw error instanceof SyntaxError ? new StartError(`${path} cannot be used: its manifest.json is no JSON`) : error;
  }
};

interface Rows {
  /** The rows of the next table in the order of the manifest, in pieces that end anywhere. */
  partsOf(place: number, table: Pick<TableData, 'parts' | 'bytes'>): AsyncGenerator<Buffer>;
  /** The parts of the next uploaded file. */
  partsOfFile(token: string, parts: number): AsyncGenerator<Buffer>;
  /** Reads what is left: an error unless the file is still what it was. */
  finish(): Promise<void>;
  /** Whether it came to its end or not. */
  close(): Promise<void>;
}

export const readRows = (path: string, limits: ArchiveLimits = ofOperator): Rows => {
  const members = readArchive(path, limits);
  let most: number | undefined;
  let read = 0;
  const next = async (): Promise<Member | undefined> => {
    const { value, done } = await members.next();
    return done === true ? undefined : (value as Member);
  };
  return {
    async *partsOf(place, { parts, bytes }) {
      let left = bytes;
      for (let part = 1; part <= parts; part += 1) {
        const member = await next();
        if (member?.name !== memberName(place, part))
          throw new StartError(`${path} is not in the order that its manifest.json says`);
        most ??= smallFile.unpacked + limits.unpackedPerByte * (await stat(path)).size;
        for await (const piece of unpacked(member.body, path)) {
          read += piece.length;
          left -= piece.length;
          if (left < 0)
            throw tooMuch(path, 'a part of it has more bytes than its manifest.json says', bytes, 'bytes of it');
          if (read > most) throw tooMuch(path, 'its rows are larger than what such a small file holds', most, 'bytes');
          yield piece;
        }
      }
    },
    async *partsOfFile(token, parts) {
      for (let part = 1; part <= parts; part += 1) {
        const member = await next();
        if (member?.name !== fileMember(token, part))
          throw new StartError(`${path} is not in the order that its manifest.json says`);
        yield member.body;
      }
    },
    finish: async () => {
      while ((await next()) !== undefined);
    },
    close: async () => {
      await members.return(undefined);
    },
  };
};
