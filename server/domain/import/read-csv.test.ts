import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const rowsOf = async (bytes: Buffer, size = 7): Promise<string[][]> => {
  const rows: string[][] = [];
  for await (const some of readCsv(pieces(bytes, size))) rows.push(...some);
  return rows;
};

const expected = [
  ['Name', 'Größe'],
  ['a, b', '1'],
  ['two\nlines', '"x"'],
];

test.each([
  ['comma', 'Name,Größe\r\n"a, b",1\r\n"two\nlines","""x"""\r\n'],
  ['semicolon', 'Name;Größe\na, b;1\n"two\nlines";"""x"""'],
  ['tab', 'Name\tGröße\na, b\t1\n"two\nlines"\t"""x"""\n\n'],
  ['bar', 'Name|Größe\na, b|1\n"two\nlines"|"""x"""\n'],
])('%s', async (_name, text) => {
  expect(await rowsOf(Buffer.from(text))).toEqual(expected);
});

test.each([
  ['UTF-8 with a mark', Buffer.from('\uFEFFName,Größe\n1,2')],
  ['UTF-16 little endian', Buffer.from('\uFEFFName,Größe\n1,2', 'utf16le')],
  ['UTF-16 big endian', Buffer.from('\uFEFFName,Größe\n1,2', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('Name,Größe\n1,2', 'latin1')],
])('%s', async (_name, bytes) => {
  expect(await rowsOf(bytes)).toEqual([
    ['Name', 'Größe'],
    ['1', '2'],
  ]);
});

test('one column, rows of different length, and nothing at all', async () => {
  expect(await rowsOf(Buffer.from('a\nb\n'))).toEqual([['a'], ['b']]);
  expect(await rowsOf(Buffer.from('a,b\n1\n1,2,3\n'))).toEqual([['a', 'b'], ['1'], ['1', '2', '3']]);
  expect(await rowsOf(Buffer.from(''))).toEqual([]);
});
