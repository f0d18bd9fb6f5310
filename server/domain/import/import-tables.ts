// POST /import/:baseId
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { importTables as endpoint } from '@rowhouse/contract/import.ts';
import type { FullTable, NewTable } from '@rowhouse/contract/table.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { guardedTransaction } from '../../pipeline/pipeline.ts';
import { addJob } from '../../work/job.sql.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { createTable } from '../table/create-table.ts';
import { type ImportPayload, importKind } from './import-job.ts';
import { findSource } from './source.ts';

type Worksheet = BodyOf<typeof endpoint>['worksheets'][string];

/** What a text can become. */
const isImportable = (type: string): boolean => !fieldTypeOf(type).isComputed && fieldTypeOf(type).namesFiles !== true;

const fieldsOf = ({ columns }: Worksheet, tz: string, path: string): NonNullable<NewTable['fields']> =>
  columns.map(({ type, name, options = {} }, at) => {
    if (!isImportable(type))
      throw invalid({
        path: `${path}.columns[${at}].type`,
        message: `A column cannot be imported as ${type}`,
        expected: 'a type of field that people write',
      });
    if (at === 0 && !fieldTypeOf(type).canBePrimary) return { type: 'singleLineText', name };
    const isDate =
      cellTypeOf({ type, options: fieldTypeOf(type).completeOptions({}, ''), computed: null }).kind === 'date';
    return {
      type,
      name,
      options: isDate
        ? {
            ...options,
            formatting: {
              date: 'YYYY-MM-DD',
              time: 'None',
              ...(options.formatting as object | undefined),
              timeZone: tz,
            },
          }
        : options,
    };
  });

const mostSheets = 50;

export const importTables = async (
  context: Context,
  body: BodyOf<typeof endpoint>,
): Promise<{ tables: FullTable[]; jobIds: string[] }> => {
  const { attachmentUrl, fileType, tz, worksheets } = body;
  const baseId = context.access.baseId as string;
  const sheets = Object.entries(worksheets);
  if (sheets.length > mostSheets)
    throw invalid({
      path: 'worksheets',
      message: `There are ${sheets.length} worksheets`,
      expected: `at most ${mostSheets}`,
    });
  const file = await findSource(context, attachmentUrl, fileType);
  const drafts = sheets.map(([key, sheet]) => ({
    key,
    sheet,
    fields: fieldsOf(sheet, tz, `worksheets[${JSON.stringify(key)}]`),
  }));
  const { userId, tokenId, clientId } = context.principal;
  // All of them, with their jobs, or none.
  const made = await guardedTransaction({ unconfirmed: context }, async (within) => {
    const { db: tx } = within;
    const tables: FullTable[] = [];
    const jobIds: string[] = [];
    for (const { key, sheet, fields } of drafts) {
      const table = await createTable(within, { name: sheet.name, fields, records: [] });
      tables.push(table);
      if (!sheet.importData || fields.length === 0) continue;
      const columns = Object.fromEntries(
        table.fields.map(({ id }, at) => [id, sheet.columns[at]?.sourceColumnIndex ?? at]),
      );
      const payload: ImportPayload = {
        baseId,
        tableId: table.id,
        token: file.token,
        fileType,
        sheet: key,
        skipRows: sheet.headerRow ?? (sheet.useFirstRowAsHeader ? 1 : 0),
        columns,
        actions: ['base|table_import'],
        by: { userId, tokenId, clientId },
        ...(body.dateOrder === undefined ? {} : { dateOrder: body.dateOrder }),
      };
      jobIds.push(await addJob(tx, { kind: importKind, baseId, createdBy: userId, payload }));
    }
    await writeAudit(
      tx,
      doerOf(context),
      'table.imported',
      { baseIds: [baseId] },
      { baseId, tableIds: tables.map(({ id }) => id) },
    );
    return { tables, jobIds };
  });
  context.work.wake();
  return made;
};
