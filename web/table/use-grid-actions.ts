// What the grid's gestures do to records: edit, paste, append, duplicate, delete, undo.
import { createRecords, deleteRecords, duplicateRecord, listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import type { GridEdit } from '../grid/grid.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { needsTypecast, readDraft } from './cell/read-draft.ts';
import type { Column } from './columns.ts';
import type { CellChange } from './edit-queue.ts';
import { pasteCells, pasteText } from './paste-cells.ts';
import { choicesOf, listOf } from './cell/cell-text.ts';
import { fieldsQuery } from './queries.ts';
import type { TableRecords } from './use-table-records.ts';

// Ids travel in the address of the request, which is limited to some 16 kB.
const idsPerRequest = 300;

export interface GridActions {
  edit(edits: readonly GridEdit[]): Promise<void>;
  paste(row: number, column: number, values: readonly (readonly string[])[]): Promise<void>;
  append(fields?: Record<string, unknown>): Promise<RecordVo | undefined>;
  duplicate(recordId: string): Promise<void>;
  remove(recordIds: readonly string[]): Promise<void>;
  recordsFrom(first: number, count: number): Promise<RecordVo[]>;
  /** Drags a row to the place of another. */
  move(from: number, to: number): Promise<void>;
}

const namesNewChoice = (field: Field, value: unknown): boolean =>
  needsTypecast(field, value) && listOf(value).some((name) => !choicesOf(field).some((choice) => choice.name === name));

export const useGridActions = (tableId: string, viewId: string, columns: readonly Column[], fields: readonly Field[], { window, edits }: TableRecords): GridActions => {
  const params = { tableId };
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
      const page = await call(listRecords, { params, query: { viewId, fieldKeyType: 'id', skip: first + records.length, take } });
      if (page.records.length === 0) break;
      records.push(...page.records);
    }
    return records;
  };

  const createAll = async (records: { fields: Record<string, unknown> }[]): Promise<RecordVo[]> => {
    const answer = await call(createRecords, { params, body: { records, fieldKeyType: 'id' } });
    window.append(answer.records);
    return answer.records;
  };

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
      for (const { row, column, value, recordId = window.at(row)?.id } of list) {
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
    async paste(row, column, values) {
      try {
        const report = await pasteCells({ tableId, columns, rowCount: window.rowCount() ?? 0, row, column, recordsFrom, edits, onCreated: window.append }, values);
        if (report === null) return;
        await refreshFields();
        showToast({ kind: 'note', ...pasteText(report), action: { label: 'Undo', run: () => void edits.undo() } });
      } catch (error) {
        showProblem(error, 'Not everything was pasted.');
        void window.reload();
      }
    },
    async append(cells = {}) {
      try {
        return (await createAll([{ fields: cells }]))[0];
      } catch (error) {
        showProblem(error, 'The record was not added.');
        return undefined;
      }
    },
    async duplicate(recordId) {
      try {
        await call(duplicateRecord, { params: { tableId, recordId }, body: { viewId, anchorId: recordId, position: 'after' } });
        await window.reload();
      } catch (error) {
        showProblem(error, 'The record was not duplicated.');
      }
    },
    async remove(recordIds) {
      const gone: RecordVo[] = [];
      try {
        for (let start = 0; start < recordIds.length; start += idsPerRequest) {
          const answer = await call(deleteRecords, { params, query: { recordIds: recordIds.slice(start, start + idsPerRequest) } });
          gone.push(...answer.records);
        }
      } catch (error) {
        showProblem(error, gone.length === 0 ? 'Nothing was deleted.' : `Only ${gone.length} records were deleted.`);
      }
      await window.reload();
      if (gone.length === 0) return;
      const writable = new Set(fields.filter((field) => field.isComputed !== true).map((field) => field.id));
      const back = gone.map((record) => ({ fields: Object.fromEntries(Object.entries(record.fields).filter(([fieldId]) => writable.has(fieldId))) }));
      showToast({
        kind: 'note',
        title: `${gone.length} ${gone.length === 1 ? 'record' : 'records'} deleted.`,
        action: { label: 'Put back', run: () => void createAll(back).catch((error: unknown) => showProblem(error, 'The records were not put back.')) },
      });
    },
  };
};
