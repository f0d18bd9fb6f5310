// GET of the history of a table and of one record
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { listRecordHistory, listTableHistory } from '@rowhouse/contract/history.ts';
import { demand, demandScope } from '../../catalog/access.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../context.ts';
import { guardedRead, type Seen, seen, type TableContext } from '../../pipeline/pipeline.ts';
import { readSubscription } from '../plan/subscription.sql.ts';
import { type Creation, creationOf } from './creation-entries.ts';
import { historyId, type EntryPosition, entryPositionOf } from './history-id.ts';
import { justAfter, momentOf } from './moment.ts';
import { type HistoryPageRow, selectHistoryPage } from './page.sql.ts';
import { oldestVisibleOf } from './retention.ts';
import { authorsOf, entryTexts, metasOf } from './show-entries.ts';

type TableQuery = QueryOf<typeof listTableHistory>;
type RecordQuery = QueryOf<typeof listRecordHistory>;

const defaultTake = 20;

const different = (ids: readonly string[] | undefined): string[] | undefined =>
  ids === undefined ? undefined : [...new Set(ids)];

/** What the plan does not show any more is at the end of a page, and what follows it is older still. */
const within = (page: HistoryPageRow, oldest: Date | null): HistoryPageRow => {
  if (oldest === null) return page;
  const isShown = ({ time }: { time: string }): boolean => Date.parse(time) >= oldest.getTime();
  const entries = page.entries.filter(isShown);
  return {
    ...page,
    entries,
    next: page.next !== null && isShown(page.next) && entries.length === page.entries.length ? page.next : null,
  };
};

const startOf = (table: TableSchema, cursor: string | undefined): EntryPosition | undefined => {
  if (cursor === undefined) return undefined;
  const position = entryPositionOf(table.id, cursor);
  if (position === undefined)
    throw invalid({
      path: 'query.cursor',
      message: 'Expected the nextCursor of a page of this history',
      expected: 'a nextCursor of this table',
    });
  return position;
};

interface Parts {
  page: HistoryPageRow;
  created: Creation | undefined;
}

/** As JSON text. */
const show = async (context: Context, sight: Sight, { page, created }: Parts): Promise<string> => {
  const { table } = sight;
  const texts = entryTexts(sight, page.entries, await metasOf(context.db, table, page.entries));
  const people = new Map<string, string>();
  for (const { actor } of page.entries) {
    const author = page.authors.get(actor);
    if (author !== undefined) people.set(actor, `"${actor}":${author}`);
  }
  // Who made a record need not have changed it.
  const others = (created?.entries ?? []).filter(({ createdBy }) => !people.has(createdBy));
  for (const author of others.length === 0 ? [] : await authorsOf(context, others))
    people.set(author.id, `"${author.id}":${JSON.stringify(author)}`);
  for (const entry of created?.entries ?? []) texts.push(JSON.stringify(entry));
  const next = page.next === null ? 'null' : `"${historyId(table.id, page.next)}"`;
  return `{"historyList":[${texts.join(',')}],"userMap":{${[...people.values()].join(',')}},"nextCursor":${next}${created === undefined ? '' : `,"creationKnown":${created.isKnown}`}}`;
};

const read = async (
  context: TableContext,
  sight: Sight,
  query: TableQuery,
  creation?: (oldest: Date | null) => Promise<Creation>,
): Promise<Seen<string>> => {
  const { plans } = context;
  const to = momentOf(query.endDate, 'query.endDate');
  const found = await selectHistoryPage(
    context.db,
    sight,
    {
      recordIds: different(query.recordIds),
      fieldIds: different(query.fieldIds),
      createdByIds: different(query.createdByIds),
      operationId: query.operationId,
      from: momentOf(query.startDate, 'query.startDate')?.toISOString(),
      before: to === undefined ? undefined : justAfter(to),
      start: startOf(sight.table, query.cursor),
      take: query.take ?? defaultTake,
    },
    plans.areOn,
  );
  const oldest = oldestVisibleOf(
    context,
    found.subscription === null ? undefined : readSubscription(plans, found.subscription),
  );
  const page = within(found, oldest);
  // What a record was created with is read by statements of its own, so the facts are looked at after them.
  if (creation === undefined || page.next !== null)
    return { facts: page, value: await show(context, sight, { page, created: undefined }) };
  const value = await show(context, sight, { page, created: await creation(oldest) });
  return seen(context, sight, value);
};

// The fields may change between reading what they are and reading their cells: then it is read again.
export const listHistoryOfTable = (request: Unconfirmed, query: TableQuery): Promise<string> =>
  guardedRead(request, (context, sight) => {
    // It shows cells, as they are and as they were.
    demand(context.access, 'record|read', sight.table.id);
    return read(context, sight, query);
  });

export const listHistoryOfRecord = (request: Unconfirmed, recordId: string, query: RecordQuery): Promise<string> =>
  guardedRead(request, async (context, sight) => {
    // What a record was is another kind of data than what it is; every role that sees the one sees the other.
    demandScope(context.principal, 'table_record_history|read', sight.table.id);
    const creation =
      query.includeCreated === true
        ? (oldest: Date | null) => creationOf(context.db, sight, recordId, query, oldest)
        : undefined;
    return read(context, sight, { ...query, recordIds: [recordId] }, creation);
  });
