// Links of restored records that are not back yet: jobs have them. See docs/adr/0069-links-that-are-not-back-yet.md.
import { many, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** The kind of these jobs. */
export const relinkKind = 'restore-links';

export interface OpenRelink {
  tableId: string;
  fieldId: string;
  recordId: string;
  /** What the field of the record is to lead to, in its order. */
  ends: string[];
  /** How many of them have been seen to. */
  from: number;
}

/** Of a base. Also of a database that has not been migrated yet. */
export const selectOpenRelinks = async (db: Queryable, baseId: string): Promise<OpenRelink[]> => {
  const { known } = await one<{ known: boolean }>(db, sql`select to_regclass('rowhouse.jobs') is not null as known`);
  if (!known) return [];
  return many(
    db,
    sql`select payload ->> 'tableId' as "tableId", payload ->> 'fieldId' as "fieldId", payload ->> 'recordId' as "recordId", payload -> 'ends' as ends, coalesce(cursor ->> 'at', payload ->> 'from', '0')::int as from
        from rowhouse.jobs where kind = ${relinkKind} and state in ('waiting', 'running') and base_id = ${baseId} order by seq`,
  );
};

/** Whether some are of one of these fields. */
export const hasOpenRelinks = async (db: Queryable, fieldIds: readonly string[]): Promise<boolean> =>
  (
    await one<{ has: boolean }>(
      db,
      sql`select exists (select from rowhouse.jobs where kind = ${relinkKind} and state in ('waiting', 'running') and payload ->> 'fieldId' = any(${fieldIds}::text[])) as has`,
    )
  ).has;
