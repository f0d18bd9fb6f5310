// What edits are sent as, and what the server's answers to them say.
import { ApiError } from '@rowhouse/contract/error.ts';
import { onConnectionReturn } from '../app/connection.ts';

/** For a cell of which nobody knows what it was: it is not compared. */
export const unseen = Symbol('unseen');

export interface CellChange {
  recordId: string;
  fieldId: string;
  value: unknown;
  /** What the cell was when the change was made; what somebody else wrote into it since is not overwritten. */
  before: unknown;
}

export interface ChangedRecord {
  id: string;
  fields: Record<string, unknown>;
  before?: Record<string, unknown>;
}

export const bySameRecord = (changes: readonly CellChange[]): ChangedRecord[] => {
  const records = new Map<string, ChangedRecord>();
  for (const { recordId, fieldId, value, before } of changes) {
    const record = records.get(recordId) ?? { id: recordId, fields: {} };
    record.fields[fieldId] = value ?? null;
    if (before !== unseen) record.before = { ...record.before, [fieldId]: before ?? null };
    records.set(recordId, record);
  }
  return [...records.values()];
};

/** Who wrote what a cell holds now, and when. Absent for those who do not see the history, or when it holds nothing of it. */
export interface Writer {
  /** Null: nobody with an account. */
  by?: { id: string; name: string } | null;
  time?: string;
}

interface PresentCell extends Writer {
  recordId: string;
  field: string;
  value: unknown;
}

/** Cells that somebody else changed meanwhile, as they are now. */
export const presentIn = (error: unknown): PresentCell[] => {
  const data =
    error instanceof ApiError && error.code === 'conflict'
      ? (error.data as { present?: unknown } | undefined)
      : undefined;
  return Array.isArray(data?.present) ? (data.present as PresentCell[]) : [];
};

/** The records, or else the fields, that the server says are not there. */
export const goneIn = (error: unknown): { what: 'record' | 'field'; ids: ReadonlySet<string> } => {
  const data =
    error instanceof ApiError && error.code === 'not_found'
      ? (error.data as { recordIds?: string[]; fields?: { key: string }[] } | undefined)
      : undefined;
  return data?.fields === undefined
    ? { what: 'record', ids: new Set(data?.recordIds ?? []) }
    : { what: 'field', ids: new Set(data.fields.map(({ key }) => key)) };
};

/** Only a server that did not answer at all is asked again. */
export const untilAnswered = async <T>(action: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (error instanceof ApiError) throw error;
      await new Promise<void>((resolve) => {
        const stop = onConnectionReturn(() => {
          stop();
          resolve();
        });
      });
    }
  }
};
