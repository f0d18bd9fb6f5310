import type { Db } from '../../server/db/db.ts';

/** The same database, of which some is done otherwise. */
export const changedDb = (db: Db, changes: Partial<Db>): Db =>
  Object.create(db, Object.getOwnPropertyDescriptors(changes)) as Db;
