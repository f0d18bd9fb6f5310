import type { Table } from '@rowhouse/contract/table.ts';
import type { Context } from '../../context.ts';
import { selectTables } from './table.sql.ts';
import { tableVo } from './table-vo.ts';

export const listTables = async (context: Context, baseId: string): Promise<Table[]> =>
  (await selectTables(context.db, baseId)).map((row) => tableVo(baseId, row));
