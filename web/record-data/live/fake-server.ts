// For tests: a server of one table with a feed, streams that are cut, and answers that take their time. Everything that the app
// shows of it goes through its real modules. All delays come from one seed, so a failure can be seen again.
import { vi } from 'vitest';

interface FakeRecord {
  id: string;
  fields: Record<string, unknown>;
}

interface FeedEntry {
  seq: number;
  name: string;
  data: object;
}

export const createRandom = (seed: number): (() => number) => {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
};

export const createFakeServer = (random: () => number) => {
  const records = new Map<string, FakeRecord>();
  const feed: FeedEntry[] = [];
  const streams = new Set<FakeSource>();
  let seq = 100;
  let oldest = 100;
  let isAway = false;
  let refuses = false;
  const delay = (most: number): Promise<void> =>
    new Promise((done) => setTimeout(done, Math.floor(random() * random() * most)));

  /** As browsers have it: after a cut it connects again by itself and says what it heard last; after a refusal it does not. */
  class FakeSource extends EventTarget {
    static readonly CLOSED = 2;
    readyState = 0;
    lastId: string | undefined;
    private attempt = 0;
    readonly url: string;
    constructor(url: string) {
      super();
      this.url = url;
      this.lastId = new URL(url, 'http://rowhouse').searchParams.get('lastEventId') ?? undefined;
      void this.connect();
    }
    private async connect(): Promise<void> {
      this.attempt += 1;
      const { attempt } = this;
      await delay(300);
      if (this.readyState === 2 || attempt !== this.attempt) return;
      if (refuses) return this.end();
      if (isAway) return this.cut();
      streams.add(this);
      // The headers are sent: everything from here on is told, after a while on the way.
      const from = this.lastId === undefined ? seq : Number(this.lastId);
      const isTooOld = from < oldest;
      this.say(isTooOld ? 'reload' : 'ready', {}, isTooOld ? seq : from);
      this.readyState = 1;
      if (!isTooOld) for (const entry of feed) if (entry.seq > from) this.say(entry.name, entry.data, entry.seq);
    }
    private inOrder: Promise<void> = Promise.resolve();
    say(name: string, data: object, id: number): void {
      const { attempt } = this;
      this.inOrder = this.inOrder.then(async () => {
        await delay(200);
        if (this.readyState === 2 || attempt !== this.attempt) return;
        this.lastId = String(id);
        this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data), lastEventId: String(id) }));
      });
    }
    cut(): void {
      streams.delete(this);
      if (this.readyState === 2) return;
      this.readyState = 0;
      this.attempt += 1;
      const { attempt } = this;
      this.dispatchEvent(new Event('error'));
      setTimeout(() => this.readyState !== 2 && attempt === this.attempt && void this.connect(), 1_000);
    }
    private end(): void {
      this.readyState = 2;
      this.dispatchEvent(new Event('error'));
    }
    close(): void {
      streams.delete(this);
      this.readyState = 2;
    }
  }

  const tell = (name: string, data: object): void => {
    seq += 1;
    feed.push({ seq, name, data });
    for (const stream of streams) stream.say(name, data, seq);
  };

  const answer = (url: URL): unknown => {
    if (url.pathname.endsWith('/row-count')) return { rowCount: records.size };
    if (!url.pathname.endsWith('/record')) return [];
    const ids = url.searchParams.getAll('selectedRecordIds[]');
    const filter = JSON.parse(url.searchParams.get('filter') ?? 'null') as {
      filterSet: { fieldId: string; value: unknown }[];
    } | null;
    const found = [...records.values()].filter(
      ({ id, fields }) =>
        (ids.length === 0 || ids.includes(id)) &&
        (filter?.filterSet ?? []).every(({ fieldId, value }) => (fields[fieldId] ?? null) === value),
    );
    return { records: structuredClone(found) };
  };

  const fetch = async (input: string, init: { signal?: AbortSignal } = {}): Promise<Response> => {
    const aborted = (): void => init.signal?.throwIfAborted();
    await delay(200);
    aborted();
    if (isAway) throw new TypeError('Failed to fetch');
    const body = JSON.stringify(answer(new URL(input, 'http://rowhouse')));
    await delay(600);
    aborted();
    if (isAway) throw new TypeError('Failed to fetch');
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };

  return {
    records,
    tell,
    start(): void {
      vi.stubGlobal('EventSource', FakeSource);
      vi.stubGlobal('fetch', fetch);
      const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
      vi.stubGlobal('document', page);
      vi.stubGlobal('window', page);
    },
    /** The network goes; with `forgets` the feed before its return is no longer there. */
    goAway(): void {
      isAway = true;
      for (const stream of [...streams]) stream.cut();
    },
    comeBack(forgets: boolean): void {
      isAway = false;
      refuses = false;
      if (forgets) oldest = seq;
    },
    refuse(): void {
      refuses = true;
      for (const stream of [...streams]) stream.cut();
    },
  };
};
