// The chain of history: for every record and field each entry's `after` is the next one's `before`, and the last
// `after` is the cell.
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { Caller } from './caller.ts';

interface Watched {
  call: Caller;
  tableId: string;
}

interface Entry {
  recordId: string;
  fieldId: string;
  before: { data: unknown };
  after: { data: unknown };
}

/** All of the history, oldest first. */
const allEntries = async (table: Watched): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const page: { body: { historyList: Entry[]; nextCursor: string | null } } = (await table.call(listTableHistory, {
      params: { tableId: table.tableId },
      query: { take: 1_000, ...(cursor === null ? {} : { cursor }) },
    })) as never;
    entries.push(...page.body.historyList);
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  return entries.reverse();
};

/** Titles follow the linked records, and are no change of the cell. */
export const linkedOnly = (cell: unknown): unknown =>
  Array.isArray(cell)
    ? cell.map(linkedOnly)
    : typeof cell === 'object' && cell !== null && 'id' in cell
      ? cell.id
      : cell;

/** Every place where the chain is broken, in words; empty when it holds. `told`: what of a cell counts. */
export const chainFaults = async (table: Watched, told = (cell: unknown): unknown => cell): Promise<string[]> => {
  const faults: string[] = [];
  const text = (cell: unknown): string => JSON.stringify(told(cell ?? null));
  const last = new Map<string, unknown>();
  for (const entry of await allEntries(table)) {
    const cell = `${entry.recordId}/${entry.fieldId}`;
    if (last.has(cell) && text(last.get(cell)) !== text(entry.before.data)) {
      faults.push(`${cell}: ${JSON.stringify(last.get(cell))} is followed by ${JSON.stringify(entry.before.data)}`);
    }
    last.set(cell, entry.after.data);
  }
  if (last.size === 0) faults.push('there is no history at all');
  const { body } = await table.call(listRecords, {
    params: { tableId: table.tableId },
    query: { take: 1_000, fieldKeyType: 'id' },
  });
  for (const record of body.records) {
    for (const [cell, value] of last) {
      const [recordId, fieldId] = cell.split('/') as [string, string];
      if (recordId === record.id && text(record.fields[fieldId]) !== text(value)) {
        faults.push(
          `${cell}: the history ends with ${JSON.stringify(value)}, the cell holds ${JSON.stringify(record.fields[fieldId])}`,
        );
      }
    }
  }
  return faults;
};
