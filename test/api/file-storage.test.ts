// The storages of files: the same for all of them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderStorage } from '../../server/domain/file/folder-storage.ts';
import { createS3Storage } from '../../server/domain/file/s3-storage.ts';
import { SizeMismatch, type Storage } from '../../server/stored-files.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

let s3: S3Server;
const folder = mkdtempSync(join(tmpdir(), 'file-storage-'));
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => {
  s3.close();
  rmSync(folder, { recursive: true });
});

async function* body(...pieces: string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

const whole = async (storage: Storage, key: string, first: number, last: number): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of storage.read(key, first, last)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

describe.each([
  ['a folder', () => createFolderStorage(folder)],
  ['S3', () => createS3Storage(s3.url)],
  ['S3 that clients reach', () => createS3Storage(s3.url, new URL(s3.url).origin)],
] as const)('%s', (_name, make) => {
  test('keeps what is whole, reads any part of it, and never writes over it', async () => {
    const storage = make();
    expect(await storage.size('attone')).toBeUndefined();
    await storage.write('attone', body('hello ', 'world'), 11);
    expect(await storage.size('attone')).toBe(11);
    expect([
      await whole(storage, 'attone', 0, 10),
      await whole(storage, 'attone', 4, 6),
      await whole(storage, 'attone', 0, -1),
    ]).toEqual(['hello world', 'o w', '']);
    await storage.write('attone', body('other words'), 11);
    expect(await whole(storage, 'attone', 0, 10)).toBe('hello world');
    await storage.write('attnone', body(), 0);
    expect(await storage.size('attnone')).toBe(0);
    await storage.remove('attone');
    await storage.remove('attone');
    expect(await storage.size('attone')).toBeUndefined();
  });

  test('keeps nothing that is too short, too long or broken off', async () => {
    const storage = make();
    await expect(storage.write('atttwo', body('short'), 10)).rejects.toThrow(SizeMismatch);
    await expect(storage.write('atttwo', body('much ', 'too long'), 6)).rejects.toThrow(SizeMismatch);
    await expect(
      storage.write(
        'atttwo',
        (async function* () {
          yield Buffer.from('half');
          throw new Error('gone');
        })(),
        10,
      ),
    ).rejects.toThrow('gone');
    expect(await storage.size('atttwo')).toBeUndefined();
  });
});

test('a folder has nothing left of what was not kept', () => {
  expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
});

test('a bucket refuses what is signed with another key', async () => {
  const storage = createS3Storage(s3.url.replace('AKIDEXAMPLE:', 'AKIDEXAMPLE:x'));
  await expect(storage.size('attone')).rejects.toThrow('answered 403');
});

test('a service that offers another protocol has not answered', async () => {
  const other = createServer((request) =>
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
  );
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  await expect(createS3Storage(`http://key:secret@127.0.0.1:${port}/bucket`).size('a')).rejects.toThrow(
    'the connection ended without an answer',
  );
  other.close();
});
