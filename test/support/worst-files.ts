// Small files that are a lot of work, one for each limit of what reads them. Tests see that they are refused; the proof measures what they cost.
import { zip } from '../../server/domain/export/zip.ts';

export interface WorstFile {
  name: string;
  fileType: 'csv' | 'json' | 'excel';
  contentType: string;
  make: () => Promise<Buffer>;
  /** What the refusal says. Undefined: it is read, and must cost little. */
  refusal?: string;
}

const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const gathered = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
};

type Part = string | ((add: (text: string, times: number) => Generator<Buffer>) => Iterable<Buffer>);

function* repeated(text: string, times: number): Generator<Buffer> {
  const perPiece = Math.max(1, Math.floor(65_536 / text.length));
  for (let left = times; left > 0; left -= perPiece) yield Buffer.from(text.repeat(Math.min(left, perPiece)));
}

async function* bodyOf(part: Part): AsyncGenerator<Buffer> {
  if (typeof part === 'string') yield Buffer.from(part);
  else yield* part(repeated);
}

const workbookOf = (parts: Record<string, Part>): Promise<Buffer> => {
  const whole: Record<string, Part> = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c t="str"><v>Name</v></c></row></sheetData></worksheet>',
    ...parts,
  };
  return gathered(zip(Object.entries(whole).map(([name, part]) => ({ name, body: bodyOf(part) }))));
};

/** A zip of empty members, put together by hand: the writer of exports would take a minute. */
const emptyMembers = (count: number): Buffer => {
  const [heads, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (let at = 0; at < count; at += 1) {
    const name = Buffer.from(`m${at}`);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    heads.push(head, name);
    directory.push(entry, name);
    offset += head.length + name.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...heads, ...directory, end]);
};

const manyMembers = (name: string, count: number): WorstFile => ({
  name,
  fileType: 'excel',
  contentType: excelType,
  make: async () => emptyMembers(count),
  refusal: 'it has more than 10000 members',
});

const between = (open: string, unit: string, times: number, close: string): Part =>
  function* (add) {
    yield Buffer.from(open);
    yield* add(unit, times);
    yield Buffer.from(close);
  };

const sheet = (unit: string, times: number): Part =>
  between('<worksheet><sheetData>', unit, times, '</sheetData></worksheet>');
const json = (name: string, text: () => string, refusal?: string): WorstFile => ({
  name,
  fileType: 'json',
  contentType: 'application/json',
  make: async () => Buffer.from(text()),
  ...(refusal === undefined ? {} : { refusal }),
});
const csv = (name: string, text: () => string, refusal?: string): WorstFile => ({
  name,
  fileType: 'csv',
  contentType: 'text/csv',
  make: async () => Buffer.from(text()),
  ...(refusal === undefined ? {} : { refusal }),
});
const excel = (name: string, parts: () => Record<string, Part>, refusal?: string): WorstFile => ({
  name,
  fileType: 'excel',
  contentType: excelType,
  make: () => workbookOf(parts()),
  ...(refusal === undefined ? {} : { refusal }),
});

const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`;

/** What `npm test` sends as well. */
export const refusedFiles: WorstFile[] = [
  json(
    'JSON of 10,000 keys once, then tiny objects',
    () => `[${keys(10_000)}${',{"k9999":1}'.repeat(20_000)}]`,
    'its records have more than 2000 different keys',
  ),
  json(
    'JSON of 100,000 levels',
    () => `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
    'a record has more than 100 levels',
  ),
  json(
    'JSON of one object with 200,000 values',
    () => `[{"a":[${'0,'.repeat(200_000)}0]}]`,
    'a record has more than 100000 values',
  ),
  csv('CSV of 3,000 columns', () => `a${','.repeat(3_000)}\n1\n`, 'a row has more than 2000 columns'),
  csv(
    'CSV whose quote is never closed',
    () => `a,b\n"${'x\n'.repeat(5_000_000)}`,
    'a row has more than 8000000 characters',
  ),
  manyMembers('XLSX with 12,000 members without a byte', 12_000),
  excel(
    'XLSX with 300 sheets that are one',
    () => ({
      'xl/workbook.xml': between('<workbook><sheets>', '<sheet name="S" r:id="r1"/>', 300, '</sheets></workbook>'),
    }),
    'it has more than 255 sheets',
  ),
  excel(
    'XLSX with 12 million shared texts without a character',
    () => ({ 'xl/sharedStrings.xml': between('<sst>', '<si/>', 12_000_000, '</sst>') }),
    'xl/sharedStrings.xml is more than',
  ),
  excel(
    'XLSX with a cell in column 10,000',
    () => ({ 'xl/worksheets/sheet1.xml': sheet('<row><c r="NTP1"><v>1</v></c></row>', 10) }),
    'sheet "S" has more than 2000 columns',
  ),
  excel(
    'XLSX of 200,000 levels',
    () => ({ 'xl/worksheets/sheet1.xml': sheet('<a>', 200_000) }),
    'has more than 100 levels',
  ),
  excel(
    'XLSX with a cell of 5 MB',
    () => ({
      'xl/worksheets/sheet1.xml': between(
        '<worksheet><sheetData><row><c t="str"><v>',
        'x',
        5_000_000,
        '</v></c></row></sheetData></worksheet>',
      ),
    }),
    'a tag or a text of more than 4000000 bytes',
  ),
];

/** For the proof alone. */
export const costlyFiles: WorstFile[] = [
  ...refusedFiles,
  json(
    'JSON of 2,000 keys once, then objects with the last of them',
    () => `[${keys(2_000)}${',{"k1999":1}'.repeat(30_000)}]`,
  ),
  json('JSON that is one text of 7 MB', () => `[{"a":"${'\\u0041'.repeat(1_150_000)}"}]`),
  json(
    'JSON of ten objects with 90,000 values',
    () => `[${Array.from({ length: 10 }, () => `{"a":[${'[],'.repeat(45_000)}0]}`).join()}]`,
  ),
  csv('CSV of 12 MB of quotes', () => '"'.repeat(12_000_000), 'a row has more than'),
  csv('CSV of 7 MB of quotes', () => '"'.repeat(7_000_000), 'a row has more than 200000 quotes'),
  csv('CSV of 390,000 quotes, 7 MB', () => `"${`""${'x'.repeat(30)}`.repeat(195_000)}"`),
  csv('CSV of 12 MB of quoted quotes in lines', () => '""""\n'.repeat(2_400_000)),
  csv('CSV of a quote and 2,000 columns of 3 kB without an end', () => `""${`,${'x'.repeat(3_000)}`.repeat(1_990)}`),
  csv('CSV of 12 MB of empty lines', () => '\n'.repeat(12_000_000)),
  csv('CSV of 5,000 rows of 500 columns', () => `${'1,'.repeat(499)}1\n`.repeat(5_000)),
  excel('XLSX with 2 million shared texts without a character', () => ({
    'xl/sharedStrings.xml': between('<sst>', '<si/>', 1_999_999, '</sst>'),
  })),
  manyMembers('XLSX with 65,000 members without a byte', 65_000),
  excel('XLSX with 2 million empty rows', () => ({ 'xl/worksheets/sheet1.xml': sheet('<row/>', 2_000_000) })),
  excel('XLSX with 5,000 rows of 500 columns', () => ({
    'xl/worksheets/sheet1.xml': sheet(`<row>${'<c><v>1</v></c>'.repeat(500)}</row>`, 5_000),
  })),
  excel('XLSX with 255 sheets that are one of 1,000 rows', () => ({
    'xl/workbook.xml': between('<workbook><sheets>', '<sheet name="S" r:id="r1"/>', 255, '</sheets></workbook>'),
    'xl/worksheets/sheet1.xml': sheet('<row><c><v>1</v></c></row>', 1_000),
  })),
];
