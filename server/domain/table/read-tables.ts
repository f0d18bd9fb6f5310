import { notFound } from '@rowhouse/contract/error.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import type { Context } from '../../context.ts';
import type { TablePath } from './find-table.ts';
import { seenTables } from './seen-tables.ts';
import { tableVo } from './table-vo.ts';
import { selectTable, selectTables } from './table.sql.ts';

export const getTable = async (context: Context, { baseId, tableId }: TablePath): Promise<Table> => {
  const found = await selectTable(context.db, baseId, tableId);
  const [row] = await seenTables(context, found === undefined ? [] : [found]);
  if (row === undefined) throw notFound('Table', tableId);
  return tableVo(baseId, row);
};

export const listTables = async (context: Context, baseId: string): Promise<Table[]> =>
  (await seenTables(context, await selectTables(context.db, baseId))).map((row) => tableVo(baseId, row));

export const getDefaultViewId = async (context: Context, path: TablePath): Promise<{ id: string }> => ({
  id: (await getTable(context, path)).defaultViewId as string,
});
