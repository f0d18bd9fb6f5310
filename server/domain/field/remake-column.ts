import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { ownColumnOf } from '../cell/types.ts';
import { addColumn, dropColumn, dropViewIndexes } from './column.sql.ts';

/** An empty column for cells of another type; what was in it is computed and follows. */
export const remakeColumn = async (
  tx: Tx,
  table: TableSchema,
  before: FieldSchema,
  after: FieldSchema,
): Promise<void> => {
  const [had, has] = [ownColumnOf(before), ownColumnOf(after)];
  if (had === has || has === null) return;
  await dropViewIndexes(tx, table, before.dbFieldName);
  if (had !== null) await dropColumn(tx, table, before.dbFieldName);
  await addColumn(tx, table, after.dbFieldName, has);
};
