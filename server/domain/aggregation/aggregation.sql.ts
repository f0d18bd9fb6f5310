// Statements that count and measure what a query finds.
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { formattingOf } from '../field/type/date-format.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';
import { chosenKey, whereSql } from '../query/filter.sql.ts';
import type { Level } from '../query/group-key.sql.ts';
import { hitsSql, type Search } from '../query/search.sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { groupsSql, maxGroups } from '../record/group-points.sql.ts';
import { isoText } from '../record/json.sql.ts';
import { source } from '../record/read.sql.ts';

export interface Count {
  count: number;
  version: number | null;
  epoch: number;
}

/** The count, and in the same snapshot the facts that it rests on. */
export const countRecords = (db: Queryable, table: TableSchema, where: Sql | null): Promise<Count> =>
  one<Count>(
    db,
    sql`select (select version from ${sql.id(table.baseId, '__table')} where id = ${table.id}) as version, (select epoch from rowhouse.instance) as epoch, count(*) as count
        from ${source(table)} r ${whereSql(where)}`,
  );

export const selectStatus = (db: Queryable, table: TableSchema, recordId: string, where: Sql | null): Promise<{ isVisible: boolean; isDeleted: boolean }> =>
  one(
    db,
    sql`select exists (select from ${source(table)} r ${whereSql(sql`r.__id = ${recordId}`, where)}) as "isVisible",
               not exists (select from ${source(table)} r where r.__id = ${recordId}) as "isDeleted"`,
  );

export const countHits = async (db: Queryable, table: TableSchema, where: Sql | null, search: Search): Promise<number> =>
  (await one<{ count: number }>(db, sql`select coalesce(sum(cardinality(${hitsSql(search)})), 0)::bigint as count from ${source(table)} r ${whereSql(where)}`)).count;

export interface HitRow {
  index: number;
  fieldId: string;
  recordId: string;
}

export const selectHits = (db: Queryable, table: TableSchema, input: { where: Sql | null; search: Search; keys: readonly SortKey[]; take: number; skip: number }): Promise<HitRow[]> =>
  many<HitRow>(
    db,
    sql`select found.n as index, hit.field_id as "fieldId", found.id as "recordId"
        from (select row_number() over (order by ${orderSql(input.keys)}) as n, r.__id as id, ${hitsSql(input.search)} as hits from ${source(table)} r ${whereSql(input.where)}) found,
             unnest(found.hits) with ordinality as hit(field_id, at)
        order by found.n, hit.at limit ${input.take} offset ${input.skip}`,
  );

/** A share of all records in percent; 0 of none. */
const percent = (count: Sql, of: Sql = sql`count(*)`): Sql => sql`coalesce(100.0 * ${count} / nullif(${of}, 0), 0)::double precision`;

/** The different cells; of a list, the different items. */
const uniqueOf = (field: FieldSchema, column: Sql): { count: Sql; of: Sql } => {
  if (fieldTypeOf(field.type).isMultiple(field.options)) {
    const items = (what: string): Sql => sql`(select ${sql.raw(what)} from unnest(array_agg(${column})) as cell, jsonb_array_elements_text(cell) as item)`;
    return { count: items('count(distinct item)'), of: items('count(item)') };
  }
  return { count: sql`count(distinct ${chosenKey(field, column)})`, of: sql`count(*)` };
};

const statisticSql = (field: FieldSchema, statistic: Statistic): Sql => {
  const column = columnOf(field, 'r');
  const local = (edge: 'min' | 'max'): Sql => sql`(${sql.raw(edge)}(${column}) at time zone ${sql.literal(formattingOf(field.options).timeZone)})`;
  switch (statistic) {
    case 'count':
      return sql`count(*)`;
    case 'empty':
    case 'unChecked':
      return sql`count(*) - count(${column})`;
    case 'filled':
    case 'checked':
      return sql`count(${column})`;
    case 'unique':
      return uniqueOf(field, column).count;
    case 'percentEmpty':
    case 'percentUnChecked':
      return percent(sql`(count(*) - count(${column}))`);
    case 'percentFilled':
    case 'percentChecked':
      return percent(sql`count(${column})`);
    case 'percentUnique': {
      const { count, of } = uniqueOf(field, column);
      return percent(count, of);
    }
    case 'sum':
    case 'min':
    case 'max':
      return sql`${sql.raw(statistic)}(${column})`;
    case 'average':
      return sql`avg(${column})::double precision`;
    case 'earliestDate':
      return isoText(sql`min(${column})`);
    case 'latestDate':
      return isoText(sql`max(${column})`);
    case 'dateRangeOfDays':
      return sql`(${local('max')}::date - ${local('min')}::date)`;
    case 'dateRangeOfMonths':
      return sql`(extract(year from age(${local('max')}, ${local('min')})) * 12 + extract(month from age(${local('max')}, ${local('min')})))::int`;
    case 'totalAttachmentSize':
      return sql`null`;
  }
};

export interface Wanted {
  field: FieldSchema;
  statistic: Statistic;
}

export type Measured = string | number | null;

const resultSql = (wanted: readonly Wanted[]): Sql => sql`json_build_array(${sql.join(wanted.map(({ field, statistic }) => statisticSql(field, statistic)))})`;

export const selectTotals = async (db: Queryable, table: TableSchema, wanted: readonly Wanted[], where: Sql | null): Promise<Measured[]> =>
  (await one<{ results: Measured[] }>(db, sql`select ${resultSql(wanted)} as results from ${source(table)} r ${whereSql(where)}`)).results;

export interface MeasuredGroup {
  values: unknown[];
  keys: (string | null)[][];
  results: Measured[];
}

/** Per group of all given levels, those first that group points show. */
export const selectGroupTotals = (db: Queryable, table: TableSchema, wanted: readonly Wanted[], levels: readonly Level[], where: Sql | null): Promise<MeasuredGroup[]> => {
  const { select, from, order } = groupsSql(table, levels, where, sql`${resultSql(wanted)} as results`);
  return many<MeasuredGroup>(db, sql`select ${select}, results from ${from} order by ${order} limit ${maxGroups}`);
};
