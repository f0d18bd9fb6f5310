// Edits on their way to the server. A cell shows what was typed at once; requests go out one after another, so
// that two edits of one cell cannot overtake each other. What the server refuses stays in the cell with the reason;
// what could not be sent is sent again when the server is back, and is written once. An edit carries what its cell was: what
// somebody else wrote into it since is merged with it or asked about, and never overwritten (docs/adr/0085-edits-carry-what-they-were-made-on.md).
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { problemText } from '../ui/problem.ts';
import {
  bySameRecord,
  type CellChange,
  type ChangedRecord,
  goneIn,
  presentIn,
  untilAnswered,
  type Writer,
} from './edit-answers.ts';
import { isSameCell } from './merge-changes.ts';
import { isTemporary, onceKey } from './new-record-cells.ts';

export interface Written {
  records: RecordVo[];
  /** What the history calls this write; absent when nothing changed. */
  operationId?: string | undefined;
}

/** `writer`: of what the cell is now. */
type ConflictCell = CellChange & { present: unknown; writer: Writer };

/** Somebody else wrote something else into these cells, and one has to decide. The cells show one's own value until then. */
export interface EditConflict {
  cells: readonly ConflictCell[];
  keepMine(): void;
  keepTheirs(): void;
}

interface EditQueueOptions {
  /** With the same `key` it is written once, however often it is sent. */
  send(
    records: ChangedRecord[],
    options: { typecast: boolean; step: string | undefined; key: string },
  ): Promise<Written>;
  onSaved(written: Written, changes: readonly CellChange[]): void;
  /** Several cells were refused at once; they show their old values again. */
  onRefused(error: unknown): void;
  /** These belong to records or fields that are not there any more. What else was to be written has been. */
  onGone(changes: readonly CellChange[], what: 'record' | 'field'): void;
  /** What becomes of one's own change and somebody else's; undefined: one has to decide. */
  merge(change: CellChange, present: unknown): { value: unknown } | undefined;
  onConflict(conflict: EditConflict): void;
  /** It is decided, or has become something else. */
  onConflictOver(conflict: EditConflict): void;
  /** What the server said last of this cell; undefined for a record that is not shown. */
  presentOf(recordId: string, fieldId: string): { value: unknown } | undefined;
  /** How the other's value is called in the reason that the cell shows. */
  describe(fieldId: string, value: unknown): string;
}

interface EditOptions {
  /** Let the server convert values that do not fit. */
  typecast?: boolean;
  onSaved?: (written: Written) => void;
  /** In place of the reason in the cell or in a note: who asked for the edit says it. */
  onRefused?: (error: unknown) => void;
  /** What it is undone with. */
  step?: string | undefined;
  /** Cells of one record are written together or not at all, such as both ends of a bar. */
  isWhole?: boolean;
}

/** `in conflict`: what is not in conflict is written. */
type EditResult = 'written' | 'refused' | 'in conflict';

interface Pending {
  value: unknown;
  refusal?: string;
  /** With which the rest of what it came with is undone. */
  step?: string | undefined;
  command: object;
  conflict?: EditConflict;
}

/** What became of the last edit of a cell: a value may come back in another form than it was sent. */
interface Outcome {
  sent: unknown;
  is: unknown;
  isWritten: boolean;
}

export interface EditQueue {
  subscribe(listener: () => void): () => void;
  version(): number;
  edit(changes: readonly CellChange[], options?: EditOptions): Promise<EditResult>;
  /** Does something else with the records, when everything before it has been answered. */
  inTurn<T>(action: () => Promise<T>): Promise<T>;
  /** The same for one's own undo, redo or restore, up to where its cells are read again: edits behind it rest on what it leaves. */
  restoring<T>(action: () => Promise<T>): Promise<T>;
  /** What the cell shows: the edit that is on its way, else what the server said. */
  valueOf(record: RecordVo, fieldId: string): unknown;
  /** What an edit of this cell is made on: as `valueOf`, but for what was refused. */
  beforeOf(record: RecordVo, fieldId: string): unknown;
  refusalOf(recordId: string, fieldId: string): string | undefined;
  /** Puts text that cannot be understood into the cell, with the reason. */
  refuse(recordId: string, fieldId: string, value: unknown, reason: string, step?: string): void;
  /** What was refused as part of this step goes: the step is undone. */
  forgetRefused(step: string): void;
  isSaving(): boolean;
  /** A record that was shown before the server had made it has its id now. */
  rename(temporaryId: string, record: RecordVo): void;
  idOf(recordId: string): string;
}

/** Somebody else would have to be faster every time. */
const mostMerges = 10;

export const createEditQueue = ({
  send,
  onSaved,
  onRefused,
  onGone,
  merge,
  onConflict,
  onConflictOver,
  presentOf,
  describe,
}: EditQueueOptions): EditQueue => {
  const pending = new Map<string, Pending>();
  const outcomes = new Map<string, Outcome>();
  /** Records that were made in this queue, as the server made them. */
  const made = new Map<string, RecordVo>();
  const renamed = new Map<string, string>();
  const listeners = new Set<() => void>();
  let version = 0;
  let inFlight = 0;
  let restores = 0;
  let line: Promise<unknown> = Promise.resolve();

  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const keyOf = ({ recordId, fieldId }: Pick<CellChange, 'recordId' | 'fieldId'>): string =>
    `${renamed.get(recordId) ?? recordId} ${fieldId}`;
  const setPending = (key: string, next: Pending | undefined): void => {
    const conflict = pending.get(key)?.conflict;
    if (next === undefined) pending.delete(key);
    else pending.set(key, next);
    if (conflict !== undefined && conflict !== next?.conflict) onConflictOver(conflict);
  };

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

  const restoring = async <T>(action: () => Promise<T>): Promise<T> => {
    restores += 1;
    return inTurn(action).finally(() => (restores -= 1));
  };

  const withIds = (changes: readonly CellChange[]): CellChange[] =>
    changes.map((change) => ({ ...change, recordId: renamed.get(change.recordId) ?? change.recordId }));
  const isOurs = (change: CellChange, command: object): boolean => pending.get(keyOf(change))?.command === command;

  const settle = (changes: readonly CellChange[], command: object, refusal?: string): void => {
    for (const change of changes) {
      const key = keyOf(change);
      const waiting = pending.get(key);
      if (waiting === undefined || waiting.command !== command) continue;
      setPending(key, refusal === undefined ? undefined : { ...waiting, refusal });
    }
  };

  /** The cell is this by now, for edits of it that wait in line or are made on what was sent. */
  const note = (change: CellChange, is: unknown, isWritten: boolean): void => {
    const waits = pending.get(keyOf(change)) !== undefined;
    if (waits || (isWritten && !isSameCell(change.value, is)))
      outcomes.set(keyOf(change), { sent: change.value, is, isWritten });
    else outcomes.delete(keyOf(change));
  };

  /** Whether an edit is made on an own one that was not answered when its value was seen. */
  const isOnOwn = (change: CellChange): boolean => {
    const waiting = pending.get(keyOf(change));
    const outcome = outcomes.get(keyOf(change));
    return (
      (waiting !== undefined && waiting.refusal === undefined) ||
      (isTemporary(change.recordId) && !renamed.has(change.recordId)) ||
      (outcome?.isWritten === true && isSameCell(outcome.sent, change.before))
    );
  };
  /** By its turn everything before it is answered. */
  const onAnswered = (change: CellChange): CellChange => {
    const outcome = outcomes.get(keyOf(change));
    const record = made.get(change.recordId);
    return outcome === undefined && record === undefined
      ? change
      : { ...change, before: outcome === undefined ? record?.fields[change.fieldId] : outcome.is };
  };

  const onRestored = (change: CellChange): CellChange => {
    const present = presentOf(change.recordId, change.fieldId);
    return present === undefined ? onAnswered(change) : { ...change, before: present.value };
  };

  const edit = async (
    given: readonly CellChange[],
    { typecast = false, onSaved: tell, onRefused: tellRefused = onRefused, step, isWhole = false }: EditOptions = {},
  ): Promise<EditResult> => {
    if (given.length === 0) return 'written';
    const command = {};
    const onOwn = given.map(isOnOwn);
    const isBehindRestore = restores > 0;
    const conflicts: ConflictCell[] = [];
    let changes: CellChange[] = [...given];
    for (const change of given) setPending(keyOf(change), { value: change.value ?? undefined, command });

    /** What others wrote meanwhile goes together with it, or is set aside. */
    const meetOthers = (present: ReturnType<typeof presentIn>): void => {
      const found = new Map(present.map((cell) => [`${cell.recordId} ${cell.field}`, cell]));
      const met = changes.map((change) => {
        const now = found.has(keyOf(change)) ? found.get(keyOf(change))?.value : change.before;
        // It is what it was to become already, or one has changed nothing.
        const isDone = isSameCell(change.value, now) || isSameCell(change.value, change.before);
        const isMet = found.has(keyOf(change));
        return {
          change,
          now,
          isMet,
          isDone: isMet && isDone,
          merged: isMet && !isDone ? merge(change, now) : undefined,
        };
      });
      const groupOf = (change: CellChange): string => (isWhole ? change.recordId : keyOf(change));
      const aside = new Set(
        met
          .filter(({ isMet, isDone, merged }) => isMet && !isDone && merged === undefined)
          .map(({ change }) => groupOf(change)),
      );
      changes = met.flatMap(({ change, now, isMet, isDone, merged }) => {
        if (aside.has(groupOf(change))) {
          const { by, time } = found.get(keyOf(change)) ?? {};
          conflicts.push({
            ...change,
            present: now,
            writer: time === undefined ? {} : { by: by ?? null, time },
          });
          return [];
        }
        if (!isMet) return [change];
        const waiting = pending.get(keyOf(change));
        if (waiting?.command === command)
          setPending(keyOf(change), isDone ? undefined : { ...waiting, value: merged?.value ?? undefined });
        if (!isDone) return [{ ...change, value: merged?.value, before: now }];
        note(change, now, true);
        return [];
      });
      changed();
    };
    const sendMerged = async (): Promise<Written> => {
      for (let tries = 1; ; tries += 1) {
        if (changes.length === 0) return { records: [] };
        const key = onceKey();
        try {
          return await untilAnswered(() => send(bySameRecord(changes), { typecast, step, key }));
        } catch (error) {
          const present = presentIn(error);
          if (present.length === 0 || tries === mostMerges) throw error;
          meetOthers(present);
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
      return sendMerged().catch(withoutGone);
    };
    const ask = (): void => {
      // A cell that was edited again since is asked about with what it is to become by then.
      const open = conflicts.filter((cell) => isOurs(cell, command));
      for (const cell of conflicts) note(cell, cell.before, false);
      const groups = isWhole
        ? [...new Set(open.map(({ recordId }) => recordId))].map((id) => open.filter(({ recordId }) => recordId === id))
        : open.map((cell) => [cell]);
      for (const cells of groups) {
        const conflict: EditConflict = {
          cells,
          keepMine: () =>
            void edit(
              cells.map(({ present, writer: _writer, ...change }) => ({ ...change, before: present })),
              { typecast, step, isWhole },
            ),
          keepTheirs: () => {
            for (const cell of cells) if (isOurs(cell, command)) setPending(keyOf(cell), undefined);
            changed();
          },
        };
        for (const cell of cells)
          setPending(keyOf(cell), {
            value: cell.value ?? undefined,
            command,
            step,
            conflict,
            refusal: `${cell.writer.by?.name ?? 'Someone else'} changed this cell to ${describe(cell.fieldId, cell.present)}. Your value is not saved.`,
          });
        onConflict(conflict);
      }
    };
    // In its turn up to the end: the next edit of a cell rests on what became of this one.
    const carryOut = async (): Promise<EditResult> => {
      changes = withIds(changes).map((change, index) =>
        isBehindRestore ? onRestored(change) : onOwn[index] === true ? onAnswered(change) : change,
      );
      try {
        const written = await sendMerged().catch(withoutGone);
        settle(changes, command);
        const answered = new Map(written.records.map((record) => [record.id, record]));
        for (const change of changes)
          if (answered.has(change.recordId)) note(change, answered.get(change.recordId)?.fields[change.fieldId], true);
        ask();
        if (changes.length > 0) onSaved(written, changes);
        tell?.(written);
        return conflicts.length > 0 ? 'in conflict' : 'written';
      } catch (error) {
        settle(changes, command, given.length === 1 && tellRefused === onRefused ? problemText(error) : undefined);
        for (const change of changes) note(change, change.before, false);
        ask();
        tellRefused(error);
        return 'refused';
      } finally {
        changed();
      }
    };
    return inTurn(carryOut);
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    inTurn,
    restoring,
    edit,
    valueOf(record, fieldId) {
      const waiting = pending.get(`${record.id} ${fieldId}`);
      return waiting === undefined ? record.fields[fieldId] : waiting.value;
    },
    beforeOf(record, fieldId) {
      const waiting = pending.get(`${record.id} ${fieldId}`);
      return waiting === undefined || waiting.refusal !== undefined ? record.fields[fieldId] : waiting.value;
    },
    refusalOf: (recordId, fieldId) => pending.get(`${recordId} ${fieldId}`)?.refusal,
    refuse(recordId, fieldId, value, reason, step) {
      setPending(keyOf({ recordId, fieldId }), { value, refusal: reason, step, command: {} });
      changed();
    },
    forgetRefused(step) {
      for (const [key, waiting] of pending)
        if (waiting.refusal !== undefined && waiting.step === step) setPending(key, undefined);
      changed();
    },
    isSaving: () => inFlight > 0,
    idOf: (recordId) => renamed.get(recordId) ?? recordId,
    rename(temporaryId, record) {
      renamed.set(temporaryId, record.id);
      made.set(record.id, record);
      for (const [key, waiting] of pending) {
        if (!key.startsWith(`${temporaryId} `)) continue;
        pending.delete(key);
        pending.set(`${record.id}${key.slice(temporaryId.length)}`, waiting);
      }
      changed();
    },
  };
};
