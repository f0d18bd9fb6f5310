// Rows of operations in the order of their ids: for each record that is the order in which it was changed, since an id
// is drawn when all rows are locked.
import type { Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';

export interface OperationRow {
  id: string;
  kind: string;
}

export const selectOperations = (db: Queryable, baseId: string, tableId: string): Promise<OperationRow[]> =>
  db.query<OperationRow>(
    sql`select public_id as id, kind from ${sql.id(baseId, '__operation')} o where table_id = ${tableId} order by o.id`,
  );
