// What operations changed, as JSON text made by PostgreSQL.
import { many, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

export interface ChangedCells {
  opId: number;
  fieldIds: string[];
  /** `{"id":"rec…","fields":{…}},…`: null when it was not asked for, or is too long. */
  records: string | null;
}

/** The cells that updates of one table wrote, from the history. */
export const selectChangedCells = (db: Queryable, baseId: string, tableId: string, opIds: readonly number[], options: { values: boolean; maxLength: number }): Promise<ChangedCells[]> => {
  const entries = sql`${sql.id(baseId, `__history_${tableId}`)} h join ${sql.id(baseId, '__field_version')} v on v.id = h.meta_id where h.op_id = any(${opIds}::bigint[])`;
  return many<ChangedCells>(
    db,
    options.values
      ? sql`with cells as (select h.op_id, h.record_id, v.field_id, h.after from ${entries}),
              records as (
                select op_id, record_id, '{"id":"' || record_id || '","fields":{' || string_agg('"' || field_id || '":' || coalesce(after, 'null'), ',') || '}}' as json
                from cells group by op_id, record_id),
              fitting as (select op_id from records group by op_id having sum(length(json)) <= ${options.maxLength})
            select c.op_id as "opId", array_agg(distinct c.field_id) as "fieldIds",
                   (select string_agg(r.json, ',') from records r where r.op_id = c.op_id and r.op_id in (select op_id from fitting)) as records
            from cells c group by c.op_id`
      : sql`select h.op_id as "opId", array_agg(distinct v.field_id) as "fieldIds", null as records from ${entries} group by h.op_id`,
  );
};
