// GET of the history of a table and of one record
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { HistoryEntry, listRecordHistory, listTableHistory } from '@rowhouse/contract/history.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { retryWhenStale, type TableAccess } from '../record/write.ts';
import { creationEntries } from './creation-entries.ts';
import { historyId, type Place, placeOf } from './history-id.ts';
import { selectEntries } from './history.sql.ts';
import { oldestVisible } from './retention.ts';
import { metasOf, showEntries, userMapOf } from './show-entries.ts';

type TableQuery = QueryOf<typeof listTableHistory>;
type RecordQuery = QueryOf<typeof listRecordHistory>;
export type HistoryPage = ResponseOf<typeof listTableHistory>;

const defaultTake = 20;

export const dateOf = (text: string | undefined, path: string): Date | undefined => {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
    throw invalid({ path, message: 'Expected a date such as 2024-01-31T12:00:00Z', expected: 'an ISO 8601 date' });
  }
  return date;
};

const laterOf = (one: Date | undefined, other: Date | null): Date | undefined => (one === undefined || (other !== null && other > one) ? (other ?? undefined) : one);

const startOf = (table: TableSchema, cursor: string | undefined): Place | undefined => {
  if (cursor === undefined) return undefined;
  const place = placeOf(table.id, cursor);
  if (place === undefined) throw invalid({ path: 'query.cursor', message: 'Expected the nextCursor of a page of this history', expected: 'a nextCursor of this table' });
  return place;
};

const page = async (context: Context, table: TableSchema, query: TableQuery, creation?: () => Promise<HistoryEntry[]>): Promise<HistoryPage> => {
  const take = query.take ?? defaultTake;
  const rows = await selectEntries(context.db, table, {
    recordIds: query.recordIds,
    fieldIds: query.fieldIds,
    createdByIds: query.createdByIds,
    operationId: query.operationId,
    from: laterOf(dateOf(query.startDate, 'query.startDate'), await oldestVisible(context.db, context)),
    to: dateOf(query.endDate, 'query.endDate'),
    start: startOf(table, query.cursor),
    take: take + 1,
  });
  const next = rows[take];
  const shown = rows.slice(0, take);
  const entries = showEntries(table, shown, await metasOf(context.db, table, shown));
  if (next === undefined && creation !== undefined) entries.push(...(await creation()));
  return {
    historyList: entries,
    userMap: await userMapOf(context.db, entries),
    nextCursor: next === undefined ? null : historyId(table.id, next),
  };
};

const tableFor = (context: Context): Promise<TableSchema> => {
  const { baseId, tableId } = context.access as TableAccess;
  return loadTable(context.db, baseId, tableId);
};

// The fields may change between reading what they are and reading their cells: then it is read again.
export const listHistoryOfTable = (context: Context, query: TableQuery): Promise<HistoryPage> =>
  retryWhenStale(context, async () => page(context, await tableFor(context), query));

export const listHistoryOfRecord = (context: Context, recordId: string, query: RecordQuery): Promise<HistoryPage> =>
  retryWhenStale(context, async () => {
    const table = await tableFor(context);
    const creation = query.includeCreated === true ? () => creationEntries(context.db, table, recordId, query) : undefined;
    return page(context, table, { ...query, recordIds: [recordId] }, creation);
  });
