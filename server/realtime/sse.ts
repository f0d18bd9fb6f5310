// The signals form of Server-Sent Events.
import type { EventName } from '@rowhouse/contract/event.ts';

/** `data` is JSON text, which has no line breaks. */
export const eventText = (name: EventName, data: string, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;

/** Tells the browser to come back after two seconds, and proxies not to wait for more. */
export const opening = 'retry: 2000\n\n';

/** The same for somebody who brings no position: the browser keeps this one, and brings it when it comes back. */
export const openingAt = (since: number): string => `id: ${since}\n${opening}`;

export const heartbeat = Buffer.from(': still here\n\n');

/** Undefined when there is none, or it is not one of ours. */
export const readEventId = (header: string | string[] | undefined, query: string | undefined): number | undefined => {
  const text = [header].flat()[0] ?? query;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
};
