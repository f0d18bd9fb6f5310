// A webhook while it is being written. What belongs to one table alone (fields, a view, conditions) is only sent when there is one.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { createWebhook, Webhook, WebhookEvent } from '@rowhouse/contract/webhook.ts';
import { noFilter, writeFilter } from '../field-type/filter/conditions.ts';

export interface WebhookDraft {
  name: string;
  url: string;
  events: WebhookEvent[];
  /** Empty: all. */
  tableIds: string[];
  /** Empty: all. */
  fieldIds: string[];
  viewId: string;
  before: FilterGroup;
  after: FilterGroup;
  withValues: boolean;
  fieldKeyType: Webhook['fieldKeyType'];
}

export const newDraft: WebhookDraft = {
  name: '',
  url: '',
  events: ['record.created', 'record.updated', 'record.deleted'],
  tableIds: [],
  fieldIds: [],
  viewId: '',
  before: noFilter,
  after: noFilter,
  withValues: true,
  fieldKeyType: 'name',
};

export const draftOf = (webhook: Webhook): WebhookDraft => ({
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  tableIds: webhook.tableIds ?? [],
  fieldIds: webhook.fieldIds ?? [],
  viewId: webhook.viewId ?? '',
  before: (webhook.filter?.before as FilterGroup | undefined) ?? noFilter,
  after: (webhook.filter?.after as FilterGroup | undefined) ?? noFilter,
  withValues: webhook.withValues,
  fieldKeyType: webhook.fieldKeyType,
});

export const isOfView = ({ events }: Pick<WebhookDraft, 'events'>): boolean =>
  events.includes('view.entered') || events.includes('view.left');

export const isOfRecords = ({ events }: Pick<WebhookDraft, 'events'>): boolean =>
  events.some((event) => event.startsWith('record.') || event.startsWith('view.e') || event === 'view.left');

export const isReady = (draft: WebhookDraft): boolean =>
  draft.name.trim() !== '' &&
  draft.url.trim() !== '' &&
  draft.events.length > 0 &&
  (!isOfView(draft) || (draft.tableIds.length === 1 && draft.viewId !== ''));

/** Another choice of tables: what belonged to the one before goes. */
export const withTables = (draft: WebhookDraft, tableIds: string[]): WebhookDraft =>
  draft.tableIds.length === 1 && tableIds.length === 1 && draft.tableIds[0] === tableIds[0]
    ? draft
    : { ...draft, tableIds, fieldIds: [], viewId: '', before: noFilter, after: noFilter };

export const bodyOf = (draft: WebhookDraft): BodyOf<typeof createWebhook> => {
  const isOfOne = draft.tableIds.length === 1;
  const [before, after] = isOfRecords(draft) ? [writeFilter(draft.before), writeFilter(draft.after)] : [null, null];
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    events: draft.events,
    tableIds: draft.tableIds.length === 0 ? null : draft.tableIds,
    fieldIds: isOfOne && draft.fieldIds.length > 0 && draft.events.includes('record.updated') ? draft.fieldIds : null,
    viewId: isOfOne && isOfView(draft) && draft.viewId !== '' ? draft.viewId : null,
    filter:
      !isOfOne || (before === null && after === null)
        ? null
        : { ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) },
    withValues: draft.withValues,
    fieldKeyType: draft.fieldKeyType,
  };
};
