// GET of the history of a table and of one record
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { listRecordHistory, listTableHistory } from '@rowhouse/contract/history.ts';
import { hasScope } from '../../catalog/principal.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { type Creation, creationOf } from './creation-entries.ts';
import { historyId, type EntryPosition, entryPositionOf } from './history-id.ts';
import { selectEntries } from './history.sql.ts';
import { momentOf } from './moment.ts';
import { oldestVisible } from './retention.ts';
import { metasOf, showEntries, userMapOf } from './show-entries.ts';

type TableQuery = QueryOf<typeof listTableHistory>;
type RecordQuery = QueryOf<typeof listRecordHistory>;
export type HistoryPage = ResponseOf<typeof listTableHistory>;

const defaultTake = 20;

const laterOf = (one: Date | undefined, other: Date | null): Date | undefined => (one === undefined || (other !== null && other > one) ? (other ?? undefined) : one);

const startOf = (table: TableSchema, cursor: string | undefined): EntryPosition | undefined => {
  if (cursor === undefined) return undefined;
  const position = entryPositionOf(table.id, cursor);
  if (position === undefined) throw invalid({ path: 'query.cursor', message: 'Expected the nextCursor of a page of this history', expected: 'a nextCursor of this table' });
  return position;
};

const page = async (context: Context, sight: Sight, query: TableQuery, creation?: (oldest: Date | null) => Promise<Creation>): Promise<HistoryPage> => {
  const { table } = sight;
  const take = query.take ?? defaultTake;
  const oldest = await oldestVisible(context.db, context);
  const rows = await selectEntries(context.db, sight, {
    recordIds: query.recordIds,
    fieldIds: query.fieldIds,
    createdByIds: query.createdByIds,
    operationId: query.operationId,
    from: laterOf(momentOf(query.startDate, 'query.startDate'), oldest),
    to: momentOf(query.endDate, 'query.endDate'),
    start: startOf(table, query.cursor),
    take: take + 1,
  });
  const next = rows[take];
  const shown = rows.slice(0, take);
  const entries = showEntries(table, shown, await metasOf(context.db, table, shown));
  const created = next === undefined ? await creation?.(oldest) : undefined;
  entries.push(...(created?.entries ?? []));
  return {
    historyList: entries,
    userMap: await userMapOf(context.db, entries),
    nextCursor: next === undefined ? null : historyId(table.id, next),
    ...(created === undefined ? {} : { creationKnown: created.isKnown }),
  };
};

// The fields may change between reading what they are and reading their cells: then it is read again.
export const listHistoryOfTable = (context: Context, query: TableQuery): Promise<HistoryPage> =>
  guardedRead({ unconfirmed: context }, async (within, sight) => seen(within, sight, await page(within, sight, query)));

export const listHistoryOfRecord = (context: Context, recordId: string, query: RecordQuery): Promise<HistoryPage> =>
  guardedRead({ unconfirmed: context }, async (within, sight) => {
    // What a record was is another kind of data than what it is; every role that sees the one sees the other.
    if (!hasScope(within.principal, 'table_record_history|read')) throw forbidden(`This token lacks the scope table_record_history|read, needed on ${sight.table.id}`);
    const creation = query.includeCreated === true ? (oldest: Date | null) => creationOf(within.db, sight, recordId, query, oldest) : undefined;
    return seen(within, sight, await page(within, sight, { ...query, recordIds: [recordId] }, creation));
  });
