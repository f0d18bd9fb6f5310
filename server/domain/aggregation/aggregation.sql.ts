// Statements that count and measure what a query finds.
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { factsSql, type ReadFacts } from '../../pipeline/guard.sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { whereSql } from '../query/filter.sql.ts';
import type { Level } from '../query/group-key.sql.ts';
import { rangesAfter } from '../query/keyset.sql.ts';
import { hitsSql, type Search, searchSql } from '../query/search.sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { groupsSql, maxGroups } from '../record/read/group-points.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

interface Count extends ReadFacts {
  count: number;
}

/** The count, and in the same snapshot the facts that it rests on. */
export const countRecords = (db: Queryable, sight: Sight, where: Sql | null): Promise<Count> =>
  one<Count>(
    db,
    sql`select ${factsSql(sight.table, { userId: sight.restsOn, spaceId: sight.spaceId })}, count(*) as count
        from ${seenRows(sight)} r ${whereSql(where)}`,
    { base: sight.table.baseId },
  );

export const selectStatus = (
  db: Queryable,
  sight: Sight,
  recordId: string,
  where: Sql | null,
): Promise<{ isVisible: boolean; isDeleted: boolean }> =>
  one(
    db,
    sql`select exists (select 1 from ${seenRows(sight)} r ${whereSql(sql`r.__id = ${recordId}`, where)}) as "isVisible",
               not exists (select 1 from ${seenRows(sight)} r where r.__id = ${recordId}) as "isDeleted"`,
    { base: sight.table.baseId },
  );

/** How many of what is found stand before a record; null when it is not found itself. */
export const selectPlace = async (
  db: Queryable,
  sight: Sight,
  recordId: string,
  where: Sql | null,
  keys: readonly SortKey[],
): Promise<number | null> => {
  const of = { base: sight.table.baseId };
  const values = keys.map(({ expression }) => sql`(${expression})::text`);
  const [record] = await many<{ values: (string | null)[] }>(
    db,
    sql`select array[${sql.join(values)}] as values from ${seenRows(sight)} r ${whereSql(sql`r.__id = ${recordId}`, where)}`,
    of,
  );
  if (record === undefined) return null;
  const behind = sql.join(
    rangesAfter(keys, record.values).map((range) => sql`(${range})`),
    ' or ',
  );
  const { before } = await one<{ before: number }>(
    db,
    sql`select count(*) - count(*) filter (where ${behind}) - 1 as before from ${seenRows(sight)} r ${whereSql(where)}`,
    of,
  );
  // It may have gone between the two.
  return Math.max(0, before);
};

export const countHits = async (db: Queryable, sight: Sight, where: Sql | null, search: Search): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select coalesce(sum(cardinality(${hitsSql(search)})), 0)::bigint as count from ${seenRows(sight)} r ${whereSql(where)}`,
      { base: sight.table.baseId },
    )
  ).count;

export interface HitRow {
  index: number;
  fieldId: string;
  recordId: string;
}

interface HitsInput {
  where: Sql | null;
  search: Search;
  /** Holds for all records in which something is found; null: not known. */
  hint: Sql | null;
  keys: readonly SortKey[];
  take: number;
  skip: number;
}

/** Records in which something is found, `found`, with their place among all that are shown. */
const placedHits = (sight: Sight, { where, search, hint, keys, take, skip }: HitsInput): Sql => {
  const hits = hitsSql(search);
  const rows = sql`${seenRows(sight)} r`;
  if (hint === null)
    return sql`(select row_number() over (order by ${orderSql(keys)}) as n, r.__id as id, ${hits} as hits from ${rows} ${whereSql(where)}) found`;
  const [only] = keys;
  if (where === null && keys.length === 1 && only !== undefined) {
    // In the plain order of a table those between one and the next are counted in the index. Each has at least one of the hits that are asked for.
    const place = only.expression;
    return sql`(select (sum(gap.size) over (order by one.place))::bigint as n, one.id, one.hits
      from (select r.__id as id, ${place} as place, ${hits} as hits, lag(${place}, 1, -1) over (order by ${place}) as before from ${rows} ${whereSql(hint, searchSql(search))} order by ${place} limit ${take + skip}) one
      cross join lateral (select count(*) as size from ${rows} where ${place} <= one.place and ${place} > one.before) gap) found`;
  }
  return sql`(select numbered.n, one.id, one.hits
    from (select r.__id as id, ${hits} as hits from ${rows} ${whereSql(where, hint, searchSql(search))}) one
    join (select row_number() over (order by ${orderSql(keys)}) as n, r.__id as id from ${rows} ${whereSql(where)}) numbered on numbered.id = one.id) found`;
};

export const selectHits = (db: Queryable, sight: Sight, input: HitsInput): Promise<HitRow[]> =>
  many<HitRow>(
    db,
    sql`select found.n as index, hit.field_id as "fieldId", found.id as "recordId"
        from ${placedHits(sight, input)}, unnest(found.hits) with ordinality as hit(field_id, at)
        order by found.n, hit.at limit ${input.take} offset ${input.skip}`,
    { base: sight.table.baseId },
  );

export interface Wanted {
  field: FieldSchema;
  statistic: Statistic;
}

export type Measured = string | number | null;

const resultSql = (wanted: readonly Wanted[]): Sql =>
  sql`json_build_array(${sql.join(wanted.map(({ field, statistic }) => cellTypeOf(field).statistic(statistic, columnOf(field, 'r'), field)))})`;

export const selectTotals = async (
  db: Queryable,
  sight: Sight,
  wanted: readonly Wanted[],
  where: Sql | null,
): Promise<Measured[]> =>
  (
    await one<{ results: Measured[] }>(
      db,
      sql`select ${resultSql(wanted)} as results from ${seenRows(sight)} r ${whereSql(where)}`,
      { base: sight.table.baseId },
    )
  ).results;

interface MeasuredGroup {
  values: unknown[];
  keys: (string | null)[][];
  results: Measured[];
}

/** Per group of all given levels, those first that group points show. */
export const selectGroupTotals = (
  db: Queryable,
  sight: Sight,
  wanted: readonly Wanted[],
  levels: readonly Level[],
  where: Sql | null,
): Promise<MeasuredGroup[]> => {
  const { select, from, order } = groupsSql(sight, levels, where, sql`${resultSql(wanted)} as results`);
  return many<MeasuredGroup>(db, sql`select ${select}, results from ${from} order by ${order} limit ${maxGroups}`, {
    base: sight.table.baseId,
  });
};

export interface Days {
  start: FieldSchema;
  end: FieldSchema;
  zone: string;
  from: Date;
  until: Date;
}

const bounds = ({ start, end, zone, from, until }: Days): { first: Sql; last: Sql; low: Sql; high: Sql } => {
  const day = (moment: Sql): Sql => sql`((${moment}) at time zone ${zone})::date`;
  const [starts, ends] = [columnOf(start, 'r'), columnOf(end, 'r')];
  return {
    first: day(sql`coalesce(${starts}, ${ends})`),
    last: day(sql`coalesce(${ends}, ${starts})`),
    low: day(sql`${from.toISOString()}::timestamptz`),
    high: day(sql`${until.toISOString()}::timestamptz`),
  };
};

/** Records that stand on one of the days. */
export const onDays = (days: Days): Sql => {
  const { first, last, low, high } = bounds(days);
  return sql`${first} <= ${high} and ${last} >= ${low}`;
};

export const countDays = async (
  db: Queryable,
  sight: Sight,
  days: Days,
  where: Sql | null,
): Promise<Record<string, number>> => {
  const { first, last, low, high } = bounds(days);
  const rows = await many<{ day: string; count: number }>(
    db,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day, count(*)::int as count
        from ${seenRows(sight)} r cross join lateral generate_series(greatest(${first}, ${low}), least(${last}, ${high}), interval '1 day') as d(day)
        ${whereSql(where)} group by d.day order by d.day`,
    { base: sight.table.baseId },
  );
  return Object.fromEntries(rows.map(({ day, count }) => [day, count]));
};
