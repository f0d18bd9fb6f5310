import { beforeEach, expect, test, vi } from 'vitest';
import { createStreamHub, type StreamMessage } from './stream-hub.ts';

/** What the browser has, as far as the hub asks for it. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.opened.push(this);
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
  tell(name: string, id: string): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: '{}', lastEventId: id }));
  }
}

beforeEach(() => {
  FakeSource.opened = [];
  vi.stubGlobal('EventSource', FakeSource);
});

test('a stream that is opened again goes on where it was heard last, also when nothing had happened by then', () => {
  const hub = createStreamHub();
  const told: StreamMessage[] = [];
  const stop = hub.listen('/events', (message) => told.push(message));
  FakeSource.opened[0]?.tell('ready', '41');
  stop();
  hub.listen('/events', (message) => told.push(message));
  expect(FakeSource.opened.map(({ url }) => url)).toEqual(['/events', '/events?lastEventId=41']);
  FakeSource.opened[1]?.tell('records.deleted', '42');
  expect(told).toEqual([{ kind: 'event', name: 'records.deleted', data: '{}' }]);
});

test('after a refusal it is opened again from there, and everybody is told to read again', () => {
  vi.useFakeTimers();
  try {
    const hub = createStreamHub();
    const told: StreamMessage[] = [];
    hub.listen('/events', (message) => told.push(message));
    const [first] = FakeSource.opened;
    first?.tell('ready', '7');
    first?.close();
    first?.dispatchEvent(new Event('error'));
    vi.advanceTimersByTime(5_000);
    expect([FakeSource.opened.at(-1)?.url, told]).toEqual(['/events?lastEventId=7', [{ kind: 'gap' }]]);
  } finally {
    vi.useRealTimers();
  }
});
