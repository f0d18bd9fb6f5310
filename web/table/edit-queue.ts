// Edits on their way to the server. A cell shows what was typed at once; requests go out one after another, so
// that two edits of one cell cannot overtake each other. What the server refuses stays in the cell with the reason;
// what could not be sent is sent again when the server is back.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { onConnectionReturn } from '../app/connection.ts';
import { problemText } from '../app/problem.ts';
import { mergeCells } from './merge-changes.ts';

export interface CellChange {
  recordId: string;
  fieldId: string;
  value: unknown;
  /** A list: what it was when the change was made. What others put into it since stays. */
  before?: unknown;
}

export interface ChangedRecord {
  id: string;
  fields: Record<string, unknown>;
  before?: Record<string, unknown>;
}

export interface Written {
  records: RecordVo[];
  /** What the history calls this write; absent when nothing changed. */
  operationId?: string | undefined;
}

export interface EditQueueOptions {
  send(records: ChangedRecord[], typecast: boolean, step: string | undefined): Promise<Written>;
  onSaved(written: Written, changes: readonly CellChange[]): void;
  /** Several cells were refused at once; they show their old values again. */
  onRefused(error: unknown): void;
  /** These belong to records or fields that are not there any more. What else was to be written has been. */
  onGone(changes: readonly CellChange[], what: 'record' | 'field'): void;
}

export interface EditOptions {
  /** Let the server convert values that do not fit. */
  typecast?: boolean;
  onSaved?: (written: Written) => void;
  /** What it is undone with. */
  step?: string;
}

interface Pending {
  value: unknown;
  refusal?: string;
  /** With which the rest of what it came with is undone. */
  step?: string | undefined;
  command: object;
}

export interface EditQueue {
  subscribe(listener: () => void): () => void;
  version(): number;
  edit(changes: readonly CellChange[], options?: EditOptions): Promise<boolean>;
  /** Does something else with the records, when everything before it has been answered. */
  inTurn<T>(action: () => Promise<T>): Promise<T>;
  /** What the cell shows: the edit that is on its way, else what the server said. */
  valueOf(record: RecordVo, fieldId: string): unknown;
  refusalOf(recordId: string, fieldId: string): string | undefined;
  /** Puts text that cannot be understood into the cell, with the reason. */
  refuse(recordId: string, fieldId: string, value: unknown, reason: string, step?: string): void;
  /** What was refused as part of this step goes: the step is undone. */
  forgetRefused(step: string): void;
  isSaving(): boolean;
  /** A record that was shown before the server had made it has its id now. */
  rename(temporaryId: string, recordId: string): void;
  idOf(recordId: string): string;
}

const bySameRecord = (changes: readonly CellChange[]): ChangedRecord[] => {
  const records = new Map<string, ChangedRecord>();
  for (const { recordId, fieldId, value, ...seen } of changes) {
    const record = records.get(recordId) ?? { id: recordId, fields: {} };
    record.fields[fieldId] = value ?? null;
    if ('before' in seen) record.before = { ...record.before, [fieldId]: seen.before ?? null };
    records.set(recordId, record);
  }
  return [...records.values()];
};

/** Cells that somebody else changed meanwhile, as they are now. */
const presentIn = (error: unknown): { recordId: string; field: string; value: unknown }[] => {
  const data = error instanceof ApiError && error.code === 'conflict' ? (error.data as { present?: unknown } | undefined) : undefined;
  return Array.isArray(data?.present) ? (data.present as { recordId: string; field: string; value: unknown }[]) : [];
};

/** Somebody else would have to be faster every time. */
const mostMerges = 10;

/** The records, or else the fields, that the server says are not there. */
const goneIn = (error: unknown): { what: 'record' | 'field'; ids: ReadonlySet<string> } => {
  const data = error instanceof ApiError && error.code === 'not_found' ? (error.data as { recordIds?: string[]; fields?: { key: string }[] } | undefined) : undefined;
  return data?.fields === undefined ? { what: 'record', ids: new Set(data?.recordIds ?? []) } : { what: 'field', ids: new Set(data.fields.map(({ key }) => key)) };
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

export const createEditQueue = ({ send, onSaved, onRefused, onGone }: EditQueueOptions): EditQueue => {
  const pending = new Map<string, Pending>();
  const renamed = new Map<string, string>();
  const listeners = new Set<() => void>();
  let version = 0;
  let inFlight = 0;
  let line: Promise<unknown> = Promise.resolve();

  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const keyOf = (recordId: string, fieldId: string): string => `${recordId} ${fieldId}`;

  // Edits wait in the memory of the page: who leaves it before they are sent is asked.
  const beforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

  const inTurn = async <T>(action: () => Promise<T>): Promise<T> => {
    inFlight += 1;
    window.addEventListener('beforeunload', beforeLeaving);
    changed();
    const turn = line.then(action);
    line = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      inFlight -= 1;
      if (inFlight === 0) window.removeEventListener('beforeunload', beforeLeaving);
      changed();
    }
  };

  const withIds = (changes: readonly CellChange[]): CellChange[] => changes.map((change) => ({ ...change, recordId: renamed.get(change.recordId) ?? change.recordId }));

  const settle = (changes: readonly CellChange[], command: object, refusal?: string): void => {
    for (const { recordId, fieldId } of changes) {
      const key = keyOf(recordId, fieldId);
      const waiting = pending.get(key);
      if (waiting === undefined || waiting.command !== command) continue;
      if (refusal === undefined) pending.delete(key);
      else pending.set(key, { ...waiting, refusal });
    }
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    inTurn,
    async edit(given, { typecast = false, onSaved: tell, step } = {}) {
      if (given.length === 0) return true;
      const command = {};
      let changes = given;
      for (const { recordId, fieldId, value } of withIds(changes)) pending.set(keyOf(recordId, fieldId), { value: value ?? undefined, command });
      const sendAll = async (): Promise<Written> => {
        changes = withIds(changes);
        return untilAnswered(() => send(bySameRecord(changes), typecast, step));
      };
      const sendMerged = async (): Promise<Written> => {
        for (let tries = 1; ; tries += 1) {
          try {
            return await sendAll();
          } catch (error) {
            const present = presentIn(error);
            if (present.length === 0 || tries === mostMerges) throw error;
            changes = changes.map((change) => {
              const found = present.find(({ recordId, field }) => recordId === change.recordId && field === change.fieldId);
              return found === undefined ? change : { ...change, value: mergeCells(change.before, change.value, found.value), before: found.value };
            });
            for (const { recordId, fieldId, value } of changes) {
              const waiting = pending.get(keyOf(recordId, fieldId));
              if (waiting?.command === command) pending.set(keyOf(recordId, fieldId), { ...waiting, value: value ?? undefined });
            }
            changed();
          }
        }
      };
      const withoutGone = async (error: unknown): Promise<Written> => {
        const { what, ids } = goneIn(error);
        const isLost = ({ recordId, fieldId }: CellChange): boolean => ids.has(what === 'record' ? recordId : fieldId);
        const lost = changes.filter(isLost);
        if (lost.length === 0) throw error;
        settle(lost, command);
        changes = changes.filter((change) => !isLost(change));
        onGone(lost, what);
        return changes.length === 0 ? { records: [] } : sendMerged().catch(withoutGone);
      };
      try {
        const written = await inTurn(() => sendMerged().catch(withoutGone));
        settle(changes, command);
        onSaved(written, changes);
        tell?.(written);
        return true;
      } catch (error) {
        settle(withIds(changes), command, changes.length === 1 ? problemText(error) : undefined);
        onRefused(error);
        return false;
      } finally {
        changed();
      }
    },
    valueOf(record, fieldId) {
      const waiting = pending.get(keyOf(record.id, fieldId));
      return waiting === undefined ? record.fields[fieldId] : waiting.value;
    },
    refusalOf: (recordId, fieldId) => pending.get(keyOf(recordId, fieldId))?.refusal,
    refuse(recordId, fieldId, value, reason, step) {
      pending.set(keyOf(recordId, fieldId), { value, refusal: reason, step, command: {} });
      changed();
    },
    forgetRefused(step) {
      for (const [key, waiting] of pending) if (waiting.refusal !== undefined && waiting.step === step) pending.delete(key);
      changed();
    },
    isSaving: () => inFlight > 0,
    idOf: (recordId) => renamed.get(recordId) ?? recordId,
    rename(temporaryId, recordId) {
      renamed.set(temporaryId, recordId);
      for (const [key, waiting] of pending) {
        if (!key.startsWith(`${temporaryId} `)) continue;
        pending.delete(key);
        pending.set(`${recordId}${key.slice(temporaryId.length)}`, waiting);
      }
      changed();
    },
  };
};
