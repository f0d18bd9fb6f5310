// The part of a table that is looked at. Records are loaded in pages around the visible places and forgotten when
// they are far away, so that a table of a million records costs no more than one of a thousand. A place is where a
// record stands in the order of the view, from 0 on; rows of a grouped grid are another matter (group/group-rows.ts).
import type { GroupPoint, RecordVo } from '@rowhouse/contract/record.ts';
import { pageSize } from './first-questions.ts';
import { createChangeLog, type RecordChange } from './record-changes.ts';

export interface Size {
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
  /** Reads records anew and takes them as the server answers them. */
  read(load: () => Promise<RecordVo[]>): Promise<void>;
  /** Changes some cells of records that are there. A page that is being read gets them too, unless it will know them. */
  change(changes: readonly RecordChange[], options?: { alsoInPages?: boolean }): void;
  /** A new record at the end. */
  append(records: readonly RecordVo[]): void;
  /** Loads everything that is shown again; what is there stays until then. */
  reload(): Promise<void>;
  close(): void;
}

const keptPages = 40;
const maxWanted = 12;

/** The first records and their number come together or nearly so: what is drawn once is there sooner. */
const inAMoment = (expected: Promise<void> | undefined): Promise<void> => Promise.race([expected, new Promise<void>((done) => setTimeout(done, 50))]);

export const createRecordWindow = (source: RecordSource): RecordWindow => {
  const pages = new Map<number, RecordVo[]>();
  const stale = new Set<number>();
  const loading = new Map<number, AbortController>();
  const listeners = new Set<() => void>();
  const log = createChangeLog();
  let visible: readonly Range[] = [[0, pageSize - 1]];
  let count: number | undefined;
  let groups: readonly GroupPoint[] | undefined;
  let failure: unknown = null;
  let version = 0;
  let generation = 0;
  // The last page was seen since the last reload, so nobody has to count.
  let counted = false;
  let closed = false;
  let filling: Promise<void> | undefined;
  let measuring: Promise<void> | undefined;

  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };

  const wantedPages = (): number[] => {
    const wanted = new Set<number>();
    for (const [from, to] of visible) {
      const first = Math.max(0, Math.floor((from - 60) / pageSize));
      const last = Math.max(first, Math.floor(Math.min(to + 60, Math.max(0, (count ?? pageSize) - 1)) / pageSize));
      for (let page = first; page <= last && wanted.size < maxWanted; page += 1) wanted.add(page);
    }
    return [...wanted];
  };

  const forgetFar = (): void => {
    const wanted = wantedPages();
    const distance = (page: number): number => Math.min(...wanted.map((near) => Math.abs(page - near)));
    const far = [...pages.keys()].sort((one, other) => distance(other) - distance(one));
    for (const page of far.slice(0, Math.max(0, pages.size - keptPages))) pages.delete(page);
  };

  const loadPage = async (page: number): Promise<void> => {
    const controller = new AbortController();
    loading.set(page, controller);
    const asked = generation;
    const since = log.begin();
    try {
      const records = await source.load(page * pageSize, pageSize, controller.signal);
      if (closed || asked !== generation) return;
      pages.set(page, records.map((record) => log.applySince(since, record)));
      stale.delete(page);
      failure = null;
      if (records.length < pageSize && (records.length > 0 || page === 0)) {
        count = page * pageSize + records.length;
        counted = true;
      }
      // Shown before the rest is counted, unless that is known in a moment.
      if (count === undefined) await inAMoment(measuring);
      if (closed || asked !== generation) return;
      count ??= page * pageSize + records.length;
      forgetFar();
      changed();
    } catch (error) {
      if (controller.signal.aborted || closed) return;
      failure = error;
      changed();
    } finally {
      log.end(since);
      if (loading.get(page) === controller) loading.delete(page);
    }
  };

  const fill = async (): Promise<void> => {
    const wanted = wantedPages();
    for (const [page, controller] of loading) {
      if (wanted.includes(page)) continue;
      controller.abort();
      loading.delete(page);
    }
    await Promise.all(wanted.filter((page) => (!pages.has(page) || stale.has(page)) && !loading.has(page)).map(loadPage));
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

  const placeOf = (recordId: string): number | undefined => {
    for (const [page, records] of pages) {
      const index = records.findIndex((record) => record.id === recordId);
      if (index >= 0) return page * pageSize + index;
    }
    return undefined;
  };
  const at = (place: number): RecordVo | undefined => pages.get(Math.floor(place / pageSize))?.[place % pageSize];
  const change: RecordWindow['change'] = (changes, { alsoInPages = true } = {}) => {
    if (alsoInPages) log.add(changes);
    for (const item of changes) {
      const place = placeOf(item.id);
      const record = place === undefined ? undefined : at(place);
      if (place !== undefined && record !== undefined) (pages.get(Math.floor(place / pageSize)) as RecordVo[])[place % pageSize] = item.apply(record);
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
    find: (recordId) => {
      const place = placeOf(recordId);
      return place === undefined ? undefined : at(place);
    },
    look(ranges) {
      visible = ranges;
      // Before the first loading it is only noted.
      if (generation > 0) void fill();
    },
    async read(load) {
      const since = log.begin();
      try {
        const records = await load();
        change(
          records.map((record) => ({ id: record.id, apply: () => log.applySince(since, record) })),
          { alsoInPages: false },
        );
      } finally {
        log.end(since);
      }
    },
    change,
    append(records) {
      for (const record of records) {
        if (count === undefined) return;
        const page = Math.floor(count / pageSize);
        if (count % pageSize === 0) pages.set(page, [record]);
        else pages.get(page)?.push(record);
        count += 1;
      }
      changed();
    },
    async reload() {
      closed = false;
      generation += 1;
      for (const controller of loading.values()) controller.abort();
      loading.clear();
      const wanted = wantedPages();
      for (const page of pages.keys()) {
        if (wanted.includes(page)) stale.add(page);
        else pages.delete(page);
      }
      counted = false;
      if (source.isGrouped() || count === undefined) {
        filling = fill();
        measuring = measure();
        await Promise.all([filling, measuring]);
      } else {
        await fill();
        if (!counted || groups !== undefined) await measure();
      }
    },
    close() {
      closed = true;
      for (const controller of loading.values()) controller.abort();
    },
  };
};
