import { notFound } from '@rowhouse/contract/error.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import type { Context } from '../../context.ts';
import type { TablePath } from './find-table.ts';
import { tableVo } from './table-vo.ts';
import { selectTable, selectTables } from './table.sql.ts';

export const getTable = async (context: Context, { baseId, tableId }: TablePath): Promise<Table> => {
  const row = await selectTable(context.db, baseId, tableId);
  if (row === undefined) throw notFound('Table', tableId);
  return tableVo(baseId, row);
};

export const listTables = async (context: Context, baseId: string): Promise<Table[]> =>
  (await selectTables(context.db, baseId)).map((row) => tableVo(baseId, row));

export const getDefaultViewId = async (context: Context, path: TablePath): Promise<{ id: string }> => ({
  id: (await getTable(context, path)).defaultViewId as string,
});
