// One statement for each chart: PostgreSQL groups, measures, orders and cuts; what comes to Node is what is drawn.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isoText } from '../cell/kind/date-format.sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { whereSql } from '../query/filter.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';
import { type ChartKey, orderOf, shownValue } from './chart-key.sql.ts';

/** Without a field: how many records there are. */
export interface ChartMeasure {
  field: FieldSchema | undefined;
  statistic: Statistic;
}

type Measured = number | null;

export interface CellRow {
  /** Of each key. */
  values: (string | number | boolean | null)[];
  names: (string | null)[];
  /** The place of each key among the others, from 1 on. */
  places: number[];
  measured: Measured[];
}

interface Found<Row> {
  rows: Row[];
  total: number;
}

const measureSql = ({ field, statistic }: ChartMeasure): Sql =>
  field === undefined
    ? sql`count(*)::double precision`
    : sql`(${cellTypeOf(field).statistic(statistic, columnOf(field, 'r'), field)})::double precision`;

const rowsSql = (sight: Sight, keys: readonly ChartKey[]): Sql =>
  sql`${seenRows(sight)} r${sql.join(
    keys.flatMap(({ parts }) => (parts === null ? [] : [parts.from])),
    '',
  )}`;

/** Each record once, however many groups it is in. */
const countSql = (keys: readonly ChartKey[]): Sql => {
  const several = keys.flatMap(({ parts }) => (parts === null ? [] : [sql`coalesce(${parts.at}, 1) = 1`]));
  return several.length === 0 ? sql`count(*)` : sql`count(*) filter (where ${sql.join(several, ' and ')})`;
};

const column = (name: string, at: number): Sql => sql.id(`${name}${at}`);

const nameOf = (key: ChartKey, at: number): Sql =>
  key.nameOf?.(column('k', at)) ?? (key.label === null ? sql`null::text` : column('s', at));

/** The groups of a chart with one or two keys. `limits`: of each key; one more is answered when there are more. */
export const selectCells = async (
  db: Queryable,
  sight: Sight,
  where: Sql | null,
  keys: readonly ChartKey[],
  measures: readonly ChartMeasure[],
  limits: readonly number[],
): Promise<Found<CellRow>> => {
  const places = keys.map((_key, at) => at + 1);
  const columns = [
    ...keys.map(({ value }, at) => sql`${value} as ${column('k', at)}`),
    ...keys.flatMap(({ label }, at) => (label === null ? [] : [sql`max(${label}) as ${column('s', at)}`])),
    ...measures.map((measure, at) => sql`${measureSql(measure)} as ${column('m', at)}`),
    sql`${countSql(keys)} as n`,
  ];
  const groups = sql.join(places.map((place) => sql.integer(place)));
  const grouped = sql`select ${sql.join(columns)} from ${rowsSql(sight, keys)} ${whereSql(where)} group by ${groups}`;
  const named = sql`select g.*, ${sql.join(keys.map((key, at) => sql`${nameOf(key, at)} as ${column('l', at)}`))} from g`;
  // Of two keys a group is measured by the sum of what is shown of it.
  const whole = (at: number): Sql =>
    keys.length === 1 ? sql`m0` : sql`sum(m0) over (partition by ${column('k', at)})`;
  const weighed = sql`select n.*, ${sql.join(keys.map((_key, at) => sql`${whole(at)} as ${column('w', at)}`))} from named n`;
  const order = (at: number): Sql => orderOf(keys[at] as ChartKey, column('k', at), column('l', at), column('w', at));
  const ranked = sql`select w.*, ${sql.join(keys.map((_key, at) => sql`dense_rank() over (order by ${order(at)}) as ${column('p', at)}`))} from weighed w`;
  const shown = sql.join(
    keys.map((_key, at) => sql`${column('p', at)} <= ${sql.integer((limits[at] as number) + 1)}`),
    ' and ',
  );
  const { rows, total } = await one<{ rows: CellRow[] | null; total: number }>(
    db,
    sql`with g as materialized (${grouped}), named as (${named}), weighed as (${weighed}), ranked as (${ranked})
        select (select coalesce(sum(n), 0)::bigint from g) as total,
               (select json_agg(json_build_object(
                  'values', json_build_array(${sql.join(keys.map((key, at) => shownValue(key, column('k', at))))}),
                  'names', json_build_array(${sql.join(keys.map((_key, at) => sql`left(${column('l', at)}, 500)`))}),
                  'places', json_build_array(${sql.join(keys.map((_key, at) => column('p', at)))}),
                  'measured', json_build_array(${sql.join(measures.map((_measure, at) => column('m', at)))})
                ) order by ${sql.join(keys.map((_key, at) => column('p', at)))}) from ranked where ${shown}) as rows`,
    { base: sight.table.baseId },
  );
  return { rows: rows ?? [], total };
};

export interface PivotRow extends Omit<CellRow, 'places'> {
  /** Which keys it is about: of the others it is the total. */
  has: boolean[];
}

/** Cells of a pivot table that are looked at. */
export const mostPivotCells = 50_000;

/** Groups of all keys, of the rows alone, of the columns alone, and all together; a record counts once in each. */
export const selectPivot = async (
  db: Queryable,
  sight: Sight,
  where: Sql | null,
  [rowKeys, columnKeys]: readonly [readonly ChartKey[], readonly ChartKey[]],
  measures: readonly ChartMeasure[],
): Promise<Found<PivotRow>> => {
  const keys = [...rowKeys, ...columnKeys];
  const all = keys.map((_key, at) => at);
  const sets = [all, ...(columnKeys.length === 0 ? [] : [all.slice(0, rowKeys.length), all.slice(rowKeys.length)]), []];
  const of = (set: readonly number[]): Sql => {
    const own = set.map((at) => keys[at] as ChartKey);
    const parts = keys.flatMap((key, at) => {
      const isIn = set.includes(at);
      const value = isIn ? key.value : sql`null`;
      return [
        sql`${value} as ${column('k', at)}`,
        sql`${isIn && key.label !== null ? sql`max(${key.label})` : sql`null::text`} as ${column('s', at)}`,
      ];
    });
    const by = set.map((at) => sql.integer(2 * at + 1));
    return sql`select ${sql.join([
      ...parts,
      ...measures.map((measure, at) => sql`${measureSql(measure)} as ${column('m', at)}`),
      sql`${countSql(own)} as n`,
      sql`array[${sql.join(keys.map((_key, at) => sql.raw(set.includes(at) ? 'true' : 'false')))}] as has`,
    ])} from ${rowsSql(sight, own)} ${whereSql(where)} ${by.length === 0 ? sql.empty : sql`group by ${sql.join(by)}`}`;
  };
  const shown = (key: ChartKey, at: number): Sql => shownValue(key, column('k', at));
  const order = keys.map((key, at) => orderOf(key, column('k', at), column('l', at), sql`m0`));
  const { rows, total } = await one<{ rows: PivotRow[] | null; total: number }>(
    db,
    sql`with g as materialized (${sql.join(
      sets.map((set) => sql`(${of(set)})`),
      ' union all ',
    )}), named as (select g.*, ${sql.join(keys.map((key, at) => sql`${nameOf(key, at)} as ${column('l', at)}`))} from g),
        kept as (select * from named order by has, ${sql.join(order)} limit ${sql.integer(mostPivotCells + 1)})
        select (select n from g where not (true = any(has)))::bigint as total,
               (select json_agg(json_build_object(
                  'values', json_build_array(${sql.join(keys.map(shown))}),
                  'names', json_build_array(${sql.join(keys.map((_key, at) => sql`left(${column('l', at)}, 500)`))}),
                  'has', to_json(has),
                  'measured', json_build_array(${sql.join(measures.map((_measure, at) => column('m', at)))})
                ) order by has, ${sql.join(order)}) from kept) as rows`,
    { base: sight.table.baseId },
  );
  return { rows: rows ?? [], total };
};

/** The measure of all records, and of those of each period from `since` on. */
export const selectNumber = async (
  db: Queryable,
  sight: Sight,
  where: Sql | null,
  measure: ChartMeasure,
  trend: { key: ChartKey; since: string } | null,
): Promise<{ value: Measured; total: number; periods: { value: string; measured: Measured }[] }> => {
  const value = measureSql(measure);
  if (trend === null) {
    const row = await one<{ value: Measured; total: number }>(
      db,
      sql`select ${value} as value, count(*) as total from ${seenRows(sight)} r ${whereSql(where)}`,
      { base: sight.table.baseId },
    );
    return { ...row, periods: [] };
  }
  const { key, since } = trend;
  // One look at the records: the empty set is all of them.
  return one(
    db,
    sql`with g as materialized (
          select k0, grouping(k0) as is_all, ${value} as m0, count(*) as n
          from (select r.*, ${key.value} as k0 from ${seenRows(sight)} r ${whereSql(where)}) r group by grouping sets ((k0), ())
        )
        select (select m0 from g where is_all = 1) as value, (select n from g where is_all = 1) as total,
               (select coalesce(json_agg(json_build_object('value', ${shownValue(key, sql`k0`)}, 'measured', m0) order by k0), '[]')
                from g where is_all = 0 and k0 >= ${since}::timestamp) as periods`,
    { base: sight.table.baseId },
  );
};

interface PointRow {
  id: string;
  name: string | null;
  x: number | string;
  y: number | string;
  size: number | null;
  value: CellRow['values'][number];
  label: string | null;
}

interface PointFields {
  x: FieldSchema;
  y: FieldSchema;
  size: FieldSchema | undefined;
  split: ChartKey | undefined;
}

/** Records that have both, in their order. */
export const selectPoints = async (
  db: Queryable,
  sight: Sight,
  where: Sql | null,
  { x, y, size, split }: PointFields,
  limit: number,
): Promise<Found<PointRow>> => {
  const cell = (field: FieldSchema): Sql => columnOf(field, 'r');
  const shown = (field: FieldSchema): Sql => (cellTypeOf(field).kind === 'date' ? isoText(cell(field)) : cell(field));
  const primary = sight.byId.get(sight.table.primary.id);
  const keys = split === undefined ? [] : [split];
  // A record with several values is one point.
  const first = split?.parts == null ? null : sql`coalesce(${split.parts.at}, 1) = 1`;
  const both = sql`${cell(x)} is not null and ${cell(y)} is not null`;
  const name = split === undefined ? sql`null::text` : (split.nameOf?.(split.value) ?? split.label ?? sql`null::text`);
  const rows = await many<PointRow & { total: number }>(
    db,
    sql`select r.__id as id, ${primary === undefined ? sql`null` : sql`left(${cellTypeOf(primary).text(cell(primary), primary)}, 200)`} as name,
               ${shown(x)} as x, ${shown(y)} as y, ${size === undefined ? sql`null::double precision` : cell(size)} as size,
               ${split === undefined ? sql`null::text` : sql`to_json(${shownValue(split, split.value)})`} as value, ${name} as label
        from ${rowsSql(sight, keys)} ${whereSql(where, both, first)} order by r.__auto_number limit ${sql.integer(limit + 1)}`,
    { base: sight.table.baseId },
  );
  if (rows.length <= limit) return { rows, total: rows.length };
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*) as total from ${seenRows(sight)} r ${whereSql(where, both)}`,
    { base: sight.table.baseId },
  );
  return { rows: rows.slice(0, limit), total };
};
