// The history of a table, read on from where it was read to before: each entry's `after` is the next one's `before`,
// and the last is the cell.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { Line } from './client.ts';
import type { Failures } from './failures.ts';

export type Records = Map<string, Record<string, unknown>>;

/** By field id, in the order of the view. */
export const readRecords = async ({ call }: Line, tableId: string, viewId?: string): Promise<Records> => {
  const records: Records = new Map();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = {
      take: 1_000,
      fieldKeyType: 'id' as const,
      ...(viewId === undefined ? {} : { viewId }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page: { status: number; body: ResponseOf<typeof listRecords> } = await call(listRecords, {
      params: { tableId },
      query,
    });
    if (page.status !== 200) throw new Error(`the records cannot be read: ${JSON.stringify(page.body)}`);
    for (const record of page.body.records) records.set(record.id, record.fields);
    cursor = page.body.extra?.nextCursor ?? null;
  }
  return records;
};

export interface Chain {
  /** Record and field → the value that the history ends with, as JSON. */
  ends: Map<string, string>;
  /** The newest entry that was read. */
  newest: string | undefined;
}

export const emptyChain = (): Chain => ({ ends: new Map(), newest: undefined });

type Entry = ResponseOf<typeof listTableHistory>['historyList'][number];

/** Oldest first. */
const newEntries = async ({ call }: Line, tableId: string, newest: string | undefined): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (let cursor: string | null = null; ; ) {
    const { status, body }: { status: number; body: ResponseOf<typeof listTableHistory> } = await call(
      listTableHistory,
      { params: { tableId }, query: { take: 1_000, ...(cursor === null ? {} : { cursor }) } },
    );
    if (status !== 200) throw new Error(`the history was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    const end = body.historyList.findIndex(({ id }) => id === newest);
    entries.push(...(end < 0 ? body.historyList : body.historyList.slice(0, end)));
    cursor = body.nextCursor;
    if (end >= 0 || cursor === null) return entries.reverse();
  }
};

/** Answers `record:value` of each entry that is new. */
export const readChain = async (
  line: Line,
  tableId: string,
  chain: Chain,
  failures: Failures,
): Promise<Set<string>> => {
  const entries = await newEntries(line, tableId, chain.newest);
  for (const { recordId, fieldId, before, after } of entries) {
    const cell = `${recordId}/${fieldId}`;
    const end = chain.ends.get(cell);
    failures.demand(
      end === undefined || end === JSON.stringify(before.data),
      () => `the chain of ${cell} is broken: ${end} is followed by ${JSON.stringify(before.data)}`,
    );
    chain.ends.set(cell, JSON.stringify(after.data));
  }
  chain.newest = entries.at(-1)?.id ?? chain.newest;
  return new Set(entries.map(({ recordId, after }) => `${recordId}:${JSON.stringify(after.data)}`));
};

/** `fieldIds`: those that are there still. */
export const checkEnds = (
  { ends }: Chain,
  records: Records,
  fieldIds: ReadonlySet<string>,
  failures: Failures,
): void => {
  for (const [cell, end] of ends) {
    const [recordId, fieldId] = cell.split('/') as [string, string];
    const fields = records.get(recordId);
    if (fields === undefined || !fieldIds.has(fieldId)) continue;
    const value = JSON.stringify(fields[fieldId] ?? null);
    failures.demand(value === end, () => `${cell} holds ${value}, its history ends with ${end}`);
  }
};
