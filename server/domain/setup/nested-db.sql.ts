// A transaction that can be handed to operations which open transactions of their own: theirs become
// savepoints of it, so that many operations happen whole or not at all.
import type { Db, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const nestedDb = (outer: Db, tx: Tx): Db => ({
  kind: 'pool',
  identity: tx,
  at: () => nestedDb(outer, tx),
  counters: outer.counters,
  query: tx.query,
  async transaction(work) {
    await tx.query(sql`savepoint nested`);
    try {
      const result = await work(tx);
      await tx.query(sql`release savepoint nested`);
      return result;
    } catch (error) {
      await tx.query(sql`rollback to savepoint nested`);
      throw error;
    }
  },
  dedicated: () => Promise.reject(new Error('there is no connection of its own inside of a transaction')),
  close: async () => undefined,
});
