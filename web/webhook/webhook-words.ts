// What a webhook is, in words for people.
import type { Webhook, WebhookEvent } from '@rowhouse/contract/webhook.ts';
import type { Tone } from '../ui/mark.tsx';

export const eventWords: Record<WebhookEvent, { label: string; note: string }> = {
  'record.created': { label: 'Record created', note: 'Also by imports, forms and pasting' },
  'record.updated': { label: 'Record updated', note: 'One of its cells changed' },
  'record.deleted': { label: 'Record deleted', note: 'Put into the trash' },
  'record.restored': { label: 'Record restored', note: 'Back from the trash' },
  'view.entered': { label: 'Record enters a view', note: 'It meets the filter, and did not before' },
  'view.left': { label: 'Record leaves a view', note: 'It no longer meets the filter' },
  'field.changed': { label: 'Fields changed', note: 'Added, changed or deleted' },
  'view.changed': { label: 'Views changed', note: 'Added, changed or deleted' },
  'table.changed': { label: 'Tables changed', note: 'Added, renamed or deleted' },
  'comment.changed': { label: 'Comments changed', note: 'Written, changed or deleted' },
};

export const eventNames = Object.keys(eventWords) as WebhookEvent[];

/** Also of one that this version of the app does not know, such as that of a test. */
export const eventLabel = (event: string): string =>
  eventWords[event as WebhookEvent]?.label ?? (event === 'webhook.test' ? 'Test' : event);

export const stateWords: Record<Webhook['state'], { label: string; tone: Tone }> = {
  on: { label: 'On', tone: 'good' },
  off: { label: 'Off', tone: 'idle' },
  paused: { label: 'Paused', tone: 'warn' },
  stopped: { label: 'Stopped', tone: 'bad' },
};
