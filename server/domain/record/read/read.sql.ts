// Reads records: PostgreSQL makes the JSON text of each, Node only joins it.
import { eyesKey, type Sight, sightIdentity, sightOfMany } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Ask, ask } from '../../../db/ask.ts';
import type { Queryable } from '../../../db/db.ts';
import { compile, type Sql, sql, Statement, template } from '../../../db/sql.ts';
import { createTemplateStore } from '../../../db/template-store.ts';
import { idsOf, levelAlias } from '../../cell/level.sql.ts';
import { isNested } from '../../cell/looked-up.sql.ts';
import type { KeyValues } from '../../query/cursor.ts';
import { maskColumns, seenSql } from '../../query/condition.sql.ts';
import { whereSql } from '../../query/filter.sql.ts';
import { demandRoom, rangesAfter } from '../../query/keyset.sql.ts';
import { createRecurring } from '../../query/recurring.ts';
import { hitsSql, type Search } from '../../query/search.sql.ts';
import { keyText, orderSql, type SortKey } from '../../query/sort-key.sql.ts';
import { factsSql, type ReadFacts, type Standing } from '../../../pipeline/guard.sql.ts';
import { largeCellBytes, recordJson, type Shape, unlessTooLarge } from './json.sql.ts';

export interface RecordRow {
  id: string;
  version: number;
  /** Without the closing brace. */
  json: string;
}

export interface Page extends ReadFacts {
  /** The records joined by commas; null when there are none. */
  records: string | null;
  /** The sort keys of the last record, when there are more behind it. */
  last: KeyValues | null;
  /** Per record that the search found something in: its id, then the fields. */
  hits: string[][] | null;
}

interface PageInput {
  take: number;
  skip: number;
  where: Sql | null;
  /** Holds for whatever `where` holds for, and is found by an index. */
  hint?: Sql | null;
  keys: readonly SortKey[];
  after: KeyValues | null;
  search: Search | null;
  /** Looked for by a part of a text. */
  isByText?: boolean;
  /** Names what the page rests on besides the table and its shape, when nothing else of it comes from the request: its text is then remembered. */
  plain: string | null;
  prepare: 'always' | 'recurring' | 'never';
}

const recurs = createRecurring();

/** The records that a caller sees, in place of the table. */
export const seenRows = (sight: Sight): Sql => {
  const { table } = sight;
  const condition = seenSql(sight);
  const rowsOfTable = sql.id(table.baseId, table.dbTableName);
  if (condition === null && !sight.isMasked) return rowsOfTable;
  return sql`(select r.*${maskColumns(sight, 'r')} from ${rowsOfTable} r ${whereSql(condition)})`;
};

/** What is read by expressions over expressions is computed for all records that are asked for at once. */
const aliasFor = (sight: Sight, { fields }: Shape): string =>
  [sight.byId.get(sight.table.primary.id) ?? [], ...fields].flat().some(isNested) ? levelAlias : 'r';

export const recordsAsk = (sight: Sight, ids: readonly string[], shape: Shape): Ask<RecordRow[]> => {
  const alias = aliasFor(sight, shape);
  const [row, level] = [
    sql.id(alias),
    alias === 'r' ? sql.empty : sql`with ${idsOf(alias)} as (select unnest(${ids}::text[]) as id) `,
  ];
  const ofEach = largeCellBytes(shape.fields, alias);
  const bytes = ofEach === null || ids.length === 1 ? ofEach : sql`(sum(${ofEach}) over ())::bigint`;
  return {
    statement: sql`${level}select ${row}.__id as id, ${row}.__version as version, ${unlessTooLarge(bytes, recordJson(sight, alias, shape))} as json from ${seenRows(sight)} ${row} where ${row}.__id = any(${ids}::text[])`,
    options: { prepare: sight.isWhole, base: sight.table.baseId },
    read: (rows: RecordRow[]) => rows,
  };
};

export const selectRecords = (
  db: Queryable,
  sight: Sight,
  ids: readonly string[],
  shape: Shape,
): Promise<RecordRow[]> => ask(db, recordsAsk(sight, ids, shape));

/** Bytes of the cells of each record, as far as cells of these fields may be large. */
export const selectSizes = async (
  db: Queryable,
  sight: Sight,
  ids: readonly string[],
  fields: readonly FieldSchema[],
): Promise<Map<string, number>> => {
  const bytes = largeCellBytes(fields, 'r');
  if (bytes === null || ids.length === 0 || !sight.seesCells) return new Map();
  const rows = await db.query<{ id: string; bytes: number }>(
    sql`select r.__id as id, (${bytes})::float8 as bytes from ${seenRows(sight)} r where r.__id = any(${ids}::text[])`,
    { base: sight.table.baseId },
  );
  return new Map(rows.map((row) => [row.id, row.bytes]));
};

/** Those of the asked records that exist. */
export const selectRecordVersions = async (
  db: Queryable,
  sight: Sight,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db.query<{ id: string; version: number }>(
    sql`select r.__id as id, r.__version as version from ${seenRows(sight)} r where r.__id = any(${ids}::text[])`,
    { base: sight.table.baseId },
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
};

/** As many records as are looked at in a few milliseconds. */
const nearby = sql.integer(5_000);

/** One more row than asked for tells whether there is a next page. A limit that the planner can see lets it use an index. */
const rows = (sight: Sight, { take, skip, where, hint = null, keys, after, isByText = false }: PageInput): Sql => {
  const order = orderSql(keys);
  const limit = (count: number): Sql => sql.integer(count);
  // An offset that is a parameter makes PostgreSQL plan the statement again every time: 0.6 of 2.7 ms for a first page.
  const offset = skip === 0 ? sql.empty : sql`offset ${skip}`;
  // In the plain order of a table what is skipped need not be read, only counted in the index.
  if (after === null && skip !== 0 && where === null && keys.length === 1) {
    return sql`select r.* from (select ${sql.join(keys.map(({ expression }) => expression))} as place from ${seenRows(sight)} r order by ${order} limit ${limit(take + 1)} ${offset}) skipped
      join ${seenRows(sight)} r on ${sql.join(keys.map(({ expression }) => expression))} = skipped.place order by ${order}`;
  }
  // PostgreSQL takes any part of a text for rare, and looks through the whole table for the first page of what one record in ten has: 290 ms of 170,000, instead of 15 among the first ones.
  if (after === null && isByText && where !== null && skip === 0 && keys.length === 1) {
    const isFull = sql`(select count(*) from near) > ${limit(take)}`;
    return sql`with near as materialized (select r.* from (select r.* from ${seenRows(sight)} r order by ${order} limit ${nearby}) r ${whereSql(where)} order by ${order} limit ${limit(take + 1)})
      select r.* from near r where ${isFull} union all (select r.* from ${seenRows(sight)} r ${whereSql(where, hint, sql`not ${isFull}`)} order by ${order} limit ${limit(take + 1)})`;
  }
  if (after === null)
    return sql`select r.* from ${seenRows(sight)} r ${whereSql(where, hint)} order by ${order} limit ${limit(take + 1)} ${offset}`;
  const conditions = rangesAfter(keys, after);
  demandRoom(conditions, where);
  const ranges = conditions.map(
    (range) =>
      sql`(select r.* from ${seenRows(sight)} r ${whereSql(range, where, hint)} order by ${order} limit ${limit(take + 1 + skip)})`,
  );
  return sql`select r.* from (${sql.join(ranges, ' union all ')}) r order by ${order} limit ${limit(take + 1)} ${offset}`;
};

/**
 * A page, and in the same snapshot the facts that it rests on. The rows are read once, in their order, and looked at three
 * times: numbering them by a window, or sorting the finished texts once more, would cost a tenth of the statement each.
 */
const pageSql = (sight: Sight, shape: Shape, input: PageInput, standing: Standing): Sql => {
  const { take, search } = input;
  const rowsTaken = sql`(select r.* from page r limit ${sql.integer(take)})`;
  const taken = sql`${rowsTaken} r`;
  const alias = aliasFor(sight, shape);
  const level = alias === 'r' ? sql.empty : sql`, ${idsOf(alias)} as (select t.__id as id from ${rowsTaken} t)`;
  const values = sql.join(input.keys.map(keyText));
  const hits =
    search === null
      ? sql`null::json`
      : sql`(select json_agg(array[r.__id] || ${hitsSql(search)}) filter (where cardinality(${hitsSql(search)}) > 0) from ${taken})`;
  const bytes = largeCellBytes(shape.fields, 'r');
  const records = sql`(select string_agg(${recordJson(sight, alias, shape)} || '}', ',') from ${rowsTaken} ${sql.id(alias)})`;
  const last = sql`(select json_build_array(${values}) from page r where exists (select 1 from page offset ${sql.integer(take)}) limit 1 offset ${sql.integer(Math.max(take - 1, 0))})`;
  return sql`with page as materialized (${rows(sight, input)})${level}
    select ${factsSql(sight.table, standing)}, ${unlessTooLarge(sql`octet_length(made.records)`, sql`made.records`)} as records, ${last} as last, ${hits} as hits
    from (select ${unlessTooLarge(bytes === null ? null : sql`(select sum(${bytes})::bigint from ${taken})`, records)} as records offset 0) made`;
};

const templates = createTemplateStore();

const standingOf = ({ restsOn, spaceId }: Sight): Standing => ({ userId: restsOn, spaceId });

const plainPage = (sight: Sight, shape: Shape, input: PageInput): Statement => {
  let key = `${input.plain} ${input.take} ${input.skip === 0} ${shape.keyType} ${shape.format}${eyesKey(sight)}`;
  for (const { id } of shape.fields) key += ` ${id}`;
  const made = templates(sightIdentity(sight), key, () =>
    template((slot, derived) =>
      pageSql(
        sight.isWhole ? sight : sightOfMany(sight, (of) => derived((given) => of(given.asker as Sight['asker']))),
        shape,
        { ...input, skip: input.skip === 0 ? 0 : slot('skip') },
        { userId: slot('userId'), spaceId: slot('spaceId') },
      ),
    ),
  );
  return made({ skip: input.skip, asker: sight.asker, ...standingOf(sight) });
};

export const selectPage = async (db: Queryable, sight: Sight, shape: Shape, input: PageInput): Promise<Page> => {
  const statement =
    input.plain === null ? pageSql(sight, shape, input, standingOf(sight)) : plainPage(sight, shape, input);
  const prepare =
    input.prepare === 'always' ||
    (input.prepare === 'recurring' && recurs((statement instanceof Statement ? statement : compile(statement)).text));
  const found = await db.query<Page>(statement, { prepare, base: sight.table.baseId });
  return found[0] as Page;
};
