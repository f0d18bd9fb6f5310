import { one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

const setupLock = 0x726f7703;

/** Until the transaction ends: of two servers that start at once on a fresh database one fills it. */
export const lockSetup = async (db: Queryable): Promise<void> => {
  // However long the other one takes.
  await db.query(sql`set local lock_timeout = 0`);
  await db.query(sql`select pg_advisory_xact_lock(${setupLock})`);
};

export const anyAdminExists = async (db: Queryable): Promise<boolean> =>
  (await one<{ known: boolean }>(db, sql`select exists (select from rowhouse.users where is_admin) as known`)).known;
