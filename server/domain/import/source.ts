// The file that an import reads: one that was uploaded here.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalid } from '@rowhouse/contract/error.ts';
import type { ImportFileType } from '@rowhouse/contract/import.ts';
import type { Environment } from '../../context.ts';
import type { FileFacts } from '../file/file.ts';
import { selectFile } from '../file/file.sql.ts';
import type { Storage } from '../../stored-files.ts';
import { newScratchFile } from '../../work/scratch-file.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { openWorkbook } from './read-xlsx.ts';

/** Of a text the one sheet is called so, as in Teable. */
const csvSheet = 'Import Table';

const types: Record<ImportFileType, readonly string[]> = {
  csv: [
    'text/csv',
    'text/tab-separated-values',
    'application/csv',
    'application/vnd.ms-excel',
    'application/octet-stream',
  ],
  json: [
    'application/json',
    'application/x-ndjson',
    'application/jsonl',
    'application/jsonlines',
    'application/octet-stream',
  ],
  excel: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel',
    'application/wps-office.xlsx',
    'application/octet-stream',
  ],
};

/** By an address that was signed here: anyone who has it may read the file. */
export const findSource = async (
  { db, files }: Pick<Environment, 'db' | 'files'>,
  address: string,
  fileType: ImportFileType,
): Promise<FileFacts> => {
  const wrong = (message: string): Error =>
    invalid({ path: 'attachmentUrl', message, expected: '`presignedUrl` of a file that was uploaded here' });
  const url = URL.canParse(address, 'http://here') ? new URL(address, 'http://here') : undefined;
  const token = /\/api\/attachments\/read\/private\/table\/(att[0-9A-Za-z]{21})(\.image)?$/.exec(
    url?.pathname ?? '',
  )?.[1];
  if (url === undefined || token === undefined) throw wrong('It is not the address of an uploaded file');
  if (!files.isSigned(token, url.searchParams.get('token') ?? ''))
    throw wrong('The address is not signed, or has expired');
  const file = await selectFile(db, token);
  if (file === undefined || !file.isNotified) throw wrong('The file is not there any more');
  const given = file.mimetype.split(';').map((part) => part.trim().toLowerCase());
  if (!given.some((type) => types[fileType].includes(type)))
    throw invalid({
      path: 'fileType',
      message: `The file is of type ${file.mimetype}`,
      expected: types[fileType].join(', '),
    });
  return file;
};

interface OpenSource {
  sheets: readonly { key: string; name: string }[];
  /** Some at a time. Undefined: there is no such sheet. */
  rows(key: string): AsyncGenerator<unknown[][]> | undefined;
  /** Of the columns, as far as they have appeared. Absent: the first row holds them. */
  names?: () => readonly string[];
  close(): Promise<void>;
}

/** Cells, and characters of them, that the first rows have at most: wide rows are fewer. */
const mostCells = 500_000;
const mostText = 20_000_000;
/** Pieces of the file that are looked through for them: most can be empty rows. A piece has 16 to 64 kB. */
const mostPieces = 2_000;

const lengthOf = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value).length
      : 8;

/** At most `count`, and the one that holds the names; of each the first `columns`. */
export const firstRows = async (
  rows: AsyncIterable<unknown[][]>,
  count: number,
  columns: number,
): Promise<unknown[][]> => {
  const first: unknown[][] = [];
  let [cells, text, pieces] = [0, 0, 0];
  for await (const some of rows) {
    if ((pieces += 1) > mostPieces) return first;
    for (const row of some) {
      const looked = row.slice(0, columns);
      cells += looked.length;
      for (const value of looked) text += lengthOf(value);
      if (first.push(looked) > count || cells > mostCells || text > mostText) return first;
    }
  }
  return first;
};

const stemOf = (name: string | null): string => (name ?? '').split('.')[0]?.trim() || csvSheet;

/** A zip is read from several places: it has to be on this machine. */
const openExcel = async (storage: Storage, { token, size }: FileFacts): Promise<OpenSource> => {
  const { path, remove } = newScratchFile();
  try {
    await pipeline(
      Readable.from(storage.read(token, 0, size - 1)),
      createWriteStream(path, { mode: 0o600, flags: 'wx' }),
    );
    const workbook = await openWorkbook(path);
    return {
      sheets: workbook.sheets.map(({ name }) => ({ key: name, name })),
      rows(key) {
        const sheet = workbook.sheets.find(({ name }) => name === key);
        return sheet === undefined ? undefined : workbook.rows(sheet);
      },
      async close() {
        workbook.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

export const openSource = async (storage: Storage, file: FileFacts, fileType: ImportFileType): Promise<OpenSource> => {
  if (fileType === 'excel') return openExcel(storage, file);
  const shared = { sheets: [{ key: csvSheet, name: stemOf(file.name) }], close: async () => undefined };
  const bytes = storage.read(file.token, 0, file.size - 1);
  if (fileType === 'csv') return { ...shared, rows: (key) => (key === csvSheet ? readCsv(bytes) : undefined) };
  const { names, rows } = readJson(bytes);
  return { ...shared, names: () => names, rows: (key) => (key === csvSheet ? rows : undefined) };
};
