// Edits on their way to the server. A cell shows what was typed at once; requests go out one after another, so
// that two edits of one cell cannot overtake each other. What the server refuses stays in the cell with the reason;
// what could not be sent is sent again when the server is back.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { onConnectionReturn } from '../app/connection.ts';
import { problemText } from '../app/problem.ts';

export interface CellChange {
  recordId: string;
  fieldId: string;
  value: unknown;
}

export interface EditQueueOptions {
  send(records: { id: string; fields: Record<string, unknown> }[], typecast: boolean): Promise<RecordVo[]>;
  find(recordId: string): RecordVo | undefined;
  onSaved(records: RecordVo[]): void;
  /** Several cells were refused at once; they show their old values again. */
  onRefused(error: unknown): void;
}

export interface EditOptions {
  /** Let the server convert values that do not fit. */
  typecast?: boolean;
  onSaved?: (records: RecordVo[]) => void;
}

interface Pending {
  value: unknown;
  refusal?: string;
  command: object;
}

export interface EditQueue {
  subscribe(listener: () => void): () => void;
  version(): number;
  edit(changes: readonly CellChange[], options?: EditOptions): Promise<boolean>;
  /** What the cell shows: the edit that is on its way, else what the server said. */
  valueOf(record: RecordVo, fieldId: string): unknown;
  refusalOf(recordId: string, fieldId: string): string | undefined;
  /** Puts text that cannot be understood into the cell, with the reason. */
  refuse(recordId: string, fieldId: string, value: unknown, reason: string): void;
  undo(): Promise<boolean>;
  redo(): Promise<boolean>;
  isSaving(): boolean;
}

interface Step {
  before: CellChange[];
  after: CellChange[];
}

const maxSteps = 200;

const bySameRecord = (changes: readonly CellChange[]): { id: string; fields: Record<string, unknown> }[] => {
  const records = new Map<string, Record<string, unknown>>();
  for (const { recordId, fieldId, value } of changes) {
    const fields = records.get(recordId) ?? {};
    fields[fieldId] = value ?? null;
    records.set(recordId, fields);
  }
  return [...records].map(([id, fields]) => ({ id, fields }));
};

export const createEditQueue = ({ send, find, onSaved, onRefused }: EditQueueOptions): EditQueue => {
  const pending = new Map<string, Pending>();
  const listeners = new Set<() => void>();
  const done: Step[] = [];
  const undone: Step[] = [];
  let version = 0;
  let inFlight = 0;
  let line: Promise<unknown> = Promise.resolve();

  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const keyOf = (recordId: string, fieldId: string): string => `${recordId} ${fieldId}`;
  const valueOf = (record: RecordVo, fieldId: string): unknown => {
    const waiting = pending.get(keyOf(record.id, fieldId));
    return waiting === undefined ? record.fields[fieldId] : waiting.value;
  };

  const sendUntilAnswered = async (records: { id: string; fields: Record<string, unknown> }[], typecast: boolean): Promise<RecordVo[]> => {
    for (;;) {
      try {
        return await send(records, typecast);
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

  const settle = (changes: readonly CellChange[], command: object, refusal?: string): void => {
    for (const { recordId, fieldId } of changes) {
      const key = keyOf(recordId, fieldId);
      const waiting = pending.get(key);
      if (waiting === undefined || waiting.command !== command) continue;
      if (refusal === undefined) pending.delete(key);
      else pending.set(key, { ...waiting, refusal });
    }
  };

  const run = async (changes: readonly CellChange[], typecast: boolean, tell?: (records: RecordVo[]) => void): Promise<boolean> => {
    if (changes.length === 0) return true;
    const command = {};
    for (const { recordId, fieldId, value } of changes) pending.set(keyOf(recordId, fieldId), { value: value ?? undefined, command });
    inFlight += 1;
    changed();
    const turn = line.then(() => sendUntilAnswered(bySameRecord(changes), typecast));
    line = turn.catch(() => undefined);
    try {
      const records = await turn;
      settle(changes, command);
      onSaved(records);
      tell?.(records);
      return true;
    } catch (error) {
      settle(changes, command, changes.length === 1 ? problemText(error) : undefined);
      onRefused(error);
      return false;
    } finally {
      inFlight -= 1;
      changed();
    }
  };

  const move = async (from: Step[], to: Step[], side: 'before' | 'after'): Promise<boolean> => {
    const step = from.pop();
    if (step === undefined) return false;
    to.push(step);
    return run(step[side], false);
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    async edit(changes, { typecast = false, onSaved: tell } = {}) {
      const before = changes.flatMap(({ recordId, fieldId }) => {
        const record = find(recordId);
        return record === undefined ? [] : [{ recordId, fieldId, value: record.fields[fieldId] ?? null }];
      });
      const saved = await run(changes, typecast, tell);
      if (saved) {
        // With typecast the server decides what is written: redoing writes that.
        const after = changes.map((change) => ({ ...change, value: find(change.recordId)?.fields[change.fieldId] ?? (typecast ? null : change.value) }));
        done.push({ before, after });
        done.splice(0, done.length - maxSteps);
        undone.length = 0;
      }
      return saved;
    },
    valueOf,
    refusalOf: (recordId, fieldId) => pending.get(keyOf(recordId, fieldId))?.refusal,
    refuse(recordId, fieldId, value, reason) {
      pending.set(keyOf(recordId, fieldId), { value, refusal: reason, command: {} });
      changed();
    },
    undo: () => move(done, undone, 'before'),
    redo: () => move(undone, done, 'after'),
    isSaving: () => inFlight > 0,
  };
};
