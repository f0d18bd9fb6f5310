// What operations changed, as JSON text made by PostgreSQL. How much that is, is judged by the size of what is stored, before
// any of it is put together or read.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { bytesOf } from '../cell/size.sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { allFieldsJson, recordJson } from '../record/read/json.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

export interface ValueLimits {
  /** Bytes of one operation: above it, its values are left out. */
  each: number;
  /** Bytes of all: operations that begin behind it are left for later. */
  all: number;
}

export interface Values {
  opId: number;
  /** `later`: does not fit any more, ask again. */
  state: 'told' | 'tooLong' | 'later';
  /** `{"id":"rec…","fields":{…}},…` */
  records: string | null;
}

/** `sized` has `id`, `at` (its place among those that were asked for) and `bytes`; null when it has nothing. */
const judged = (sized: Sql, limits: ValueLimits): Sql =>
  sql`select id, case when bytes > ${limits.each} then 'tooLong' when told - least(bytes, ${limits.each}) >= ${limits.all} and at > 1 then 'later' else 'told' end as state
      from (select id, at, bytes, sum(case when bytes > ${limits.each} then 0 else bytes end) over (order by at) as told from (${sized}) s where bytes is not null) summed`;

/** About what the cells of a record take in JSON; of a long text its length is known without reading it. */
const sizeOf = (fields: readonly FieldSchema[]): Sql => {
  const overhead = 150 + 60 * fields.length;
  const long = fields.flatMap((field) => {
    const { column } = cellTypeOf(field);
    return column === 'text' || column === 'jsonb' ? [sql`coalesce(${bytesOf(field, columnOf(field, 'r'))}, 0)`] : [];
  });
  return sql.join([sql.integer(overhead), ...long], ' + ');
};

/** The records of operations as they are now, in their order. `json` makes the text of one, of the row `r`. */
const selectPresent = (
  db: Queryable,
  sight: Sight,
  opIds: readonly number[],
  fields: readonly FieldSchema[],
  json: Sql,
  limits: ValueLimits,
): Promise<Values[]> => {
  const { table } = sight;
  const records = seenRows(sight);
  return many<Values>(
    db,
    sql`with named as materialized (
          select o.id, g.at, u.record_id, u.place from unnest(${opIds}::bigint[]) with ordinality as g (id, at)
          join ${sql.id(table.baseId, '__operation')} o on o.id = g.id cross join lateral unnest(o.record_ids) with ordinality as u (record_id, place)
        ), judged as materialized (
          ${judged(sql`select n.id, n.at, sum(${sizeOf(fields)})::bigint as bytes from named n join ${records} r on r.__id = n.record_id group by n.id, n.at`, limits)}
        )
        select j.id as "opId", j.state, case when j.state = 'told' then (
                 select string_agg(${json}, ',' order by n.place) from named n join ${records} r on r.__id = n.record_id where n.id = j.id) end as records
        from judged j`,
  );
};

/** Whole records, as in a list. */
export const selectPresentRecords = (
  db: Queryable,
  sight: Sight,
  opIds: readonly number[],
  limits: ValueLimits,
): Promise<Values[]> =>
  selectPresent(
    db,
    sight,
    opIds,
    sight.fields,
    sql`${recordJson(sight, 'r', { fields: sight.fields, keyType: 'id', format: 'json' })} || '}'`,
    limits,
  );

/** Some cells of records, with null for empty ones. */
export const selectPresentCells = (
  db: Queryable,
  sight: Sight,
  opIds: readonly number[],
  fields: readonly FieldSchema[],
  limits: ValueLimits,
): Promise<Values[]> =>
  selectPresent(
    db,
    sight,
    opIds,
    fields,
    sql`'{"id":"' || r.__id || '","fields":' || ${allFieldsJson(sight, fields, 'r')} || '}'`,
    limits,
  );

export interface ChangedCells extends Values {
  fieldIds: string[];
}

/**
 * The cells that updates of one table wrote, from the history: those that are seen. `everything` stands for the sight of
 * somebody who sees all, for whom the table need not be loaded. The fields are all that changed.
 */
export const selectChangedCells = (
  db: Queryable,
  baseId: string,
  tableId: string,
  opIds: readonly number[],
  limits: ValueLimits,
  sight: Sight | 'everything',
): Promise<ChangedCells[]> => {
  const isSeen =
    sight === 'everything'
      ? sql.empty
      : sql.join(
          [
            // What is seen of masked cells is told as it is now.
            ...(sight.hasAllFields
              ? []
              : [
                  sql` and v.field_id = any(${sight.fields.flatMap(({ id, seenAs }) => (seenAs === undefined ? [id] : []))}::text[])`,
                ]),
            ...(sight.rows === true ? [] : [sql` and h.record_id in (select seen.__id from ${seenRows(sight)} seen)`]),
          ],
          '',
        );
  const history = sql.id(baseId, `__history_${tableId}`);
  const versions = sql.id(baseId, '__field_version');
  return many<ChangedCells>(
    db,
    sql`with judged as materialized (
          ${judged(
            sql`select g.id, g.at, (select sum(60 + coalesce(octet_length(h.after), 4))::bigint from ${history} h where h.op_id = g.id) as bytes
                       from unnest(${opIds}::bigint[]) with ordinality as g (id, at)`,
            limits,
          )}
        )
        select j.id as "opId", j.state, (select array_agg(distinct v.field_id) from ${history} h join ${versions} v on v.id = h.meta_id where h.op_id = j.id) as "fieldIds",
               case when j.state = 'told' then (
                 select string_agg(json, ',') from (
                   select '{"id":"' || h.record_id || '","fields":{' || string_agg('"' || v.field_id || '":' || coalesce(h.after, 'null'), ',') || '}}' as json
                   from ${history} h join ${versions} v on v.id = h.meta_id where h.op_id = j.id${isSeen} group by h.record_id) one) end as records
        from judged j`,
  );
};

/** The fields of which updates of one table wrote any cell, by operation. */
export const selectChangedFields = (
  db: Queryable,
  baseId: string,
  tableId: string,
  opIds: readonly number[],
): Promise<{ opId: number; fieldIds: string[] }[]> =>
  many(
    db,
    sql`select g.id as "opId", coalesce(
                 (select array_agg(distinct v.field_id) from ${sql.id(baseId, `__history_${tableId}`)} h join ${sql.id(baseId, '__field_version')} v on v.id = h.meta_id where h.op_id = g.id), '{}') as "fieldIds"
        from unnest(${opIds}::bigint[]) as g (id)`,
  );
