// The file of a backup: a tar archive, so that it can be looked into without Rowhouse. Its last member is the SHA-256
// of all bytes before it: a file that was cut off or changed is recognised before anything is done with it.
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../../db/error.ts';

const block = 512;
const seal = 'sha256';
const largestMember = 2 ** 31;

const padding = (size: number): number => (block - (size % block)) % block;

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

const sumOf = (header: Buffer): number => header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

const headerOf = (name: string, size: number, time: Date): Buffer => {
  const header = Buffer.alloc(block);
  header.write(name, 0, 100);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(Math.floor(time.getTime() / 1_000), 12), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${octal(sumOf(header), 7)} `, 148);
  return header;
};

export interface Archive {
  add(name: string, body: Buffer): Promise<void>;
  /** On disk, whole, under its name; answers its size. */
  finish(): Promise<number>;
  /** Nothing is left of it. */
  abandon(): Promise<void>;
}

const writeAll = async (file: FileHandle, bytes: Buffer): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
};

const explain = (error: unknown, path: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EEXIST':
      return new StartError(`${path} exists already: name another file`);
    case 'ENOENT':
    case 'EACCES':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EROFS':
      return new StartError(`${path} cannot be opened (${code})`);
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(`there is no room for ${path} on its disk`);
    default:
      return error;
  }
};

const fsyncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
};

/** A link is refused where the name is taken; a disk without links has to do with a look before. */
const giveName = async (draft: string, path: string): Promise<void> => {
  try {
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw explain(error, path);
    await rename(draft, path);
  }
};

/** Readable by its owner alone. It gets its name when it is whole, and never takes the name of another file. */
export const createArchive = async (path: string, time: Date): Promise<Archive> => {
  const draft = `${path}.${process.pid}.part`;
  // Found out now and not after hours.
  const taken = await open(path, 'r').catch(() => undefined);
  await taken?.close();
  if (taken !== undefined) throw explain({ code: 'EEXIST' }, path);
  const file = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw explain(error, path);
  });
  const hash = createHash('sha256');
  let size = 0;
  const add = async (name: string, body: Buffer): Promise<void> => {
    const bytes = Buffer.concat([headerOf(name, body.length, time), body, Buffer.alloc(padding(body.length))]);
    hash.update(bytes);
    size += bytes.length;
    await writeAll(file, bytes).catch((error: unknown) => {
      throw explain(error, path);
    });
  };
  const abandon = async (): Promise<void> => {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
  };
  return {
    add,
    abandon,
    finish: async () => {
      await add(seal, Buffer.from(`${hash.copy().digest('hex')}\n`));
      await writeAll(file, Buffer.alloc(2 * block));
      await file.sync();
      await file.close();
      await giveName(draft, path);
      await fsyncFolder(dirname(path));
      return size + 2 * block;
    },
  };
};

export interface Member {
  name: string;
  body: Buffer;
}

const damaged = (path: string, what: string): StartError => new StartError(`${path} is damaged or no backup of Rowhouse: ${what}`);

const readExactly = async (file: FileHandle, length: number): Promise<Buffer | undefined> => {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at);
    if (bytesRead === 0) return undefined;
    at += bytesRead;
  }
  return bytes;
};

const textAt = (header: Buffer, from: number, length: number): string => header.toString('latin1', from, from + length).replace(/[\0 ].*$/s, '');

const readMember = async (path: string, file: FileHandle, hash: Hash): Promise<Member> => {
  const header = await readExactly(file, block);
  if (header === undefined) throw damaged(path, 'it ends too early');
  if (Number.parseInt(textAt(header, 148, 8), 8) !== sumOf(header)) throw damaged(path, 'its contents are not what was written');
  const [name, size] = [textAt(header, 0, 100), Number.parseInt(textAt(header, 124, 12), 8)];
  if (!Number.isSafeInteger(size) || size < 0 || size > largestMember) throw damaged(path, 'its contents are not what was written');
  const padded = await readExactly(file, size + padding(size));
  if (padded === undefined) throw damaged(path, 'it ends too early');
  if (name !== seal) hash.update(header).update(padded);
  return { name, body: padded.subarray(0, size) };
};

/** The members in their order. When it comes to its end without an error, all of them were what was written. */
export async function* readArchive(path: string): AsyncGenerator<Member> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw explain(error, path);
  });
  try {
    const hash = createHash('sha256');
    for (;;) {
      const member = await readMember(path, file, hash);
      if (member.name !== seal) yield member;
      else if (member.body.toString('latin1').trim() === hash.digest('hex')) return;
      else throw damaged(path, 'its contents are not what was written');
    }
  } finally {
    await file.close();
  }
}
