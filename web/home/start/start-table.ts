// A new table: empty, from a template, or from a file.
import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { importTables } from '@rowhouse/contract/import.ts';
import { createTable, listTables } from '@rowhouse/contract/table.ts';
import { createBaseFromTemplate, type Template } from '@rowhouse/contract/template.ts';
import { call } from '../../app/call.ts';
import { awaitImport } from '../../import/await-import.ts';
import { openImportFile } from '../../import/open-import-file.ts';
import { firstFields } from '../../record-data/new-table.ts';
import { browserLanguage } from '../../ui/language.ts';

export type Source =
  | { kind: 'blank' }
  | { kind: 'template'; template: Template; withRecords: boolean }
  | { kind: 'file'; file: File };

/** The file's name without its ending. */
export const titleOf = ({ name }: File): string => name.replace(/\.\w{1,5}$/, '').slice(0, 200) || 'Import';

/** As the dialog of a base does it, with what was guessed. Answers the first table. */
const importFile = async (baseId: string, file: File, onProgress: (share: number) => void): Promise<string> => {
  const opened = await openImportFile(file, baseId, onProgress, new AbortController().signal);
  const sheets = Object.entries(opened.worksheets).filter(([, { columns }]) => columns.length > 0);
  if (sheets.length === 0)
    throw invalid({
      path: 'file',
      message: 'This file has no rows',
      expected: 'a file whose first row names the fields',
    });
  let jobIds = '';
  const tables = await call(importTables, {
    params: { baseId },
    body: {
      attachmentUrl: opened.url,
      fileType: opened.fileType,
      tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
      dateOrder: orderOfLocale(browserLanguage()),
      worksheets: Object.fromEntries(
        sheets.map(([key, { name, columns }]) => [
          key,
          {
            name: sheets.length === 1 ? titleOf(file) : name,
            columns: columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex })),
            useFirstRowAsHeader: true,
            importData: true,
          },
        ]),
      ),
    },
    onHeaders: (headers) => (jobIds = headers.get('x-job-id') ?? ''),
  });
  for (const jobId of jobIds.split(', ').filter((id) => id !== '')) await awaitImport(jobId, () => undefined);
  return (tables[0] as { id: string }).id;
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
  if (source.kind === 'blank')
    return (await call(createTable, { params: { baseId: base.id }, body: { name, fields: firstFields } })).id;
  await call(createBaseFromTemplate, {
    body: { spaceId: base.spaceId, baseId: base.id, templateId: source.template.id, withRecords: source.withRecords },
  });
  return firstTableOf(base.id);
};
