// The file of a backup: a tar archive, so that it can be looked into without Rowhouse. Its last member is the SHA-256
// of all bytes before it: a file that was cut off or changed is recognised before anything is done with it.
import { createHash } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header, pack } from 'tar-stream';
import { StartError } from '../../db/error.ts';
import { createPause } from '../../work/slices.ts';

const block = 512;
const seal = 'sha256';

/** What a member takes in the archive: a block for its header, and whole blocks for its contents. */
const lengthOf = (size: number): number => block + block * Math.ceil(size / block);

/** The seal is a line of 64 digits; two empty blocks end an archive. */
const sealLength = lengthOf(65) + 2 * block;

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
  const packed = pack();
  const hash = createHash('sha256');
  let [added, written] = [0, 0];
  let noteWritten = (): void => undefined;
  const writing = (async () => {
    for await (const bytes of packed as AsyncIterable<Buffer>) {
      await writeAll(file, bytes);
      hash.update(bytes);
      written += bytes.length;
      noteWritten();
    }
  })().catch((error: unknown) => {
    throw explain(error, path);
  });
  // It is also noticed by the one who adds the next member.
  writing.catch(() => undefined);
  /** Returns when it is in the file: what is not written yet is at most one member. */
  const add = async (name: string, body: Buffer): Promise<void> => {
    added += lengthOf(body.length);
    const isWritten = new Promise<void>((done) => {
      noteWritten = () => {
        if (written >= added) done();
      };
    });
    packed.entry({ name, size: body.length, mode: 0o600, mtime: time }, body);
    await Promise.race([isWritten, writing]);
  };
  const abandon = async (): Promise<void> => {
    packed.destroy();
    await writing.catch(() => undefined);
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
  };
  return {
    add,
    abandon,
    finish: async () => {
      await add(seal, Buffer.from(`${hash.copy().digest('hex')}\n`));
      packed.finalize();
      await writing;
      await file.sync();
      await file.close();
      await giveName(draft, path);
      await fsyncFolder(dirname(path));
      return written;
    },
  };
};

export interface Member {
  name: string;
  body: Buffer;
}

const damaged = (path: string, what: string): StartError =>
  new StartError(`${path} is damaged or no backup of Rowhouse: ${what}`);

export const tooMuch = (path: string, what: string, most: number, unit: string): StartError =>
  new StartError(`${path} cannot be used: ${what}; at most ${most} ${unit} are read`);

/** What is read of an archive, counted while it is read. */
export interface ArchiveLimits {
  members: number;
  /** Bytes of the manifest, and of any other member. */
  manifest: number;
  member: number;
  /** Values of the manifest, where a list or an object counts as three. */
  values: number;
  /** Bytes that all rows may be unpacked to, for each byte of the file; small files may hold anything. */
  unpackedPerByte: number;
  /** Bytes of a row. */
  row: number;
  /** Tables, fields, views and files that get other ids. */
  ids: number;
}

/** For what the operator restores: PostgreSQL holds no larger rows. */
export const ofOperator: ArchiveLimits = {
  members: Number.POSITIVE_INFINITY,
  manifest: 2 ** 31,
  member: 2 ** 31,
  values: Number.POSITIVE_INFINITY,
  unpackedPerByte: Number.POSITIVE_INFINITY,
  row: Number.POSITIVE_INFINITY,
  ids: Number.POSITIVE_INFINITY,
};

/** For what somebody has uploaded. A part is 4 MiB and one row; rows of real tables are packed to a tenth. */
export const ofUpload: ArchiveLimits = {
  members: 600_000,
  manifest: 8_000_000,
  member: 40_000_000,
  values: 1_000_000,
  unpackedPerByte: 100,
  row: 32_000_000,
  ids: 500_000,
};

const changed = (path: string): StartError => damaged(path, 'its contents are not what was written');

/** Of tar-stream, which has no codes for them. */
const faultOf = (error: unknown, path: string): unknown => {
  if (error instanceof StartError) return error;
  if ((error as NodeJS.ErrnoException).code !== undefined) return explain(error, path);
  return (error as Error).message === 'Unexpected end of data' ? damaged(path, 'it ends too early') : changed(path);
};

/** The bytes of a file, with the hash of those that precede the seal. */
const readSealed = async (path: string): Promise<{ bytes: AsyncIterable<Buffer>; digest: () => string }> => {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw explain(error, path);
  });
  const { size } = await file.stat();
  const hash = createHash('sha256');
  let left = size - sealLength;
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of file.createReadStream({ highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
      if (left > 0) hash.update(chunk.subarray(0, left));
      left -= chunk.length;
      yield chunk;
    }
  }
  return { bytes: bytes(), digest: () => hash.digest('hex') };
};

const readMember = async (
  entry: AsyncIterable<Buffer> & { header: Header },
  path: string,
  limits: ArchiveLimits,
): Promise<Member> => {
  const { name, size } = entry.header;
  const most = name === 'manifest.json' ? limits.manifest : limits.member;
  if (size === undefined) throw changed(path);
  if (size > most) throw tooMuch(path, `its member ${name.slice(0, 100)} has ${size} bytes`, most, 'bytes');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return { name, body: Buffer.concat(chunks) };
};

/** The members in their order. When it comes to its end without an error, all of them were what was written. */
export async function* readArchive(path: string, limits: ArchiveLimits): AsyncGenerator<Member> {
  const pause = createPause();
  let count = 0;
  const { bytes, digest } = await readSealed(path);
  const members = extract();
  const reading = pipeline(bytes, members as unknown as Writable);
  // What is wrong is told by the members too.
  reading.catch(() => undefined);
  let found: string | undefined;
  try {
    for await (const entry of members) {
      if ((count += 1) > limits.members) throw tooMuch(path, 'it has more members', limits.members, 'members');
      const member = await readMember(entry as never, path, limits);
      await pause();
      // Nothing follows the seal.
      if (found !== undefined) throw changed(path);
      if (member.name === seal) found = member.body.toString('latin1').trim();
      else yield member;
    }
    await reading;
  } catch (error) {
    throw faultOf(error, path);
  } finally {
    members.destroy();
    await reading.catch(() => undefined);
  }
  if (found === undefined) throw damaged(path, 'it ends too early');
  if (found !== digest()) throw changed(path);
}
