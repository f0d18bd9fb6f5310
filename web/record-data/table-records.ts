// The records of one view and the edits on them: what is shown, what is on its way, and what others do meanwhile.
import type { EventData } from '@rowhouse/contract/event.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords, type RecordVo, updateRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { inStep } from '../app/window-steps.ts';
import { showProblem, showToast } from '../ui/toast.ts';
import { closeConflict, describeCell, openConflict } from './conflict/conflicts.ts';
import { mergeCell } from './conflict/merge-cell.ts';
import type { CellChange } from './edit-answers.ts';
import { createEditQueue, type EditQueue } from './edit-queue.ts';
import { isGroupedView } from './first-questions.ts';
import { effectOf } from './live/change-effect.ts';
import { createOwnWrites } from './live/own-writes.ts';
import { offerLost, offerLostField } from './offer-lost.ts';
import { recordQuery, reloadFields } from './queries.ts';
import type { CellText, RecordChange } from './record-changes.ts';
import type { RecordWindow } from './record-window.ts';
import { undoOf, type UndoTarget } from './undo/undo-operation.ts';
import type { Undo } from './undo/window-undo.ts';
import { createViewWindow } from './view-window.ts';

/** What somebody did to records, as it is told. */
type RecordsEvent =
  /** Cells that decide where a record stands in the view; with `byHand` the record itself was put elsewhere. */
  | { kind: 'moved'; recordIds: readonly string[]; by: string; byHand: boolean }
  | { kind: 'deleted'; recordIds: readonly string[]; by: string }
  /** Comments on them were written, changed or deleted; with `mayBeAny` perhaps on any record. */
  | { kind: 'commented'; recordIds: readonly string[]; mayBeAny: boolean };

export interface TableRecords {
  window: RecordWindow;
  edits: EditQueue;
  undo: Undo;
  /** What has to be read again when an operation is undone. */
  undoTarget: UndoTarget;
  /** Reads these records again, where they are on the screen. */
  refresh: (recordIds: readonly string[]) => Promise<void>;
  /** Told before anything is read again. */
  listen: (listener: (event: RecordsEvent) => void) => () => void;
  version: string;
}

// Ids travel in the address of the request, which is limited to some 16 kB.
const idsPerRequest = 300;

/** Of what the server answered only the cells that were written: what others wrote into the rest comes by the stream. */
const writtenCells = (
  records: readonly RecordVo[],
  cells: readonly CellChange[],
  fields: readonly Field[],
): RecordChange[] => {
  const primary = fields.find(({ isPrimary }) => isPrimary === true);
  const computed = fields.filter(({ isComputed }) => isComputed === true).map(({ id }) => id);
  return records.map((answer) => ({
    id: answer.id,
    apply: (record) => {
      const written = [
        ...cells.filter(({ recordId }) => recordId === answer.id).map(({ fieldId }) => fieldId),
        ...computed,
      ];
      const taken = Object.fromEntries(written.map((fieldId) => [fieldId, answer.fields[fieldId]]));
      const { name, ...rest } =
        primary !== undefined && written.includes(primary.id) ? answer : { ...answer, name: record.name };
      return {
        ...rest,
        ...(name === undefined ? {} : { name }),
        fields: Object.fromEntries(
          Object.entries({ ...record.fields, ...taken }).filter(([, value]) => value !== undefined),
        ),
      };
    },
  }));
};

export const createTableRecords = (
  tableId: string,
  viewId: string,
  current: () => { view: View; fields: readonly Field[] },
  textOf: CellText,
) => {
  const params = { tableId };
  const own = createOwnWrites();
  const listeners = new Set<(event: RecordsEvent) => void>();
  const tell = (event: RecordsEvent): void => listeners.forEach((listener) => listener(event));
  const listen: TableRecords['listen'] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  const window = createViewWindow(tableId, viewId, () => isGroupedView(current().view));

  const refresh = async (recordIds: readonly string[]): Promise<void> => {
    const shown = recordIds.filter((id) => window.find(id) !== undefined);
    if (shown.length > idsPerRequest) return window.reload();
    if (shown.length === 0) return;
    await window.read(
      async () =>
        (
          await call(listRecords, {
            params,
            query: { fieldKeyType: 'id', selectedRecordIds: shown, take: shown.length },
          })
        ).records,
    );
  };

  const fieldOf = (fieldId: string): Field | undefined => current().fields.find(({ id }) => id === fieldId);
  const edits = createEditQueue({
    send: async (changed, { typecast, step, key }) => {
      let operationId: string | undefined;
      const records = await call(updateRecords, {
        params,
        body: { records: changed, fieldKeyType: 'id', typecast },
        headers: { ...inStep(step), 'Idempotency-Key': key },
        onHeaders: (headers) => (operationId = headers.get('x-operation-id') ?? undefined),
      });
      return { records, operationId };
    },
    onSaved: (written, cells) => {
      const told = own.answered(written.operationId);
      if (told !== 'applied')
        window.change(writtenCells(written.records, cells, current().fields), { alsoInPages: told === 'not heard' });
      for (const record of written.records)
        queryClient.setQueryData(recordQuery(tableId, record.id).queryKey, (before) => before && record);
      // What was read since the stream told of it may be newer than the answer.
      if (told === 'passed over') void refresh(written.records.map(({ id }) => id));
    },
    onRefused: (error) => showProblem(error, 'The server did not accept the change.'),
    merge: (change, present) => {
      const merged = mergeCell(fieldOf(change.fieldId), change.before, change.value, present);
      if (merged !== undefined && typeof merged.value === 'string')
        showToast({
          kind: 'note',
          about: `merged ${change.recordId} ${change.fieldId}`,
          title: 'Someone else also changed this text. Both changes were kept.',
        });
      return merged;
    },
    onConflict: (conflict) => {
      const recordIds = [...new Set(conflict.cells.map(({ recordId }) => recordId))];
      openConflict({ conflict, fields: current().fields, nameOf: (recordId) => window.find(recordId)?.name, textOf });
      void refresh(recordIds).catch(() => undefined);
    },
    onConflictOver: closeConflict,
    presentOf: (recordId, fieldId) => {
      const record = window.find(recordId);
      return record && { value: record.fields[fieldId] };
    },
    describe: (fieldId, value) => describeCell(fieldOf(fieldId), value, textOf),
    onGone: (cells, what) =>
      (what === 'field' ? offerLostField : offerLost)(
        { tableId, fields: current().fields, rewrite: edits.edit, reload: window.reload, textOf },
        cells,
      ),
  });
  const undoTarget: UndoTarget = {
    tableId,
    refresh,
    reload: () => window.reload(),
    reloadSchema: () => reloadFields(tableId, window.reload),
    forgetRefused: edits.forgetRefused,
  };
  const undo = undoOf(undoTarget, edits.restoring);

  const onUpdated = (change: EventData<'records.updated'>, reload: () => void): void => {
    const { view, fields } = current();
    const effect = effectOf(change, view, fields, textOf);
    const isShown = own.heard(change.operationId, effect.kind === 'cells');
    if (effect.kind === 'order') {
      tell({ kind: 'moved', recordIds: change.recordIds, by: change.by, byHand: change.fieldIds.length === 0 });
      reload();
    } else if (isShown) return;
    else if (effect.kind === 'cells') window.change(effect.changes);
    else void refresh(effect.recordIds).catch(reload);
  };
  const onDeleted = ({ recordIds, by }: EventData<'records.deleted'>): void => tell({ kind: 'deleted', recordIds, by });
  const onComments = (recordIds: readonly string[] | undefined): void =>
    tell({ kind: 'commented', recordIds: recordIds ?? [], mayBeAny: recordIds === undefined });
  return { window, edits, undo, undoTarget, refresh, listen, onUpdated, onDeleted, onComments };
};
