// The gate of a base. Anyone who locks and settles holds it together with others; a change of the fields of a base with links holds it alone, and so do
// the rare writes that lock records out of the one order. See docs/adr/0038-links.md.
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const enterGate = async (tx: Queryable, baseId: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`links of ${baseId}`}, 0))`, { prepare: true });
};

export const closeGate = async (tx: Queryable, baseId: string): Promise<void> => {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`links of ${baseId}`}, 0))`);
};
