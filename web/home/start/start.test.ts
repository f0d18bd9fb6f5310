import { expect, test } from 'vitest';
import { guessFields, readCsv, textOf } from '../../field-type/guess-fields.ts';

test('quotes, line breaks and separators inside of a cell belong to it', () => {
  expect(readCsv('\uFEFFa,b\r\n"x, y","he said ""no""\nand left"\r\n\r\n,z')).toEqual([
    ['a', 'b'],
    ['x, y', 'he said "no"\nand left'],
    ['', 'z'],
  ]);
  expect(readCsv('a;b\n1,5;2')).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  expect(readCsv('a\tb\n"x"\ty')).toEqual([
    ['a', 'b'],
    ['x', 'y'],
  ]);
  expect(readCsv('')).toEqual([]);
});

test('the cells of a column say what type it is', () => {
  const rows = readCsv(
    'Name,Size,Price,Due,At,Ok,State,Note,Name\nA,"1,200",2.5,2026-01-02,2026-01-02T10:00:00Z,yes,open,"two\nlines",x\nB,3,10,2026-02-03,2026-01-02 11:30,no,open,,y\nC,,1.25,,,yes,open,,z',
  );
  const { fields, records } = guessFields(rows);
  expect(fields.map(({ name, type }) => [name, type])).toEqual([
    ['Name', 'singleLineText'],
    ['Size', 'number'],
    ['Price', 'number'],
    ['Due', 'date'],
    ['At', 'date'],
    ['Ok', 'checkbox'],
    ['State', 'singleSelect'],
    ['Note', 'longText'],
    ['Name 2', 'singleLineText'],
  ]);
  expect(fields[2]?.options).toEqual({ formatting: { type: 'decimal', precision: 2 } });
  expect(records[0]?.fields).toMatchObject({ Size: '1200', Ok: 'true', Note: 'two\nlines', 'Name 2': 'x' });
  expect(records[2]?.fields).not.toHaveProperty('Size');
});

test('codes stay as they are written', () => {
  const typeOf = (...cells: string[]) =>
    guessFields([['Name', 'Code'], ...cells.map((cell) => ['x', cell])]).fields[1]?.type;
  expect([typeOf('01067', '10115'), typeOf('123456789012345678'), typeOf('00')]).toEqual([
    'singleLineText',
    'singleLineText',
    'singleLineText',
  ]);
  expect([typeOf('0', '0.5', '-12', '1,000'), typeOf('4006381333931')]).toEqual(['number', 'number']);
});

test('a file is read in the encoding that it was saved in', () => {
  const bytesOf = (...bytes: number[]): ArrayBuffer => new Uint8Array(bytes).buffer;
  expect(textOf(bytesOf(0x4d, 0xfc, 0x6c))).toBe('Mül');
  expect(textOf(bytesOf(0x4d, 0xc3, 0xbc, 0x6c))).toBe('Mül');
  expect(textOf(bytesOf(0xff, 0xfe, 0x4d, 0, 0xfc, 0))).toBe('Mü');
  expect(textOf(bytesOf())).toBe('');
});

test('a row may be longer than the first, which may have no names', () => {
  expect(
    guessFields([
      ['', 'b'],
      ['1', '2', '3'],
    ]).fields.map(({ name }) => name),
  ).toEqual(['Field 1', 'b', 'Field 3']);
});
