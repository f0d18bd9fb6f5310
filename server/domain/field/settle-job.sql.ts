import type { RelatedTable } from '../../catalog/table.ts';
import { waitAtMost } from '../../db/cluster-form.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Lost } from '../computed/refill.sql.ts';

/** For one transaction: it gives up before those who wait behind it notice, and comes again. */
export const waitBriefly = async (tx: Queryable, baseId: string): Promise<void> => {
  await tx.query(waitAtMost(baseId, '300ms'));
};

/** Columns that are to be filled and that no job is there for. Not of tables in the trash, nor of links to one: they wait until it comes back. */
export const selectUnfilled = (
  db: Queryable,
  kind: string,
): Promise<{ baseId: string; tableId: string; run: string }[]> =>
  many(
    db,
    sql`select distinct on (f.computed ->> 'run') t.base_id as "baseId", t.id as "tableId", f.computed ->> 'run' as run
        from rowhouse.fields f join rowhouse.tables t on t.id = f.table_id
        where f.computed ->> 'state' = 'settling' and f.computed ->> 'run' is not null and t.deleted_time is null
          and not exists (select from rowhouse.tables away where away.id = f.options ->> 'foreignTableId' and away.deleted_time is not null)
          and not exists (select from rowhouse.jobs j where j.kind = ${kind} and j.state in ('waiting', 'running') and j.payload ->> 'run' = f.computed ->> 'run')
        order by f.computed ->> 'run', t.id limit 100`,
  );

/** Above it an operation names no records: those who listen read again. */
const mostNamed = 1_000;

/** An operation that follows from a deletion, of the one who deleted, and its entries. Nothing when the deletion is not known any more. */
export const insertLost = async (
  tx: Queryable,
  { id, baseId }: RelatedTable,
  publicId: string,
  cause: number,
  lost: readonly (Lost & { metaId: number })[],
): Promise<void> => {
  const recordIds = [...new Set(lost.map(({ recordId }) => recordId))];
  const fieldIds = [...new Set(lost.map(({ fieldId }) => fieldId))];
  const operation = sql.id(baseId, '__operation');
  // Entries are numbered by their place: Citus 13.2 spoils the rows of an insert behind another one when there is a window function in it.
  await tx.query(
    sql`with op as (
          insert into ${operation} (public_id, table_id, kind, actor, token_id, client_id, record_ids, cause, field_ids)
          select ${publicId}, ${id}, 'computed', o.actor, o.token_id, o.client_id, ${recordIds.length > mostNamed ? [] : recordIds}::text[], o.id, ${fieldIds}::text[] from ${operation} o where o.id = ${cause}::bigint returning id
        )
        insert into ${sql.id(baseId, `__history_${id}`)} (op_id, seq, record_id, meta_id, before, after)
        select op.id, e.seq::int, e.record_id, e.meta_id, e.before, e.after
        from op, unnest(${lost.map(({ recordId }) => recordId)}::text[], ${lost.map(({ metaId }) => metaId)}::int[], ${lost.map(({ before }) => before)}::text[], ${lost.map(({ after }) => after)}::text[]) with ordinality as e(record_id, meta_id, before, after, seq)`,
  );
};
