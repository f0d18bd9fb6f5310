// The gate of a base. Anyone who locks and settles holds it together with others; a change of the fields of a base with links holds it alone, and so do
// the rare writes that lock records out of the one order. See docs/adr/0038-links.md.
import type { Queryable, Tx } from '../../db/db.ts';
import { createByteCache } from '../../db/byte-cache.ts';
import { type Sql, sql } from '../../db/sql.ts';

const key = (baseId: string): Sql => sql`hashtextextended(${sql.literal(`links of ${baseId}`)}, 0)`;

const openings = createByteCache<Sql>(1_048_576, () => 300);

/** The same value for the same base and lock. */
const opening = (baseId: string, lock: 'pg_advisory_xact_lock_shared' | 'pg_advisory_xact_lock'): Sql => {
  const name = `${baseId} ${lock}`;
  const known = openings.get(name);
  if (known !== undefined) return known;
  const made = sql`select ${sql.raw(lock)}(${key(baseId)})`;
  openings.set(name, made);
  return made;
};

/** What a transaction begins with that is in the gate together with others, and one that is in it alone. */
export const gateOf = (baseId: string): Sql => opening(baseId, 'pg_advisory_xact_lock_shared');
export const closedGateOf = (baseId: string): Sql => opening(baseId, 'pg_advisory_xact_lock');

/** Nothing to do for a transaction that began with it. */
export const enterGate = async (tx: Queryable, baseId: string): Promise<void> => {
  if ((tx as Partial<Tx>).opening !== gateOf(baseId)) await tx.query(gateOf(baseId));
};

export const closeGate = async (tx: Queryable, baseId: string): Promise<void> => {
  if ((tx as Partial<Tx>).opening !== closedGateOf(baseId)) await tx.query(closedGateOf(baseId));
};
