// What the grid's gestures do to records: edit, paste, append, duplicate, delete. Records are named by their place in
// the order of the view.
import { createRecords, duplicateRecord, listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { showProblem, showToast } from '../ui/toast.ts';
import { needsTypecast, readDraft } from './cell/read-draft.ts';
import type { Column } from './columns.ts';
import type { CellChange } from './edit-queue.ts';
import { pasteCells, pasteText } from './paste-cells.ts';
import { choicesOf, listOf } from './cell/cell-text.ts';
import { fieldsQuery } from './queries.ts';
import { createdStep, type Deletion, deletedStep, type RecordSteps, removeRecords } from './undo/record-steps.ts';
import type { Step } from './undo/undo-stack.ts';
import type { TableRecords } from './use-table-records.ts';

export interface PlacedEdit {
  /** Absent: it is known which record it is. */
  place?: number | undefined;
  column: number;
  value: unknown;
  recordId?: string | undefined;
}

export interface GridActions {
  edit(edits: readonly PlacedEdit[]): Promise<void>;
  paste(place: number, column: number, values: readonly (readonly string[])[]): Promise<void>;
  append(fields?: Record<string, unknown>): Promise<RecordVo | undefined>;
  duplicate(recordId: string): Promise<void>;
  remove(recordIds: readonly string[]): Promise<void>;
  recordsFrom(first: number, count: number): Promise<RecordVo[]>;
  /** Drags a record to the place of another. */
  move(from: number, to: number): Promise<void>;
}

const namesNewChoice = (field: Field, value: unknown): boolean =>
  needsTypecast(field, value) && listOf(value).some((name) => !choicesOf(field).some((choice) => choice.name === name));

export const useGridActions = (tableId: string, viewId: string, columns: readonly Column[], { window, edits, undo }: TableRecords): GridActions => {
  const params = { tableId };
  const steps: RecordSteps = { tableId, ownId: useMe().id, reload: window.reload };
  const refreshFields = (): Promise<void> => queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });

  const recordsFrom = async (first: number, count: number): Promise<RecordVo[]> => {
    const records: RecordVo[] = [];
    while (records.length < count) {
      const known = window.at(first + records.length);
      if (known !== undefined) {
        records.push(known);
        continue;
      }
      const take = Math.min(1_000, count - records.length);
      const page = await call(listRecords, { params, query: { viewId, fieldKeyType: 'id', skip: first + records.length, take, withGroups: false } });
      if (page.records.length === 0) break;
      records.push(...page.records);
    }
    return records;
  };

  /** In a grouped view only the server knows where they stand. */
  const show = async (records: readonly RecordVo[]): Promise<void> => (window.groups() === undefined ? window.append(records) : window.reload());

  return {
    recordsFrom,
    async move(from, to) {
      const moved = window.at(from);
      const anchor = window.at(to);
      if (moved === undefined || anchor === undefined || from === to) return;
      try {
        await call(moveRecords, { params: { tableId, viewId }, body: { recordIds: [moved.id], anchorId: anchor.id, position: from < to ? 'after' : 'before' } });
        await window.reload();
      } catch (error) {
        showProblem(error, 'The record was not moved.');
      }
    },
    async edit(list) {
      const changes: CellChange[] = [];
      let typecast = false;
      for (const { place, column, value, recordId = place === undefined ? undefined : window.at(place)?.id } of list) {
        const field = columns[column]?.field;
        if (field === undefined || recordId === undefined || field.isComputed === true) continue;
        const draft = readDraft(field, value);
        if (!draft.ok) {
          edits.refuse(recordId, field.id, value, draft.reason);
          showToast({ kind: 'problem', title: draft.reason, detail: 'Your text stays in the cell until you change it.' });
          continue;
        }
        typecast ||= namesNewChoice(field, draft.value);
        changes.push({ recordId, fieldId: field.id, value: draft.value });
      }
      if ((await edits.edit(changes, { typecast })) && typecast) await refreshFields();
    },
    async paste(place, column, values) {
      const created: string[] = [];
      let step: Step | undefined;
      const onCreated = (records: RecordVo[]): void => {
        created.push(...records.map(({ id }) => id));
        void show(records);
      };
      const keep = (): void => {
        if (created.length === 0) return;
        const back = createdStep(steps, created);
        if (step === undefined) undo.did(back);
        step = step === undefined ? back : undo.extend(step, back);
      };
      try {
        const report = await pasteCells({ tableId, columns, rowCount: window.rowCount() ?? 0, row: place, column, recordsFrom, edits, onCreated, onChanged: () => (step = undo.last()) }, values);
        keep();
        if (report === null) return;
        await refreshFields();
        showToast({ kind: 'note', ...pasteText(report), action: { label: 'Undo', run: () => void undo.undo(step) } });
      } catch (error) {
        keep();
        showProblem(error, 'Not everything was pasted.');
        void window.reload();
      }
    },
    async append(cells = {}) {
      try {
        const { records } = await call(createRecords, { params, body: { records: [{ fields: cells }], fieldKeyType: 'id' } });
        await show(records);
        undo.did(createdStep(steps, records.map(({ id }) => id)));
        return records[0];
      } catch (error) {
        showProblem(error, 'The record was not added.');
        return undefined;
      }
    },
    async duplicate(recordId) {
      try {
        const { records } = await call(duplicateRecord, { params: { tableId, recordId }, body: { viewId, anchorId: recordId, position: 'after' } });
        undo.did(createdStep(steps, records.map(({ id }) => id)));
        await window.reload();
      } catch (error) {
        showProblem(error, 'The record was not duplicated.');
      }
    },
    async remove(recordIds) {
      const gone: Deletion[] = [];
      const count = (): number => gone.reduce((sum, deletion) => sum + deletion.recordIds.length, 0);
      try {
        await removeRecords(tableId, recordIds, (deletion) => gone.push(deletion));
      } catch (error) {
        showProblem(error, gone.length === 0 ? 'Nothing was deleted.' : `Only ${count()} records were deleted.`);
      }
      await window.reload();
      if (gone.length === 0) return;
      const step = deletedStep(steps, gone);
      undo.did(step);
      showToast({ kind: 'note', title: `${count()} ${count() === 1 ? 'record' : 'records'} deleted.`, action: { label: 'Put back', run: () => void undo.undo(step) } });
    },
  };
};
