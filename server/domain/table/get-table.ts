import { notFound } from '@rowhouse/contract/error.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import type { Context } from '../../context.ts';
import type { TablePlace } from './find-table.ts';
import { selectTable } from './table.sql.ts';
import { tableVo } from './table-vo.ts';

export const getTable = async (context: Context, { baseId, tableId }: TablePlace): Promise<Table> => {
  const row = await selectTable(context.db, baseId, tableId);
  if (row === undefined) throw notFound('Table', tableId);
  return tableVo(baseId, row);
};
