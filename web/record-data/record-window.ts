// The part of a table that is looked at. Records are loaded in pages around the visible places and forgotten when
// they are far away, so that a table of a million records costs no more than one of a thousand. A place is where a
// record stands in the order of the view, from 0 on; rows of a grouped grid are another matter (group/group-rows.ts).
import type { GroupPoint, RecordVo } from '@rowhouse/contract/record.ts';
import { pageSize } from './first-questions.ts';
import { createChangeLog, type RecordChange } from './record-changes.ts';

interface Size {
  count: number;
  /** Of a grouped view. */
  groups?: readonly GroupPoint[] | undefined;
}

export interface RecordSource {
  load(skip: number, take: number, signal: AbortSignal): Promise<RecordVo[]>;
  size(signal: AbortSignal): Promise<Size>;
  /** Whether the size must be asked for even when the last page was seen. */
  isGrouped(): boolean;
}

export type Range = readonly [first: number, last: number];

const firstPage: readonly Range[] = [[0, pageSize - 1]];

export interface RecordWindow {
  subscribe(listener: () => void): () => void;
  /** Grows with every change, for useSyncExternalStore. */
  version(): number;
  /** undefined until it is known. */
  rowCount(): number | undefined;
  groups(): readonly GroupPoint[] | undefined;
  error(): unknown;
  at(place: number): RecordVo | undefined;
  placeOf(recordId: string): number | undefined;
  find(recordId: string): RecordVo | undefined;
  /** Says which places are visible. */
  look(ranges: readonly Range[]): void;
  /** This record stays known and up to date, wherever one looks and wherever it goes: the cursor is in it. */
  keep(record: RecordVo | undefined): void;
  /** This record was just made: it is known until it is forgotten, whether the server's pages have it or not. */
  keepNew(record: RecordVo): void;
  forgetNew(recordId: string): void;
  /** Nothing moves until what this answers is called: somebody drags what stands there. */
  pause(): () => void;
  /** How often everything was read. */
  reads(): number;
  /** Reads records again and takes them as the server answers them. */
  read(load: () => Promise<RecordVo[]>): Promise<void>;
  /** Changes some cells of records that are there. A page that is being read gets them too, unless it will know them. */
  change(changes: readonly RecordChange[], options?: { alsoInPages?: boolean }): void;
  /** Loads everything that is shown again; what is there stays until then. */
  reload(): Promise<void>;
  close(): void;
}

const keptPages = 40;
const maxWanted = 12;

/** The first records and their number come together or nearly so: what is drawn once is there sooner. */
const inAMoment = (expected: Promise<void> | undefined): Promise<void> =>
  Promise.race([expected, new Promise<void>((done) => setTimeout(done, 50))]);

interface ReadPage {
  length: number;
  /** Shows it, with everything that changed while it was on its way. */
  take(): void;
  drop(): void;
}

export const createRecordWindow = (source: RecordSource): RecordWindow => {
  const pages = new Map<number, RecordVo[]>();
  /** When a page was read; what is older than the last reload is shown until its successor is there. */
  const readIn = new Map<number, number>();
  const loading = new Map<number, AbortController>();
  const listeners = new Set<() => void>();
  const log = createChangeLog();
  let visible: readonly Range[] = firstPage;
  let count: number | undefined;
  let groups: readonly GroupPoint[] | undefined;
  let failure: unknown = null;
  let version = 0;
  let generation = 0;
  // The last page was seen since the last reload, so nobody has to count.
  let counted = false;
  let closed = false;
  let kept: RecordVo | undefined;
  const fresh = new Map<string, RecordVo>();
  let reads = 0;
  let paused: Promise<void> | undefined;
  let index: Map<string, number> | undefined;
  let filling: Promise<void> | undefined;
  let measuring: Promise<void> | undefined;
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const changed = (): void => {
    version += 1;
    index = undefined;
    for (const listener of listeners) listener();
  };

  const placeOf = (recordId: string): number | undefined => {
    index ??= new Map(
      [...pages].flatMap(([page, records]) =>
        records.map((record, place): [string, number] => [record.id, page * pageSize + place]),
      ),
    );
    return index.get(recordId);
  };

  const wantedPages = (): number[] => {
    const wanted = new Set<number>();
    // Before it is known how many there are, nothing is drawn that could be looked at: the first page is on its way all the same.
    for (const [from, to] of count === undefined && visible.length === 0 ? firstPage : visible) {
      const first = Math.max(0, Math.floor((from - 60) / pageSize));
      const last = Math.max(first, Math.floor(Math.min(to + 60, Math.max(0, (count ?? pageSize) - 1)) / pageSize));
      for (let page = first; page <= last && wanted.size < maxWanted; page += 1) wanted.add(page);
    }
    const place = kept === undefined ? undefined : placeOf(kept.id);
    if (place !== undefined) wanted.add(Math.floor(place / pageSize));
    return [...wanted];
  };

  const forget = (page: number): void => {
    pages.delete(page);
    readIn.delete(page);
  };

  const forgetFar = (): void => {
    const wanted = wantedPages();
    const distance = (page: number): number => Math.min(...wanted.map((near) => Math.abs(page - near)));
    const far = [...pages.keys()].sort((one, other) => distance(other) - distance(one));
    for (const page of far.slice(0, Math.max(0, pages.size - keptPages))) forget(page);
  };

  const readPage = async (page: number): Promise<ReadPage | undefined> => {
    const controller = new AbortController();
    loading.set(page, controller);
    const asked = generation;
    const since = log.begin();
    try {
      const records = await source.load(page * pageSize, pageSize, controller.signal);
      if (closed || asked !== generation) {
        log.end(since);
        return undefined;
      }
      failure = null;
      return {
        length: records.length,
        drop: () => log.end(since),
        take: () => {
          pages.set(page, log.answered(since, records));
          readIn.set(page, asked);
          log.end(since);
          if (records.length < pageSize && (records.length > 0 || page === 0)) {
            count = page * pageSize + records.length;
            counted = true;
          }
        },
      };
    } catch (error) {
      log.end(since);
      if (controller.signal.aborted || closed) return undefined;
      failure = error;
      changed();
      return undefined;
    } finally {
      if (loading.get(page) === controller) loading.delete(page);
    }
  };

  const loadPage = async (page: number): Promise<void> => {
    const asked = generation;
    const read = await readPage(page);
    if (read === undefined) return;
    read.take();
    // Shown before the rest is counted, unless that is known in a moment.
    if (count === undefined) await inAMoment(measuring);
    if (closed || asked !== generation) return;
    count ??= page * pageSize + read.length;
    forgetFar();
    changed();
  };

  const fill = async (): Promise<void> => {
    const wanted = wantedPages();
    for (const [page, controller] of loading) {
      if (wanted.includes(page)) continue;
      controller.abort();
      loading.delete(page);
    }
    await Promise.all(wanted.filter((page) => !pages.has(page) && !loading.has(page)).map(loadPage));
  };

  const measure = async (): Promise<void> => {
    const asked = generation;
    try {
      const size = await source.size(new AbortController().signal);
      if (closed || asked !== generation) return;
      if (!counted || size.groups !== undefined) count = size.count;
      groups = size.groups;
      if (pages.size === 0) await inAMoment(filling);
      changed();
    } catch (error) {
      failure = error;
      changed();
    }
  };

  const at = (place: number): RecordVo | undefined => pages.get(Math.floor(place / pageSize))?.[place % pageSize];
  const find = (recordId: string): RecordVo | undefined => {
    const place = placeOf(recordId);
    return place === undefined ? (kept?.id === recordId ? kept : fresh.get(recordId)) : at(place);
  };

  const begin = async (): Promise<void> => {
    filling = fill();
    measuring = measure();
    await Promise.all([filling, measuring]);
  };

  /** What is shown changes at once: half of an old order and half of a new one would show a record twice, or not at all. */
  const replace = async (): Promise<void> => {
    const asked = generation;
    const isGrouped = source.isGrouped();
    const size = isGrouped ? source.size(new AbortController().signal).catch(() => undefined) : undefined;
    const [read, measured] = await Promise.all([Promise.all(wantedPages().map(readPage)), size]);
    await paused;
    if (closed || (read.includes(undefined) && failure !== null)) {
      for (const page of read) page?.drop();
      return;
    }
    kept = kept && (find(kept.id) ?? kept);
    for (const [page, moment] of readIn) if (moment < asked) forget(page);
    for (const page of read) page?.take();
    groups = isGrouped ? (measured?.groups ?? groups) : undefined;
    count = measured?.count ?? count;
    reads += 1;
    changed();
    if (measured === undefined && (!counted || isGrouped)) await measure();
    await fill();
  };

  const readAll = async (): Promise<void> => {
    generation += 1;
    for (const controller of loading.values()) controller.abort();
    loading.clear();
    counted = false;
    await (pages.size === 0 ? begin() : replace());
  };

  const start = (): Promise<void> => (reading = readAll().finally(() => (reading = undefined)));

  const change: RecordWindow['change'] = (changes, { alsoInPages = true } = {}) => {
    if (alsoInPages) log.add(changes);
    for (const item of changes) {
      const place = placeOf(item.id);
      const record = place === undefined ? undefined : at(place);
      if (place !== undefined && record !== undefined)
        (pages.get(Math.floor(place / pageSize)) as RecordVo[])[place % pageSize] = item.apply(record);
      else if (kept?.id === item.id) kept = item.apply(kept);
      const made = fresh.get(item.id);
      if (made !== undefined) fresh.set(item.id, item.apply(made));
    }
    changed();
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    rowCount: () => count,
    groups: () => groups,
    error: () => failure,
    at,
    placeOf,
    find,
    reads: () => reads,
    look(ranges) {
      visible = ranges;
      // Before the first loading it is only noted.
      if (generation > 0) void fill();
    },
    pause() {
      let resume: () => void = () => undefined;
      paused = new Promise((resolve) => (resume = resolve));
      return resume;
    },
    keep(record) {
      kept = record;
    },
    keepNew: (record) => void fresh.set(record.id, record),
    forgetNew: (recordId) => void fresh.delete(recordId),
    async read(load) {
      const since = log.begin();
      try {
        const records = log.answered(since, await load());
        change(
          records.map((record) => ({ id: record.id, apply: () => record })),
          { alsoInPages: false },
        );
      } finally {
        log.end(since);
      }
    },
    change,
    reload() {
      closed = false;
      // What is under way is not given up: changes that come faster than they are read would never be shown.
      if (reading !== undefined) return (next ??= reading.then(() => ((next = undefined), start())));
      return start();
    },
    close() {
      closed = true;
      for (const controller of loading.values()) controller.abort();
    },
  };
};
