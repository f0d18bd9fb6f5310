// A new table: empty, from a template, or from a file.
import { invalid } from '@rowhouse/contract/error.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { call } from '../../app/call.ts';
import { guessFields } from './guess-fields.ts';
import { readCsv } from './read-csv.ts';
import type { Template } from './templates.ts';

export type Source = { kind: 'blank' } | { kind: 'template'; template: Template } | { kind: 'file'; file: File };

const recordsPerRequest = 2_000;

/** The file's name without its ending. */
export const titleOf = ({ name }: File): string => name.replace(/\.\w{1,5}$/, '').slice(0, 200) || 'Import';

const importFile = async (baseId: string, file: File, onProgress: (share: number) => void): Promise<string> => {
  const rows = readCsv(await file.text());
  if (rows.length === 0) throw invalid({ path: 'file', message: 'This file has no rows', expected: 'a CSV file whose first row names the fields' });
  const { fields, records } = guessFields(rows);
  const { id } = await call(createTable, { params: { baseId }, body: { name: titleOf(file), fields, records: [] } });
  for (let done = 0; done < records.length; done += recordsPerRequest) {
    onProgress(done / records.length);
    await call(createRecords, { params: { tableId: id }, body: { records: records.slice(done, done + recordsPerRequest), typecast: true } });
  }
  return id;
};

/** Answers its id. */
export const startTable = async (baseId: string, name: string, source: Source, onProgress: (share: number) => void): Promise<string> => {
  if (source.kind === 'file') return importFile(baseId, source.file, onProgress);
  return (await call(createTable, { params: { baseId }, body: source.kind === 'template' ? source.template.table : { name } })).id;
};
