// A new table: empty, from a template, or from a file.
import { invalid } from '@rowhouse/contract/error.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createTable, listTables } from '@rowhouse/contract/table.ts';
import { createBaseFromTemplate, type Template } from '@rowhouse/contract/template.ts';
import { call } from '../../app/call.ts';
import { guessFields, readCsv, textOf } from '../../field-type/guess-fields.ts';

export type Source =
  | { kind: 'blank' }
  | { kind: 'template'; template: Template; withRecords: boolean }
  | { kind: 'file'; file: File };

const recordsPerRequest = 2_000;

/** The file's name without its ending. */
export const titleOf = ({ name }: File): string => name.replace(/\.\w{1,5}$/, '').slice(0, 200) || 'Import';

const importFile = async (baseId: string, file: File, onProgress: (share: number) => void): Promise<string> => {
  const rows = readCsv(textOf(await file.arrayBuffer()));
  if (rows.length === 0)
    throw invalid({
      path: 'file',
      message: 'This file has no rows',
      expected: 'a CSV file whose first row names the fields',
    });
  const { fields, records } = guessFields(rows);
  const { id } = await call(createTable, { params: { baseId }, body: { name: titleOf(file), fields, records: [] } });
  for (let done = 0; done < records.length; done += recordsPerRequest) {
    onProgress(done / records.length);
    await call(createRecords, {
      params: { tableId: id },
      body: { records: records.slice(done, done + recordsPerRequest), typecast: true },
    });
  }
  return id;
};

export const firstTableOf = async (baseId: string): Promise<string> => {
  const [first] = await call(listTables, { params: { baseId } });
  if (first === undefined)
    throw invalid({
      path: 'template',
      message: 'This template has no tables',
      expected: 'a template with at least one table',
    });
  return first.id;
};

/** Answers its id. The tables of a template have the names that it gives them. */
export const startTable = async (
  base: { id: string; spaceId: string },
  name: string,
  source: Source,
  onProgress: (share: number) => void,
): Promise<string> => {
  if (source.kind === 'file') return importFile(base.id, source.file, onProgress);
  if (source.kind === 'blank') return (await call(createTable, { params: { baseId: base.id }, body: { name } })).id;
  await call(createBaseFromTemplate, {
    body: { spaceId: base.spaceId, baseId: base.id, templateId: source.template.id, withRecords: source.withRecords },
  });
  return firstTableOf(base.id);
};
