// Turns a page of the feed into the texts of events, once for all who listen.
import { loadTable, type TableSchema } from '../catalog/table.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { EventName } from '@rowhouse/contract/event.ts';
import type { Services } from '../context.ts';
import { sqlState } from '../db/error.ts';
import { selectRecords } from '../domain/record/read.sql.ts';
import { type ChangedCells, selectChangedCells } from './change.sql.ts';
import type { FeedRow } from './feed.sql.ts';
import { eventText } from './sse.ts';

export interface Change {
  tableId: string;
  values: boolean;
  text: string;
}

/** Longer values are left out: a listener can read the records. */
const maxValues = 262_144;
const maxCreated = 1_000;

const kindOf = (row: FeedRow): EventName => {
  if (row.kind === 'schema') return 'schema.changed';
  if (row.kind === 'view') return 'view.changed';
  return row.rowDelta > 0 ? 'records.created' : row.rowDelta < 0 ? 'records.deleted' : 'records.updated';
};

const head = (row: FeedRow): string =>
  `"tableId":"${row.tableId}","operationId":"${row.operationId}","by":"${row.actor}","time":"${row.time}"`;

const idsOf = (row: FeedRow): string => `,"recordIds":${JSON.stringify(row.recordIds)}`;

/** Record id → record, as it is now. A schema that changes meanwhile is told by an event of its own, so it only costs values. */
const createdRecords = async (services: Services, baseId: string, tableId: string, rows: readonly FeedRow[]): Promise<Map<string, string>> => {
  const ids = rows.filter((row) => row.recordIds.length <= maxCreated).flatMap((row) => row.recordIds);
  if (ids.length === 0) return new Map();
  try {
    const table: TableSchema = await loadTable(services.db, baseId, tableId);
    const records = await selectRecords(services.db, table, ids, { fields: table.fields, keyType: 'id', format: 'json' });
    return new Map(records.map((record) => [record.id, `${record.json}}`]));
  } catch (error) {
    if (sqlState(error)?.startsWith('42') === true || (error instanceof ApiError && error.status === 404)) return new Map();
    throw error;
  }
};

const createdTail = (row: FeedRow, records: ReadonlyMap<string, string>): string => {
  const found = row.recordIds.map((id) => records.get(id)).filter((json) => json !== undefined);
  const tooLong = row.recordIds.length > maxCreated || found.reduce((sum, json) => sum + json.length, 0) > maxValues;
  return tooLong ? ',"valuesOmitted":true' : `,"records":[${found.join(',')}]`;
};

const updatedTail = (cells: ChangedCells | undefined, values: boolean): string => {
  const fieldIds = `,"fieldIds":${JSON.stringify(cells?.fieldIds ?? [])}`;
  if (!values) return fieldIds;
  if (cells === undefined) return `${fieldIds},"records":[]`;
  return cells.records === null ? `${fieldIds},"valuesOmitted":true` : `${fieldIds},"records":[${cells.records}]`;
};

const tableEvents = async (services: Services, baseId: string, tableId: string, values: boolean, rows: readonly FeedRow[]): Promise<Change> => {
  const of = (kind: EventName): FeedRow[] => rows.filter((row) => kindOf(row) === kind);
  const updated = of('records.updated').map((row) => row.opId);
  const created = values ? await createdRecords(services, baseId, tableId, of('records.created')) : new Map<string, string>();
  const changed = updated.length === 0 ? [] : await selectChangedCells(services.db, baseId, tableId, updated, { values, maxLength: maxValues });
  const cells = new Map(changed.map((item) => [item.opId, item]));
  const tailOf = (row: FeedRow, kind: EventName): string => {
    if (kind === 'records.created') return idsOf(row) + (values ? createdTail(row, created) : '');
    if (kind === 'records.updated') return idsOf(row) + updatedTail(cells.get(row.opId), values);
    return kind === 'records.deleted' ? idsOf(row) : '';
  };
  const text = rows.map((row) => eventText(kindOf(row), `{${head(row)}${tailOf(row, kindOf(row))}}`, row.seq)).join('');
  return { tableId, values, text };
};

/** One text per table and form that is wanted, for those that have any. */
export const changeEvents = async (services: Services, baseId: string, rows: readonly FeedRow[], wanted: readonly { tableId: string; values: boolean }[]): Promise<Change[]> => {
  const made: Change[] = [];
  for (const { tableId, values } of wanted) {
    const own = rows.filter((row) => row.tableId === tableId);
    if (own.length > 0) made.push(await tableEvents(services, baseId, tableId, values, own));
  }
  return made;
};
