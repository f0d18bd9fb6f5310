// The part of a table that is looked at. Records are loaded in pages around the visible rows and forgotten when
// they are far away, so that a table of a million records costs no more than one of a thousand.
import type { RecordVo } from '@rowhouse/contract/record.ts';

export interface RecordSource {
  load(skip: number, take: number, signal: AbortSignal): Promise<RecordVo[]>;
  count(signal: AbortSignal): Promise<number>;
}

export interface RecordWindow {
  subscribe(listener: () => void): () => void;
  /** Grows with every change, for useSyncExternalStore. */
  version(): number;
  /** undefined until it is known. */
  rowCount(): number | undefined;
  error(): unknown;
  at(row: number): RecordVo | undefined;
  rowOf(recordId: string): number | undefined;
  find(recordId: string): RecordVo | undefined;
  /** Says which rows are visible. */
  look(first: number, last: number): void;
  /** Takes records as the server answered them. */
  take(records: readonly RecordVo[]): void;
  /** A new record at the end. */
  append(records: readonly RecordVo[]): void;
  /** Loads everything that is shown again; what is there stays until then. */
  reload(): Promise<void>;
  close(): void;
}

export const pageSize = 200;
const keptPages = 40;

export const createRecordWindow = (source: RecordSource): RecordWindow => {
  const pages = new Map<number, RecordVo[]>();
  const stale = new Set<number>();
  const loading = new Map<number, AbortController>();
  const listeners = new Set<() => void>();
  let visible = { first: 0, last: pageSize - 1 };
  let count: number | undefined;
  let failure: unknown = null;
  let version = 0;
  let generation = 0;
  // The last page was seen since the last reload, so nobody has to count.
  let counted = false;
  let closed = false;

  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };

  const wantedPages = (): number[] => {
    const first = Math.max(0, Math.floor((visible.first - 60) / pageSize));
    const lastRow = Math.min(visible.last + 60, Math.max(0, (count ?? pageSize) - 1));
    const last = Math.max(first, Math.floor(lastRow / pageSize));
    return Array.from({ length: Math.min(last - first + 1, 6) }, (_item, index) => first + index);
  };

  const forgetFar = (): void => {
    const middle = (visible.first + visible.last) / 2 / pageSize;
    const far = [...pages.keys()].sort((one, other) => Math.abs(other - middle) - Math.abs(one - middle));
    for (const page of far.slice(0, Math.max(0, pages.size - keptPages))) pages.delete(page);
  };

  const loadPage = async (page: number): Promise<void> => {
    const controller = new AbortController();
    loading.set(page, controller);
    const asked = generation;
    try {
      const records = await source.load(page * pageSize, pageSize, controller.signal);
      if (closed || asked !== generation) return;
      pages.set(page, records);
      stale.delete(page);
      failure = null;
      if (records.length < pageSize && (records.length > 0 || page === 0)) {
        count = page * pageSize + records.length;
        counted = true;
      }
      forgetFar();
      changed();
    } catch (error) {
      if (controller.signal.aborted || closed) return;
      failure = error;
      changed();
    } finally {
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

  const recount = async (): Promise<void> => {
    const asked = generation;
    try {
      const answer = await source.count(new AbortController().signal);
      if (closed || asked !== generation || counted) return;
      count = answer;
      changed();
    } catch (error) {
      failure = error;
      changed();
    }
  };

  const rowOf = (recordId: string): number | undefined => {
    for (const [page, records] of pages) {
      const index = records.findIndex((record) => record.id === recordId);
      if (index >= 0) return page * pageSize + index;
    }
    return undefined;
  };
  const at = (row: number): RecordVo | undefined => pages.get(Math.floor(row / pageSize))?.[row % pageSize];

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    rowCount: () => count,
    error: () => failure,
    at,
    rowOf,
    find: (recordId) => {
      const row = rowOf(recordId);
      return row === undefined ? undefined : at(row);
    },
    look(first, last) {
      visible = { first, last };
      void fill();
    },
    take(records) {
      for (const record of records) {
        const row = rowOf(record.id);
        if (row === undefined) continue;
        (pages.get(Math.floor(row / pageSize)) as RecordVo[])[row % pageSize] = record;
      }
      changed();
    },
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
      await fill();
      if (!counted) await recount();
    },
    close() {
      closed = true;
      for (const controller of loading.values()) controller.abort();
    },
  };
};
