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
  told.length = 0;
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
    told.length = 0;
    first?.close();
    first?.dispatchEvent(new Event('error'));
    // At once: those whose access has ended hear of it by that alone.
    expect(told).toEqual([{ kind: 'refused' }]);
    vi.advanceTimersByTime(5_000);
    expect([FakeSource.opened.at(-1)?.url, told]).toEqual([
      '/events?lastEventId=7',
      [{ kind: 'refused' }, { kind: 'gap' }],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('a stream that begins or begins again without a position has everything read again once it stands', () => {
  const hub = createStreamHub();
  const told: StreamMessage[] = [];
  hub.listen('/events', (message) => told.push(message));
  const [source] = FakeSource.opened;
  // Cut before it was ready: the browser opens it again by itself, and cannot say what it heard last.
  source?.dispatchEvent(new Event('error'));
  source?.tell('ready', '12');
  expect(told).toEqual([{ kind: 'gap' }]);
  // From here on the browser says where it was.
  source?.dispatchEvent(new Event('error'));
  source?.tell('ready', '12');
  expect(told).toEqual([{ kind: 'gap' }]);
  source?.tell('reload', '40');
  expect(told).toEqual([{ kind: 'gap' }, { kind: 'gap' }]);
});

test('four streams are open at most: others read again every few seconds, and take the place of one that is closed', () => {
  vi.useFakeTimers();
  try {
    const hub = createStreamHub();
    const told = new Map<string, StreamMessage[]>();
    const stops = ['/1', '/2', '/3', '/4', '/5', '/6'].map((url) => {
      told.set(url, []);
      return hub.listen(url, (message) => told.get(url)?.push(message));
    });
    expect(FakeSource.opened.map(({ url }) => url)).toEqual(['/1', '/2', '/3', '/4']);
    vi.advanceTimersByTime(10_001);
    expect([told.get('/5'), told.get('/1')]).toEqual([[{ kind: 'gap' }, { kind: 'gap' }], []]);
    // A second tab with the same table listens to the same stream.
    hub.listen('/1', (message) => told.get('/1')?.push(message));
    expect(FakeSource.opened).toHaveLength(4);
    FakeSource.opened[0]?.tell('records.created', '9');
    expect(told.get('/1')).toHaveLength(2);
    stops[1]?.();
    expect(FakeSource.opened.at(-1)?.url).toBe('/5');
    FakeSource.opened.at(-1)?.tell('ready', '10');
    expect(told.get('/5')?.at(-1)).toEqual({ kind: 'gap' });
  } finally {
    vi.useRealTimers();
  }
});
