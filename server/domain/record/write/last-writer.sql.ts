// Who wrote into cells last, by the history. For a refusal: nobody asks for it otherwise.
import type { TableSchema } from '../../../catalog/table.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

interface CellPlace {
  recordId: string;
  fieldId: string;
}

interface LastWriter extends CellPlace {
  time: string;
  /** Null: somebody without an account, or whose account is gone. */
  by: { id: string; name: string } | null;
}

/** None for a cell of which the history holds nothing any more. */
export const selectLastWriters = (
  db: Queryable,
  table: Pick<TableSchema, 'id' | 'baseId'>,
  cells: readonly CellPlace[],
): Promise<LastWriter[]> =>
  many<LastWriter>(
    db,
    sql`select wanted.record_id as "recordId", wanted.field_id as "fieldId", last.time,
               case when p.id is null then null else json_build_object('id', p.id, 'name', p.name) end as by
        from unnest(${cells.map(({ recordId }) => recordId)}::text[], ${cells.map(({ fieldId }) => fieldId)}::text[]) as wanted (record_id, field_id)
        cross join lateral (
          select o.time, o.actor from ${sql.id(table.baseId, `__history_${table.id}`)} h
          join ${sql.id(table.baseId, '__operation')} o on o.id = h.op_id
          join ${sql.id(table.baseId, '__field_version')} v on v.id = h.meta_id and v.field_id = wanted.field_id
          where h.record_id = wanted.record_id and h.op_id > 0
          order by h.op_id desc, h.seq desc limit 1
        ) last
        left join rowhouse.people p on p.id = last.actor`,
  );
