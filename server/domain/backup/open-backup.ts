// Reads a backup through, once to see that it is whole and what is in it, and again for its rows.
import { promisify } from 'node:util';
import { gunzip as gunzipWithCallback } from 'node:zlib';
import { StartError } from '../../db/error.ts';
import { type Member, readArchive } from './archive.ts';
import { demandManifest, type Manifest } from './manifest.ts';
import { fileMember, memberName } from './write-backup.ts';

const gunzip = promisify(gunzipWithCallback);

/** A part is 4 MiB and one row; a row is at most 1 GiB. */
const largestPart = 2 ** 31;

/** What a backup holds; an error when a single byte of it is not what was written. */
export const openBackup = async (path: string): Promise<Manifest> => {
  let text: string | undefined;
  for await (const { name, body } of readArchive(path)) if (name === 'manifest.json') text = body.toString();
  if (text === undefined) throw new StartError(`${path} is no backup of Rowhouse: it lacks manifest.json`);
  try {
    return demandManifest(JSON.parse(text), path);
  } catch (error) {
    throw error instanceof SyntaxError ? new StartError(`${path} cannot be used: its manifest.json is no JSON`) : error;
  }
};

export interface Rows {
  /** The parts of the next table in the order of the manifest. */
  partsOf(place: number, parts: number): AsyncGenerator<Buffer>;
  /** The parts of the next uploaded file. */
  partsOfFile(token: string, parts: number): AsyncGenerator<Buffer>;
  /** Reads what is left: an error unless the file is still what it was. */
  finish(): Promise<void>;
  /** Whether it came to its end or not. */
  close(): Promise<void>;
}

export const readRows = (path: string): Rows => {
  const members = readArchive(path);
  const next = async (): Promise<Member | undefined> => {
    const { value, done } = await members.next();
    return done === true ? undefined : (value as Member);
  };
  return {
    async *partsOf(place, parts) {
      for (let part = 1; part <= parts; part += 1) {
        const member = await next();
        if (member?.name !== memberName(place, part)) throw new StartError(`${path} is not in the order that its manifest.json says`);
        yield await gunzip(member.body, { maxOutputLength: largestPart });
      }
    },
    async *partsOfFile(token, parts) {
      for (let part = 1; part <= parts; part += 1) {
        const member = await next();
        if (member?.name !== fileMember(token, part)) throw new StartError(`${path} is not in the order that its manifest.json says`);
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
