// What searches in large tables go by stands in schema `rowhouse_search`: see migration 0125 and docs/adr/0211-searching-by-parts-of-words.md.
import type { TableSchema } from '../../../catalog/table.ts';
import { many, maybe, one, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { tableOf } from '../../field/column.sql.ts';
import { anyGram } from '../../query/gram.ts';

type Searched = Pick<TableSchema, 'id' | 'baseId' | 'dbTableName'>;

/** Field id → what its texts are. */
export type Coverage = Readonly<Record<string, string>>;

export interface SearchState {
  shift: number;
  coverage: Coverage;
  epoch: number;
}

const segmentsOf = (tableId: string): Sql => sql.id('rowhouse_search', `segments_${tableId}`);

export const selectSearchState = (db: Queryable, tableId: string): Promise<SearchState | undefined> =>
  maybe(
    db,
    sql`select shift, coverage, epoch from rowhouse_search.state where table_id = ${tableId} and closed_time is null`,
    { prepare: true },
  );

/** Against changes of its columns. Those are not kept waiting: with `patience` in milliseconds it gives way. */
export const lockRecords = async (
  tx: Queryable,
  table: Searched,
  mode: 'access share' | 'share row exclusive' | 'access exclusive',
  patience: number,
): Promise<void> => {
  await tx.query(sql`set local lock_timeout = ${sql.literal(`${patience}ms`)}`);
  await tx.query(sql`lock table ${tableOf(table)} in ${sql.raw(mode)} mode`);
};

/** Those who make the index and those who change what is in it take turns; all lock the table before. */
export const lockSearchState = (tx: Queryable, tableId: string): Promise<SearchState | undefined> =>
  maybe(
    tx,
    sql`select shift, coverage, epoch from rowhouse_search.state where table_id = ${tableId} and closed_time is null for update`,
  );

const triggers = ['insert', 'update'] as const;

const marksOf = (tx: Queryable, { baseId, dbTableName }: Searched): Promise<{ name: string }[]> =>
  many(
    tx,
    sql`select g.tgname as name from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${baseId} and c.relname = ${dbTableName} and g.tgname like '\\_\\_search\\_%'`,
  );

/** From here on writes are marked: the trigger waits for those that have begun. */
export const openSearchIndex = async (tx: Queryable, table: Searched, shift: number): Promise<SearchState> => {
  const isMarked = (await marksOf(tx, table)).length === triggers.length;
  // Writers wait for as long as this waits.
  await lockRecords(tx, table, isMarked ? 'access share' : 'share row exclusive', 300);
  const state = await one<SearchState>(
    tx,
    sql`insert into rowhouse_search.state (table_id, base_id, shift) values (${table.id}, ${table.baseId}, ${shift})
        on conflict (table_id) do update set used_time = now(), closed_time = null returning shift, coverage, epoch`,
  );
  await tx.query(
    sql`create table if not exists ${segmentsOf(table.id)} (segment int primary key, grams int[] not null)`,
  );
  if (isMarked) return state;
  for (const event of triggers)
    await tx.query(
      sql`create or replace trigger ${sql.id(`__search_${event}`)} after ${sql.raw(event)} on ${tableOf(table)} referencing new table as written
          for each statement execute function rowhouse_search.mark(${sql.literal(table.id)}, ${sql.literal(String(state.shift))})`,
    );
  return state;
};

export interface SegmentTexts {
  segment: number;
  texts: (string | null)[];
}

/** A cell that is longer counts as one that has everything in it. */
export const longestText = 20_000;

/** Of the records of some segments, whose numbers are `from` to below `end` or those of `segments`. */
export const selectTexts = (
  tx: Queryable,
  table: Searched,
  texts: readonly Sql[],
  shift: number,
  which: { from: number; end: number } | { segments: readonly number[] },
): Promise<SegmentTexts[]> => {
  const bits = sql.integer(shift);
  const where =
    'from' in which
      ? sql`x.__auto_number >= ${which.from}::bigint and x.__auto_number < ${which.end}::bigint`
      : sql`x.__auto_number = any(array(select (s::bigint << ${bits}) + n from unnest(${which.segments}::int[]) s, generate_series(0, (1 << ${bits}) - 1) n))`;
  const cells = texts.map((text) => sql`left(${text}, ${sql.integer(longestText + 1)})`);
  return many(
    tx,
    sql`select (x.__auto_number >> ${bits})::int as segment, array[${sql.join(cells)}]::text[] as texts from ${tableOf(table)} x where ${where}`,
  );
};

export const writeSegments = async (
  tx: Queryable,
  tableId: string,
  grams: ReadonlyMap<number, ReadonlySet<number>>,
  gone: readonly number[] = [],
): Promise<void> => {
  const lists = [...grams.values()].map((one) => `{${[...one].join(',')}}`);
  await tx.query(
    sql`insert into ${segmentsOf(tableId)} (segment, grams) select s.segment, s.grams::int[] from unnest(${[...grams.keys()]}::int[], ${lists}::text[]) s(segment, grams)
        on conflict (segment) do update set grams = excluded.grams`,
  );
  if (gone.length > 0) await tx.query(sql`delete from ${segmentsOf(tableId)} where segment = any(${gone}::int[])`);
};

/** Some of those that were written since they were looked at. The marks go: what is written from here on is marked again. */
export const takeDirty = async (tx: Queryable, tableId: string, most: number): Promise<number[]> =>
  (
    await many<{ segment: number }>(
      tx,
      sql`with taken as (delete from rowhouse_search.dirty where table_id = ${tableId} and segment in (
            select distinct segment from rowhouse_search.dirty where table_id = ${tableId} order by segment limit ${most}) returning segment)
          select distinct segment from taken`,
    )
  ).map(({ segment }) => segment);

export const setCoverage = async (tx: Queryable, tableId: string, coverage: Coverage): Promise<void> => {
  await tx.query(
    sql`update rowhouse_search.state set coverage = ${JSON.stringify(coverage)}::jsonb where table_id = ${tableId}`,
  );
};

/** On a connection that has the time: nobody but the job that makes it writes to what it is on. */
export const gramIndexSql = (tableId: string): Sql =>
  sql`create index if not exists ${sql.id(`grams_${tableId}`)} on ${segmentsOf(tableId)} using gin (grams) with (fastupdate = off)`;

export const analyzeSegments = async (db: Queryable, tableId: string): Promise<void> => {
  await db.query(sql`analyze ${segmentsOf(tableId)}`);
};

/** Letters whose lower case is another one to this database, as its texts are compared. */
export const selectLowerCases = (db: Queryable): Promise<{ code: number; lower: string }[]> =>
  many(
    db,
    sql`select code, lower(chr(code)) as lower from generate_series(1, 131071) code
        where code not between 55296 and 57343 and lower(chr(code)) <> chr(code)`,
  );

/** Segments that may hold what was searched for: in one of several forms, each all of its parts. */
const candidates = (tableId: string, forms: readonly (readonly number[])[]): Sql =>
  sql`${segmentsOf(tableId)} s where s.grams @> ${[anyGram]}::int[] or ${sql.join(
    forms.map((form) => sql`s.grams @> ${form}::int[]`),
    ' or ',
  )}`;

/** Segments that were written and not looked at since, up to `most`, of how many there are about. */
export const lookAhead = (db: Queryable, tableId: string, most: number): Promise<{ dirty: number; total: number }> =>
  one(
    db,
    sql`select (select count(*)::int from (select from rowhouse_search.dirty where table_id = ${tableId} limit ${most}) d) as dirty,
               (select greatest(reltuples, 0)::int from pg_class where oid = ${`rowhouse_search."segments_${tableId}"`}::regclass) as total`,
  );

/** About how many segments are left to look at. PostgreSQL knows which parts of words are in many: to count them takes as long as a search. */
export const estimateSegments = async (
  db: Queryable,
  tableId: string,
  forms: readonly (readonly number[])[],
): Promise<number> => {
  const row = await one<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    db,
    sql`explain (format json) select from ${candidates(tableId, forms)}`,
  );
  return row['QUERY PLAN'][0].Plan['Plan Rows'];
};

/**
 * Numbers of records, among which are all that hold what was searched for. In the snapshot of the statement that it is a part of: if the index does not say as much of these fields there, they are all
 * there are. `beside` are conditions on the row `x` for fields that the index does not cover.
 */
const numbersSql = (
  table: Searched,
  { shift }: Pick<SearchState, 'shift'>,
  forms: readonly (readonly number[])[],
  needed: Coverage,
  beside: readonly Sql[],
): Sql => {
  const bits = sql.integer(shift);
  const isCovered = sql`exists (select from rowhouse_search.state where table_id = ${table.id} and closed_time is null and coverage @> ${JSON.stringify(needed)}::jsonb)`;
  const numbers = (segment: Sql): Sql => sql`select (${segment}::bigint << ${bits}) + n as number`;
  const all = sql`generate_series(0, (1 << ${bits}) - 1) n`;
  return sql`array(
    ${numbers(sql`s.segment`)} from (select s.segment from ${candidates(table.id, forms)}) s, ${all}
    union all ${numbers(sql`d.segment`)} from (select distinct segment from rowhouse_search.dirty where table_id = ${table.id}) d, ${all}
    ${beside.length === 0 ? sql.empty : sql`union all select x.__auto_number from ${tableOf(table)} x where ${sql.join(beside, ' or ')}`}
    union all select x.__auto_number from ${tableOf(table)} x where not ${isCovered})`;
};

/** Of all tables that have one. */
export const selectSearchSizes = (db: Queryable): Promise<{ count: number; bytes: number }> =>
  one(
    db,
    sql`select (select count(*)::int from rowhouse_search.state where closed_time is null) as count,
               (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'rowhouse_search' and c.relkind = 'r') as bytes`,
  );

/** A condition on the record row `r`. */
export const amongCandidates = (...given: Parameters<typeof numbersSql>): Sql =>
  sql`r.__auto_number = any(${numbersSql(...given)})`;

interface Indexed {
  tableId: string;
  baseId: string;
}

export const selectDirtyTables = (db: Queryable): Promise<Indexed[]> =>
  many(
    db,
    sql`select table_id as "tableId", base_id as "baseId" from rowhouse_search.state s
        where closed_time is null and exists (select from rowhouse_search.dirty d where d.table_id = s.table_id)`,
  );

export const selectUnusedSearches = (db: Queryable, days: number): Promise<Indexed[]> =>
  many(
    db,
    sql`select table_id as "tableId", base_id as "baseId" from rowhouse_search.state where closed_time is null and used_time < now() - ${days} * interval '1 day'`,
  );

/** No search begins to use it any more, and writes are not marked. */
export const closeSearchIndex = async (tx: Queryable, tableId: string): Promise<void> => {
  const place = await maybe<Searched>(
    tx,
    sql`select id, base_id as "baseId", db_table_name as "dbTableName" from rowhouse.tables where id = ${tableId}`,
  );
  if (place !== undefined) await lockRecords(tx, place, 'access exclusive', 300);
  await tx.query(
    sql`update rowhouse_search.state set closed_time = now(), coverage = '{}', epoch = epoch + 1 where table_id = ${tableId}`,
  );
  if (place === undefined) return;
  for (const { name } of await marksOf(tx, place))
    await tx.query(sql`drop trigger ${sql.id(name)} on ${tableOf(place)}`);
};

/** What no search can be using any more: of indexes that were closed a while ago, and of tables that are gone. */
export const selectLeftovers = (db: Queryable, seconds: number): Promise<{ tableId: string }[]> =>
  many(
    db,
    sql`select substring(c.relname from 10) as "tableId" from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'rowhouse_search' and c.relkind = 'r' and c.relname like 'segments\\_%' and not exists (
          select from rowhouse_search.state s where s.table_id = substring(c.relname from 10) and (s.closed_time is null or s.closed_time > now() - ${seconds} * interval '1 second'))`,
  );

export const dropLeftover = async (tx: Queryable, tableId: string): Promise<void> => {
  await tx.query(sql`set local lock_timeout = '300ms'`);
  await tx.query(sql`drop table if exists ${segmentsOf(tableId)}`);
  await tx.query(sql`delete from rowhouse_search.dirty where table_id = ${tableId}`);
  await tx.query(sql`delete from rowhouse_search.state where table_id = ${tableId} and closed_time is not null`);
};
