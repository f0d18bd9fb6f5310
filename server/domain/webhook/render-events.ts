// The events that an operation is for a webhook: which, of which records, and what they say.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { type MatchField, matches } from '@rowhouse/contract/matches.ts';
import type { WebhookEvent } from '@rowhouse/contract/webhook.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Queryable } from '../../db/db.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { fittingFilter } from '../field/stored-filter.ts';
import type { FeedRow } from '../feed/feed.sql.ts';
import { kindOf } from '../feed/seen-changes.ts';
import { type Cells, type RecordStates, recordStates } from './record-states.ts';
import type { WebhookRow } from './webhook.sql.ts';

export interface RenderedEvent {
  event: WebhookEvent;
  tableId: string | null;
  recordId: string | null;
  /** What arrives in its order. */
  lane: string;
  body: string;
}

/** Cells of one event that are longer are left out. */
const longest = 262_144;

const recordEvent = (row: FeedRow): WebhookEvent | undefined => {
  switch (kindOf(row)) {
    case 'records.created':
      return row.kind === 'restore' ? 'record.restored' : 'record.created';
    case 'records.updated':
      return 'record.updated';
    case 'records.deleted':
      return 'record.deleted';
    case 'comments.changed':
      return 'comment.changed';
    default:
      return undefined;
  }
};

const bodyOf = (event: WebhookEvent, row: FeedRow, data: object): string =>
  JSON.stringify({ type: event, timestamp: row.time, data: { ...data, operationId: row.operationId, by: row.actor } });

type Judge = (filter: unknown, cells: Cells | null | undefined) => boolean;

/** What is not there, or not known, meets no filter. */
const judgeOf = (sight: Sight): Judge => {
  const fields = new Map<string, MatchField>(
    sight.fields.map((field) => [field.id, { ...filterFieldOf(field), options: field.options }]),
  );
  return (filter, cells) =>
    cells != null && matches(fittingFilter(filter, sight) as FilterGroup | null, fields, cells, sight.asker);
};

const isWanted = (webhook: WebhookRow, judge: Judge, { before, after }: RecordStates): boolean =>
  (webhook.beforeFilter === null || judge(webhook.beforeFilter, before)) &&
  (webhook.afterFilter === null || judge(webhook.afterFilter, after));

const named = (cells: Cells, sight: Sight, { fieldKeyType }: WebhookRow): Cells =>
  fieldKeyType === 'id'
    ? cells
    : Object.fromEntries(Object.entries(cells).map(([id, value]) => [sight.byId.get(id)?.name ?? id, value]));

const eventsOf = (
  webhook: WebhookRow,
  sight: Sight,
  row: FeedRow,
  judge: Judge,
  states: RecordStates,
): WebhookEvent[] => {
  const { events, fieldIds, viewId } = webhook;
  const event = recordEvent(row);
  const found: WebhookEvent[] = [];
  const isWatched =
    event !== 'record.updated' || states.changed.some((id) => fieldIds === null || fieldIds.includes(id));
  if (event !== undefined && events.includes(event) && isWatched) found.push(event);
  const view =
    viewId === null || event === 'comment.changed' ? undefined : sight.table.views.find(({ id }) => id === viewId);
  if (view !== undefined) {
    const [was, is] = [judge(view.filter, states.before), judge(view.filter, states.after)];
    if (!was && is && events.includes('view.entered')) found.push('view.entered');
    if (was && !is && events.includes('view.left')) found.push('view.left');
  }
  return found;
};

const renderRecord = (
  webhook: WebhookRow,
  sight: Sight,
  row: FeedRow,
  event: WebhookEvent,
  { id, before, after, changed, written }: RecordStates,
): RenderedEvent => {
  const head = {
    baseId: webhook.baseId,
    tableId: row.tableId,
    recordId: id,
    ...(event.startsWith('view.') ? { viewId: webhook.viewId } : {}),
    ...(event === 'record.updated' ? { fieldIds: changed } : {}),
    ...(row.kind === 'computed' ? { isComputed: true, ...(row.cause === null ? {} : { cause: row.cause }) } : {}),
  };
  const former =
    before == null
      ? before
      : event === 'record.updated'
        ? Object.fromEntries(written.map((one) => [one, before[one] ?? null]))
        : before;
  const values = {
    ...(after == null ? {} : { fields: named(after, sight, webhook) }),
    ...(former == null || row.kind === 'computed' ? {} : { before: named(former, sight, webhook) }),
  };
  // Cells come from the history with e-mail addresses: without the right to see them there are none.
  const hasValues = webhook.withValues && sight.seesCells && sight.seesEmails && event !== 'comment.changed';
  const body = bodyOf(event, row, { ...head, ...(hasValues ? values : {}) });
  return {
    event,
    tableId: row.tableId,
    recordId: id,
    lane: id,
    body: body.length <= longest ? body : bodyOf(event, row, { ...head, valuesOmitted: true }),
  };
};

/** Of records that the sight shows. */
export async function* renderRecords(
  db: Queryable,
  webhook: WebhookRow,
  sight: Sight,
  row: FeedRow,
  ids: readonly string[],
): AsyncGenerator<RenderedEvent> {
  const judge = judgeOf(sight);
  for await (const part of recordStates(db, sight, row, ids))
    for (const states of part)
      if (isWanted(webhook, judge, states))
        for (const event of eventsOf(webhook, sight, row, judge, states))
          yield renderRecord(webhook, sight, row, event, states);
}

/** Changes that concern no records. */
export const renderSchema = (webhook: WebhookRow, row: FeedRow): RenderedEvent[] => {
  const kind = kindOf(row);
  const event: WebhookEvent =
    kind === 'view.changed' ? 'view.changed' : kind === 'tables.changed' ? 'table.changed' : 'field.changed';
  const tableId = kind === 'tables.changed' ? null : row.tableId;
  if (!webhook.events.includes(event)) return [];
  return [
    {
      event,
      tableId,
      recordId: null,
      lane: tableId ?? webhook.baseId,
      body: bodyOf(event, row, { baseId: webhook.baseId, ...(tableId === null ? {} : { tableId }) }),
    },
  ];
};
