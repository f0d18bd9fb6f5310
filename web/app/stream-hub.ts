// Event streams, held once for everyone who listens. A browser opens only six connections to one server, whichever of
// its tabs wants them: streams take at most four. Who has to wait is told to read again every few seconds until then.
import type { EventName } from '@rowhouse/contract/event.ts';

export type StreamMessage =
  | { kind: 'event'; name: EventName; data: string }
  | { kind: 'gap' }
  | { kind: 'refused' }
  | { kind: 'end' };
export type Tell = (message: StreamMessage) => void;

export interface StreamHub {
  /** `since`: the id of an event; everything after it is told. Answers how to stop. */
  listen(url: string, tell: Tell, since?: string): () => void;
}

interface Stream {
  url: string;
  listeners: Set<Tell>;
  source?: EventSource | undefined;
  /** What tells a state rather than a change: anyone who comes later hears it too. */
  states: Map<EventName, string>;
  lastId: string;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

const streamsAtOnce = 4;
const readAgainEvery = 5_000;
const tryAgainAfter = 4_000;
const changes: readonly EventName[] = [
  'records.created',
  'records.updated',
  'records.deleted',
  'comments.changed',
  'schema.changed',
  'view.changed',
  'tables.changed',
  'tables.touched',
  'dashboards.changed',
  'presence.cell',
  'notification.created',
];
const states: readonly EventName[] = ['presence.changed', 'notification.unread'];

const withPosition = (url: string, id: string): string =>
  id === '' ? url : `${url}${url.includes('?') ? '&' : '?'}lastEventId=${encodeURIComponent(id)}`;

export const createStreamHub = (): StreamHub => {
  const streams = new Map<string, Stream>();
  /** How far a stream was heard when it was closed: anyone who opens it again reads before it is open, and would miss what happens in between. */
  const heard = new Map<string, string>();

  const tellAll = ({ listeners }: Stream, message: StreamMessage): void => {
    for (const tell of listeners) tell(message);
  };
  const close = (stream: Stream): void => {
    clearTimeout(stream.timer);
    stream.source?.close();
    stream.source = undefined;
    if (streams.get(stream.url) === stream) streams.delete(stream.url);
    if (stream.lastId !== '') heard.set(stream.url, stream.lastId);
    const next = [...streams.values()].find(({ source }) => source === undefined);
    if (next !== undefined) open(next);
  };
  const open = (stream: Stream): void => {
    clearTimeout(stream.timer);
    if ([...streams.values()].filter(({ source }) => source !== undefined).length >= streamsAtOnce) {
      stream.timer = setTimeout(() => {
        tellAll(stream, { kind: 'gap' });
        open(stream);
      }, readAgainEvery);
      return;
    }
    const source = new EventSource(withPosition(stream.url, stream.lastId));
    stream.source = source;
    const pass = (name: EventName): void =>
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (lastEventId !== '') stream.lastId = lastEventId;
        if (states.includes(name)) stream.states.set(name, data);
        tellAll(stream, { kind: 'event', name, data });
      });
    [...changes, ...states].forEach(pass);
    // The position from which it tells, also when nothing happens before the next cut. If none was known, nobody knows what
    // happened between the last reading and now: everything shown is read again.
    const begin = ({ lastEventId }: MessageEvent<string>, isGap: boolean): void => {
      const wasUnknown = stream.lastId === '';
      if (lastEventId !== '') stream.lastId = lastEventId;
      if (isGap || wasUnknown) tellAll(stream, { kind: 'gap' });
    };
    source.addEventListener('ready', (event: MessageEvent<string>) => begin(event, false));
    source.addEventListener('reload', (event: MessageEvent<string>) => begin(event, true));
    source.addEventListener('end', () => {
      tellAll(stream, { kind: 'end' });
      close(stream);
    });
    // The browser tries again by itself after a cut, but not after a refusal.
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED || stream.source !== source) return;
      tellAll(stream, { kind: 'refused' });
      stream.timer = setTimeout(() => {
        stream.source = undefined;
        open(stream);
        tellAll(stream, { kind: 'gap' });
      }, tryAgainAfter);
    });
  };

  return {
    listen(url, tell, since = '') {
      const found = streams.get(url);
      const stream = found ?? {
        url,
        listeners: new Set<Tell>(),
        states: new Map<EventName, string>(),
        lastId: since === '' ? (heard.get(url) ?? '') : since,
      };
      stream.listeners.add(tell);
      if (found === undefined) {
        streams.set(url, stream);
        open(stream);
      } else {
        for (const [name, data] of found.states) tell({ kind: 'event', name, data });
        if (since !== '' && Number(found.lastId) > Number(since)) tell({ kind: 'gap' });
      }
      return () => {
        stream.listeners.delete(tell);
        if (stream.listeners.size === 0) close(stream);
      };
    },
  };
};
