// The schema of a table for work that checks no version itself: it is compared with the database before it is given out.
import { selectVersion } from '../catalog/table.sql.ts';
import type { TableSchema } from '../catalog/table.ts';
import type { Environment } from '../context.ts';

/** As it was when this was asked. A table that is gone is `not_found`. */
export const presentTable = async (
  { catalog, db }: Pick<Environment, 'catalog' | 'db'>,
  baseId: string,
  tableId: string,
): Promise<TableSchema> => {
  const table = await catalog.get(db, baseId, tableId);
  if (db.kind === 'transaction' || (await selectVersion(db, baseId, tableId)) === table.version) return table;
  catalog.forget(tableId);
  return catalog.get(db, baseId, tableId);
};
