// A page of history in one statement: the entries, the operations they belong to, their authors, and the facts that the page
// rests on.
//
// Its plan must not depend on statistics: right after a burst of writes there are none, and a join of entries and
// operations that looked small took 150 ms for 20 entries. So the entries come first, by an index and with their limit,
// and only those that are left are joined. What is asked of an operation while entries are looked for is a subquery per
// entry, which cannot be turned into a join.
import { eyesKey, type Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { one, type Queryable } from '../../db/db.ts';
import { type Sql, sql, type Statement, template } from '../../db/sql.ts';
import { createTemplateStore } from '../../db/template-store.ts';
import { factsSql, type ReadFacts, type Standing } from '../../pipeline/guard.sql.ts';
import { isoText } from '../cell/kind/date-format.sql.ts';
import { subscriptionJson, type SubscriptionJson } from '../plan/subscription.sql.ts';
import type { EntryPosition } from './history-id.ts';
import { type EntryRow, historyOf, operationsOf, seenConditions, versionsOf } from './history.sql.ts';

interface HistoryFilter {
  recordIds?: readonly string[] | undefined;
  fieldIds?: readonly string[] | undefined;
  createdByIds?: readonly string[] | undefined;
  operationId?: string | undefined;
  /** ISO 8601; `before` is the first moment that is too late. */
  from?: string | undefined;
  before?: string | undefined;
  /** Inclusive: the entry the page begins with. */
  start?: EntryPosition | undefined;
  take: number;
}

type Wanted = Omit<HistoryFilter, 'take'>;

export interface HistoryPageRow extends ReadFacts {
  entries: EntryRow[];
  /** Where the next page begins: behind as many entries as were asked for, or as many as one answer holds. */
  next: (EntryPosition & { time: string }) | null;
  /** Of the space; null where there are no plans. */
  subscription: SubscriptionJson | null;
  /** By id, as JSON text. There may be more than those of the entries. */
  authors: ReadonlyMap<string, string>;
}

/** A long text has up to 4 MB, and an entry holds two of them. A page always has one entry. */
export const pageLimit = { bytes: 32 * 1_048_576 };

/** Of one entry, where so many of them and one more come in one answer. */
const mostOfEach = (take: number): number => Math.floor(pageLimit.bytes / (take + 1));

// An operation draws its id and its time at once, so the two rise together but for requests that draw theirs at the same
// moment. The index on time finds one operation at the bound, and so many ids beside it are looked at.
const overlap = 100;

/** Another demand on entries that an index already gives in their order. In a subquery it neither calls for another index nor looks so rare that sorting would pay. */
const also = (condition: Sql): Sql => sql`(select ${condition})`;

const ofOperation = (table: TableSchema, column: 'time' | 'actor'): Sql =>
  sql`(select o.${sql.raw(column)} from ${operationsOf(table)} o where o.id = h.op_id)`;

/** The lowest and highest id of the operations in a period; where nothing is in it, ids that no operation has. */
const periodSql = (table: TableSchema, { from, before: to }: Wanted): Sql => {
  const bound = (condition: Sql, nearest: 'asc' | 'desc', beside: Sql, furthest: 'min' | 'max'): Sql =>
    sql`(select ${sql.raw(furthest)}(b.id) from ${operationsOf(table)} b, (select b.id from ${operationsOf(table)} b where b.table_id = ${table.id} and ${condition} order by b.time ${sql.raw(nearest)} limit 1) near
         where b.id between ${beside} and b.table_id = ${table.id} and ${condition})`;
  const low =
    from === undefined
      ? sql`0::bigint`
      : sql`coalesce(${bound(sql`b.time >= ${from}::timestamptz`, 'asc', sql`near.id - ${sql.integer(overlap)} and near.id`, 'min')}, 9223372036854775807)`;
  const high =
    to === undefined
      ? sql`9223372036854775807`
      : sql`coalesce(${bound(sql`b.time < ${to}::timestamptz`, 'desc', sql`near.id and near.id + ${sql.integer(overlap)}`, 'max')}, 0::bigint)`;
  return sql`period as materialized (select ${low} as low, ${high} as high)`;
};

const timeConditions = (table: TableSchema, { from, before: to }: Wanted): Sql[] => [
  ...(from === undefined
    ? []
    : [sql`h.op_id >= (select low from period)`, also(sql`${ofOperation(table, 'time')} >= ${from}::timestamptz`)]),
  ...(to === undefined
    ? []
    : [sql`h.op_id <= (select high from period)`, also(sql`${ofOperation(table, 'time')} < ${to}::timestamptz`)]),
];

/** What an entry has to meet, besides being of the record, the field or the author that it is looked for by. */
const conditionsOf = (sight: Sight, filter: Wanted, by: By): Sql[] => {
  const { table } = sight;
  const { start } = filter;
  // Below zero are records that were deleted.
  const conditions: Sql[] = [sql`h.op_id > 0`, ...timeConditions(table, filter), ...seenConditions(sight).map(also)];
  if (filter.recordIds !== undefined && by !== 'record')
    conditions.push(also(sql`h.record_id = any(${filter.recordIds}::text[])`));
  if (filter.fieldIds !== undefined && by !== 'field')
    conditions.push(also(sql`h.meta_id = ${versionsOf(table, filter.fieldIds)}`));
  if (filter.createdByIds !== undefined && by !== 'author')
    conditions.push(also(sql`${ofOperation(table, 'actor')} = any(${filter.createdByIds}::text[])`));
  if (filter.operationId !== undefined)
    conditions.push(
      sql`h.op_id = (select o.id from ${operationsOf(table)} o where o.public_id = ${filter.operationId} and o.table_id = ${table.id})`,
    );
  if (start !== undefined)
    conditions.push(
      sql`h.op_id <= ${start.opId}::bigint`,
      sql`(h.op_id, h.seq) <= (${start.opId}::bigint, ${start.seq}::int)`,
    );
  return conditions;
};

type By = 'position' | 'record' | 'field' | 'author';

const wayOf = ({ operationId, recordIds, createdByIds, fieldIds }: Wanted): By => {
  if (operationId !== undefined) return 'position';
  if (recordIds !== undefined) return 'record';
  if (createdByIds !== undefined) return 'author';
  return fieldIds === undefined ? 'position' : 'field';
};

/** Behind a subselect the planner does not see how many there are: seeing it, it finds a plan for one cheaper than the general one, and plans every request again. */
const hidden = (values: readonly string[]): Sql => sql`(select ${values}::text[])`;

const newestFirst = sql`h.op_id desc, h.seq desc`;

/**
 * By an index on a column and the operation, which does not know the order within an operation: first how far the operations
 * of so many entries reach, then all entries up to there.
 */
const byColumn = (
  history: Sql,
  keys: Sql,
  column: 'record_id' | 'meta_id',
  conditions: readonly Sql[],
  limit: Sql,
): Sql => {
  const matching = sql`h.${sql.raw(column)} = k.key and ${sql.join(conditions, ' and ')}`;
  return sql`select h.* from unnest(${keys}) as k(key)
    cross join lateral (select min(f.op_id) as op_id from (select h.op_id from ${history} h where ${matching} order by h.op_id desc limit ${limit}) f) far
    cross join lateral (select h.* from ${history} h where ${matching} and h.op_id >= far.op_id order by ${newestFirst} limit ${limit}) h
    order by ${newestFirst} limit ${limit}`;
};

/** The newest operations of an author that have an entry to show, and of each its newest entries. Creating records leaves no entries. */
const byAuthor = (
  table: TableSchema,
  authors: readonly string[],
  { start, from, before: to }: Wanted,
  conditions: readonly Sql[],
  limit: Sql,
): Sql => {
  const entry = sql`h.op_id = o.id and ${sql.join(conditions, ' and ')}`;
  const range = [
    ...(start === undefined ? [] : [sql`and o.id <= ${start.opId}::bigint`]),
    ...(from === undefined ? [] : [sql`and o.id >= (select low from period)`]),
    ...(to === undefined ? [] : [sql`and o.id <= (select high from period)`]),
  ];
  return sql`select h.* from unnest(${hidden(authors)}) as k(key)
    cross join lateral (select o.id from ${operationsOf(table)} o where o.table_id = ${table.id} and o.actor = k.key ${sql.join(range, ' ')} and o.kind <> 'create'
      and (select true from ${historyOf(table)} h where ${entry} limit 1) order by o.id desc limit ${limit}) o
    cross join lateral (select h.* from ${historyOf(table)} h where ${entry} order by ${newestFirst} limit ${limit}) h
    order by ${newestFirst} limit ${limit}`;
};

const entriesSql = (sight: Sight, filter: Wanted, limit: Sql): Sql => {
  const { table } = sight;
  const history = historyOf(table);
  const way = wayOf(filter);
  const conditions = conditionsOf(sight, filter, way);
  switch (way) {
    case 'record':
      return byColumn(history, hidden(filter.recordIds as readonly string[]), 'record_id', conditions, limit);
    case 'field':
      return byColumn(
        history,
        sql`array(select v.id from ${sql.id(table.baseId, '__field_version')} v where v.field_id = any(${filter.fieldIds}::text[]))`,
        'meta_id',
        conditions,
        limit,
      );
    case 'author':
      return byAuthor(table, filter.createdByIds as readonly string[], filter, conditions, limit);
    default:
      return sql`select h.* from ${history} h where ${sql.join(conditions, ' and ')} order by ${newestFirst} limit ${limit}`;
  }
};

/** The whole page: a row of many columns for each entry takes twice as long to read. */
interface PageRow extends ReadFacts {
  subscription: SubscriptionJson | null;
  entries: string | null;
  authors: string | null;
}

// Between the values of an entry, and between entries. Neither ids nor JSON text can hold them.
const [unit, group] = ['\u001f', '\u001e'];
const [betweenValues, betweenEntries] = [sql.literal(unit), sql.literal(group)];

/** Stands before the number of bytes, where both cells of an entry are left out: they are more than an entry of a page may have. JSON text does not begin with it. */
const leftOut = '!';

/** How many entries are asked for, and whether all of them are wanted as long as they are. */
interface Measure {
  take: number;
  isWhole: boolean;
}

/**
 * One more entry than asked for tells where the next page begins. The limit is part of the text: the planner has to see it.
 * A third of what it costs is getting ready to run, so it has few parts: the page is cut outside.
 */
const pageSql = (
  sight: Sight,
  filter: Wanted,
  { take, isWhole }: Measure,
  standing: Standing,
  hasPlans: boolean,
): Sql => {
  const { table } = sight;
  const bytes = sql`coalesce(octet_length(h.before), 0) + coalesce(octet_length(h.after), 0)`;
  const both = sql`coalesce(h.before, '') || ${betweenValues} || coalesce(h.after, '')`;
  const cells = isWhole
    ? both
    : sql`case when ${bytes} <= ${sql.integer(mostOfEach(take))} then ${both} else ${sql.literal(leftOut)} || (${bytes}) || ${betweenValues} end`;
  const json = (column: Sql): Sql => sql`to_json(${column})::text`;
  return sql`with ${periodSql(table, filter)}
    select ${factsSql(table, standing)}, ${hasPlans ? subscriptionJson(standing.spaceId) : sql`null`} as subscription, page.entries, known.authors
    from (
      select string_agg(e.entry, ${betweenEntries}) as entries, array_agg(e.actor) as actors from (
        select concat_ws(${betweenValues}, h.op_id, h.seq, h.record_id, h.meta_id, coalesce(h.before_meta_id, 0), ${isoText(sql`o.time`)}, o.actor, o.public_id, ${cells}) as entry, o.actor
        from (${entriesSql(sight, filter, sql.integer(take + 1))}) h
        cross join lateral (select o.time, o.actor, o.public_id from ${operationsOf(table)} o where o.id = h.op_id offset 0) o
        order by ${newestFirst}
      ) e
    ) page
    cross join lateral (
      select string_agg('{"id":"' || u.id || '","name":' || ${json(sql`u.name`)} || ',"email":' || ${sight.seesEmails ? json(sql`u.email`) : sql`'""'`} || ',"avatar":' || coalesce(${json(sql`u.avatar`)}, 'null') || '}', ${betweenEntries}) as authors
      from rowhouse.people u where u.id = any(page.actors)
    ) known`;
};

/** Statements that are worth a plan of their own on every connection. */
const usualTakes: readonly number[] = [20, 50, 100];

const templates = createTemplateStore();

/** The text depends on what is asked for, not on the values: it is put together once. */
const usualPage = (
  sight: Sight,
  { start, ...asked }: Wanted,
  measure: Measure,
  standing: Standing,
  hasPlans: boolean,
): Statement => {
  const names = (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => asked[name] !== undefined);
  const made = templates(
    sight.table,
    `${measure.take} ${hasPlans} ${start === undefined} ${names.join()}${eyesKey(sight)}`,
    () =>
      template((slot) => {
        const slots = Object.fromEntries(names.map((name) => [name, slot(name)]));
        return pageSql(
          sight,
          { ...slots, start: start === undefined ? undefined : { opId: slot('opId'), seq: slot('seq') } },
          measure,
          { userId: slot('userId'), spaceId: slot('spaceId') },
          hasPlans,
        );
      }),
  );
  return made({ ...asked, ...start, ...standing });
};

interface PageEntry extends EntryRow {
  /** Of both cells, where they are left out. */
  bytes: number;
}

const readEntry = (text: string): PageEntry => {
  const [opId, seq, recordId, metaId, beforeMetaId, time, actor, operationId, before, after] = text.split(unit) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const isLeftOut = before.startsWith(leftOut);
  return {
    opId: Number(opId),
    seq: Number(seq),
    recordId,
    metaId: Number(metaId),
    beforeMetaId: beforeMetaId === '0' ? null : Number(beforeMetaId),
    before: before === '' || isLeftOut ? null : before,
    after: after === '' ? null : after,
    time,
    actor,
    operationId,
    bytes: isLeftOut ? Number(before.slice(leftOut.length)) : 0,
  };
};

/** How many of them one answer holds, when some are longer than most. */
const fitting = (entries: readonly PageEntry[], take: number): number => {
  let [count, bytes] = [0, 0];
  for (const { before, after, ...entry } of entries.slice(0, take)) {
    bytes += entry.bytes + Buffer.byteLength(before ?? '') + Buffer.byteLength(after ?? '');
    if (count > 0 && bytes > pageLimit.bytes) break;
    count += 1;
  }
  return count;
};

const idOf = /^\{"id":"(\w+)"/;

const readAuthors = (text: string | null): ReadonlyMap<string, string> =>
  new Map(
    text === null ? [] : text.split(group).map((json) => [(idOf.exec(json) as RegExpExecArray)[1] as string, json]),
  );

/** `hasPlans`: how far back the history may be seen depends on the plan of the space, which is read along. */
export const selectHistoryPage = async (
  db: Queryable,
  sight: Sight,
  { take, ...filter }: HistoryFilter,
  hasPlans: boolean,
): Promise<HistoryPageRow> => {
  const standing = { userId: sight.asker.userId, spaceId: sight.spaceId };
  const read = async (measure: Measure): Promise<[PageRow, PageEntry[]]> => {
    const isUsual = sight.isWhole && !measure.isWhole && usualTakes.includes(measure.take);
    const statement = (isUsual ? usualPage : pageSql)(sight, filter, measure, standing, hasPlans);
    const row = await one<PageRow>(db, statement, { prepare: isUsual });
    return [row, row.entries?.split(group).map(readEntry) ?? []];
  };
  let [page, entries] = await read({ take, isWhole: false });
  let count = Math.min(take, entries.length);
  // Some are longer than most: once more, as many as fit.
  if (entries.some(({ bytes }) => bytes > 0)) {
    count = fitting(entries, take);
    [page, entries] = await read({ take: count, isWhole: true });
    count = Math.min(count, entries.length);
  }
  const { version, epoch, subscription, authors } = page;
  const next = entries[count];
  return {
    version,
    epoch,
    subscription,
    entries: entries.slice(0, count),
    authors: readAuthors(authors),
    next: next === undefined ? null : { opId: next.opId, seq: next.seq, time: next.time },
  };
};
