// Answers that were asked for before the app was there. Anyone who asks the same then gets the answer that is on its way.
import { type Address, addressOf } from '@rowhouse/contract/client.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { streamUrl, viewingHeaders } from './viewing.ts';

const answers = new Map<string, Promise<Response>>();

export const askEarly = <const D extends Declaration>(endpoint: D, address: Address<D>): Promise<Response> => {
  const url = `/api${addressOf(endpoint, address)}`;
  const answer = fetch(url, { headers: viewingHeaders(url) });
  // Anyone who takes it is told.
  answer.catch(() => undefined);
  answers.set(url, answer);
  return answer;
};

/** Given out once: anyone who asks again wants to know how things are by then. */
export const takeEarly = (url: string): Promise<Response> | undefined => {
  const answer = answers.get(url);
  answers.delete(url);
  return answer;
};

export const forgetEarly = (): void => answers.clear();

const positions = new Map<string, string>();
const asked = new Map<string, Promise<void>>();

const listenForPosition = (tableId: string, beside: Promise<unknown>, patience: number): Promise<void> =>
  new Promise((done) => {
    const source = new EventSource(streamUrl(`/api/table/${encodeURIComponent(tableId)}/events`));
    const finish = (position: string): void => {
      clearTimeout(timer);
      source.close();
      positions.set(tableId, position);
      done();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitOn = (): void => {
      if (source.readyState !== EventSource.CLOSED) timer = setTimeout(() => finish(''), patience);
    };
    beside.then(waitOn, waitOn);
    source.addEventListener('ready', ({ lastEventId }: MessageEvent<string>) => finish(lastEventId));
    source.addEventListener('error', () => finish(''));
  });

/**
 * Where the feed of a table stood before its records were asked for: the stream begins there, so that nothing falls between, and nothing has to be
 * read again when it opens. Empty when it could not be had: something between here and the server may hold streams back. It is waited for as long
 * as `beside` takes, and `patience` milliseconds more. Asked once per table: later the streams know how far they were heard.
 */
export const askPosition = (tableId: string, beside: Promise<unknown>, patience = 1_000): Promise<void> => {
  const known = asked.get(tableId);
  if (known !== undefined) return known;
  const position = listenForPosition(tableId, beside, patience);
  asked.set(tableId, position);
  return position;
};

export const takePosition = (tableId: string): string | undefined => {
  const position = positions.get(tableId);
  positions.delete(tableId);
  return position;
};
