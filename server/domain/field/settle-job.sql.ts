import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** The schema of the table stays as it is until the transaction ends; those who read and write records do not wait. */
export const lockVersion = async (tx: Queryable, baseId: string, tableId: string): Promise<void> => {
  await maybe(tx, sql`select version from ${sql.id(baseId, '__table')} where id = ${tableId} for share`);
};
