// What the grid's gestures do to records: edit, fill, clear, paste, add, duplicate, delete. Every gesture names records
// and fields; rows are looked up before anything is sent.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { createField, type Field } from '@rowhouse/contract/field.ts';
import type { Order, RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { flushSync } from 'react-dom';
import { call } from '../../app/call.ts';
import { useMe } from '../../app/me.ts';
import { queryClient } from '../../app/query-client.ts';
import { inStep, newStep } from '../../app/window-steps.ts';
import { showProblem, showToast } from '../../ui/toast.ts';
import { cellText } from '../../field-type/cell-text.ts';
import { namesNewChoice, readDraft } from '../../field-type/read-draft.ts';
import type { CopiedCells } from './clipboard/clipboard.ts';
import { readPasted } from './clipboard/read-pasted.ts';
import type { Column } from '../../record-data/columns.ts';
import { type CellChange, unseen, untilAnswered } from '../../record-data/edit-answers.ts';
import type { Written } from '../../record-data/edit-queue.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import type { GroupHeader } from './group/group-rows.ts';
import { decidingFields } from '../../record-data/live/change-effect.ts';
import { cellsOfFilter, cellsOfGroup, cellsToJoin, onceKey, temporaryId } from '../../record-data/new-record-cells.ts';
import { chunks, misfitTexts, pasteCells, pasteText } from './paste-cells.ts';
import { takeSideEffects } from '../../app/side-effects.ts';
import { madeWords } from '../../record-data/undo/undone-words.ts';
import { useDefaultCells } from '../../record-data/record-templates.ts';
import { fieldsQuery, knownTableName, reloadFields } from '../../record-data/queries.ts';
import type { Cursor } from './selection/use-cursor.ts';
import {
  clearFields,
  copyRecord,
  makeRecords,
  type Meant,
  placeRecords,
  type Progress,
  type RecordRun,
  removeMany,
  removeRecords,
} from '../../record-data/undo/records.ts';
import type { TableRecords } from '../../record-data/table-records.ts';

const cellsPerRequest = 4_000;
/** Emptied at once by the server. */
export const maxCells = 50_000;

/** What somebody typed into a cell. */
interface CellDraft {
  recordId: string;
  field: Field;
  value: unknown;
  /** What the editor began with; absent: what the cell is now. */
  before?: unknown;
}

interface NewPlace {
  /** The row that the new one stands before. */
  before: number;
  /** The groups around it. */
  around: readonly GroupHeader[];
  /** A record of the same groups. */
  neighbour: RecordVo | undefined;
  order?: Order;
  /** Where the cursor goes. */
  fieldId: string;
}

interface PasteInput {
  columns: readonly Column[];
  records: readonly RecordVo[];
  around: readonly GroupHeader[];
  /** What it did is seen; only what did not fit is said. */
  isQuiet?: boolean;
  /** Columns of what is pasted that have no field. */
  columnsLeftOut?: number;
  /** What was done for it before, and is undone with it. */
  step?: string;
}

interface RowMove {
  records: readonly RecordVo[];
  /** Absent: the view has an order of its own. */
  run?: Pick<RecordRun, 'anchorId' | 'position'>;
  /** The groups that they come into, with a record of them. */
  into?: { around: readonly GroupHeader[]; neighbour: RecordVo | undefined };
}

export interface GridActions {
  /** `told`: what is said of it, with the way back. */
  edit(drafts: readonly CellDraft[], told?: string): Promise<void>;
  /** Empties these fields in every record that is on the screen or below it, `count` of them. */
  clearAll(fields: readonly Field[], count: number): Promise<void>;
  paste(input: PasteInput, copied: CopiedCells): Promise<void>;
  /** undefined: they were not all made. */
  addFields(wanted: readonly BodyOf<typeof createField>[]): Promise<{ columns: Column[]; step: string } | undefined>;
  /** The record is there at once; `onRenamed` tells the id that the server gave it. */
  add(place: NewPlace, onRenamed: (from: string, to: string) => void): Promise<void>;
  duplicate(recordId: string): Promise<void>;
  /** In one request, however many. `onProgress`: they may be very many. */
  remove(meant: Meant, onProgress?: (progress: Progress) => void): Promise<void>;
  /** Puts records before or behind another, and gives them the cells of its groups: one step. */
  move(move: RowMove): Promise<void>;
}

interface GridActionsInput {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  groupFields: readonly (Field | undefined)[];
  canCreate: boolean;
  records: TableRecords;
  cursor: Cursor;
  /** Goes to a cell. */
  show: (recordId: string, fieldId: string) => void;
}

export const useGridActions = ({
  tableId,
  view,
  fields,
  people,
  groupFields,
  canCreate,
  records: { window, edits, undo },
  cursor,
  show,
}: GridActionsInput): GridActions => {
  const ownId = useMe().id;
  const ofTemplate = useDefaultCells(tableId, view);
  const refreshFields = (): Promise<void> => queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey });
  const tell = (title: string, step: string): void =>
    showToast({ kind: 'note', title, about: step, action: { label: 'Undo', run: () => void undo.undo(step) } });
  const newCells = (around: readonly GroupHeader[], neighbour: RecordVo | undefined): Record<string, unknown> => ({
    ...cellsOfFilter(view, fields, { people, ownId }),
    ...cellsOfGroup(around, groupFields, neighbour),
  });

  const newRecordCells = (
    around: readonly GroupHeader[],
    neighbour: RecordVo | undefined,
  ): Record<string, unknown> => ({
    ...cellsOfFilter(view, fields, { people, ownId }),
    ...ofTemplate,
    ...cellsOfGroup(around, groupFields, neighbour),
  });

  return {
    async move({ records, run, into }) {
      const recordIds = records.map(({ id }) => id);
      const step = newStep();
      try {
        if (into !== undefined) {
          const joined = cellsToJoin(into.around, groupFields, into.neighbour);
          if (joined === undefined)
            return showToast({
              kind: 'problem',
              title: 'Records cannot be moved into this group.',
              detail: 'What it is grouped by is computed, or the group is closed and shows a day alone.',
            });
          const cells = Object.entries(joined);
          const changes = records.flatMap((record) =>
            cells.map(([fieldId, value]) => ({
              recordId: record.id,
              fieldId,
              value,
              before: edits.beforeOf(record, fieldId),
            })),
          );
          if ((await edits.edit(changes, { step })) !== 'written') return void window.reload();
        }
        if (run !== undefined) await edits.inTurn(() => placeRecords(tableId, view.id, { ...run, recordIds }, step));
        for (const recordId of recordIds) cursor.release(recordId);
        await window.reload();
      } catch (error) {
        showProblem(error, recordIds.length === 1 ? 'The record was not moved.' : 'The records were not moved.');
      }
    },
    async edit(drafts, told) {
      const changes: CellChange[] = [];
      let typecast = false;
      for (const { recordId, field, value, ...seen } of drafts) {
        if (field.isComputed === true) continue;
        // Someone may have converted the field since its editor was opened.
        const now = fields.find(({ id }) => id === field.id) ?? field;
        const draft =
          now.type === field.type
            ? readDraft(field, value)
            : readPasted(now, { text: cellText(field, value) }, undefined, people);
        if (!draft.ok) {
          edits.refuse(recordId, field.id, value, draft.reason);
          showToast({
            kind: 'problem',
            title: draft.reason,
            detail: 'Your text stays in the cell until you change it.',
          });
          continue;
        }
        typecast ||= namesNewChoice(now, draft.value);
        const record = window.find(recordId);
        const before =
          'before' in seen && now.type === field.type
            ? seen.before
            : record === undefined
              ? unseen
              : edits.beforeOf(record, field.id);
        changes.push({ recordId, fieldId: field.id, value: draft.value, before });
      }
      const deciding = decidingFields(view);
      cursor.touch(changes.filter(({ fieldId }) => deciding.has(fieldId)).map(({ recordId }) => recordId));
      // In parts that the server takes, and one step all the same.
      const step = newStep();
      let isChanged = false;
      const onSaved = ({ operationId }: Written): void => void (isChanged ||= operationId !== undefined);
      for (const part of chunks(changes, cellsPerRequest))
        if ((await edits.edit(part, { typecast, step, onSaved })) === 'refused') return;
      if (typecast && changes.length > 0) await refreshFields();
      if (told !== undefined && isChanged) tell(told, step);
    },
    async clearAll(given, count) {
      const step = newStep();
      let isChanged = false;
      try {
        for (const part of chunks(given, Math.max(1, Math.floor(maxCells / Math.max(count, 1))))) {
          if (
            await edits.inTurn(() =>
              clearFields(
                tableId,
                view,
                part.map(({ id }) => id),
                step,
              ),
            )
          )
            isChanged = true;
        }
      } catch (error) {
        showProblem(error, isChanged ? 'Not all cells were emptied.' : 'Nothing was emptied.');
      }
      if (isChanged)
        tell(
          `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}: ${given.length === 1 ? given[0]?.name : `${given.length} fields`} emptied`,
          step,
        );
      await window.reload();
    },
    async addFields(wanted) {
      const columns: Column[] = [];
      const step = newStep();
      try {
        for (const body of wanted) {
          const field = await edits.inTurn(() =>
            call(createField, { params: { tableId }, body, headers: inStep(step) }),
          );
          columns.push({ field, width: 0, order: 0 });
        }
        return { columns, step };
      } catch (error) {
        showProblem(error, 'The fields were not added. Nothing was pasted.');
        return undefined;
      } finally {
        await reloadFields(tableId, window.reload);
      }
    },
    async paste({ columns, records, around, isQuiet = false, columnsLeftOut = 0, step: before }, copied) {
      const step = before ?? newStep();
      let isChanged = before !== undefined;
      const deciding = decidingFields(view);
      if (columns.some(({ field }) => deciding.has(field.id))) cursor.touch(records.map(({ id }) => id));
      try {
        // A question may have been asked since they were chosen: it rests on what is shown by now.
        const present = records.map((record) => window.find(record.id) ?? record);
        const report = await pasteCells(
          {
            tableId,
            columns,
            records: present,
            primaryId: fields.find(({ isPrimary }) => isPrimary === true)?.id,
            people,
            edits,
            newCells: newCells(around, undefined),
            canCreate,
            step,
            onChanged: () => (isChanged = true),
          },
          copied,
        );
        if (report === null) return;
        if (report.created > 0) void window.reload();
        if (report.newChoices) await refreshFields();
        const said = pasteText(report, columnsLeftOut, madeWords(takeSideEffects(step), knownTableName));
        const texts = misfitTexts(report.misfits);
        const list = report.misfits.map(({ recordId, fieldId }, index) => ({
          text: texts[index] ?? '',
          run: () => show(recordId, fieldId),
        }));
        if (said !== undefined && (!isQuiet || list.length > 0))
          showToast({
            kind: list.length === 0 ? 'note' : 'problem',
            ...said,
            ...(list.length === 0 ? {} : { list, stays: true }),
            ...(isChanged ? { about: step, action: { label: 'Undo', run: () => void undo.undo(step) } } : {}),
          });
      } catch (error) {
        showProblem(error, 'Not everything was pasted.');
        void window.reload();
      }
    },
    async add({ before, around, neighbour, order, fieldId }, onRenamed) {
      const cells = newRecordCells(around, neighbour);
      const temporary: RecordVo = { id: temporaryId(), fields: cells };
      const key = onceKey();
      cursor.insert(temporary, before, around, fieldId);
      try {
        const [record] = await edits.inTurn(async () => {
          // The record above may have got its own id only now.
          const body = {
            records: [{ fields: cells }],
            fieldKeyType: 'id' as const,
            ...(order === undefined ? {} : { order: { ...order, anchorId: edits.idOf(order.anchorId) } }),
          };
          const made = await untilAnswered(() => makeRecords(tableId, body, { 'Idempotency-Key': key }));
          // Before what was typed meanwhile has its turn.
          if (made[0] !== undefined) edits.rename(temporary.id, made[0]);
          return made;
        });
        if (record === undefined) return;
        // At once: a key that came before the next drawing would be meant for an id that is no more, and be lost.
        flushSync(() => {
          cursor.rename(temporary.id, record);
          onRenamed(temporary.id, record.id);
        });
        await window.reload();
        cursor.settle(record.id);
      } catch (error) {
        showProblem(error, 'The record was not added.');
        cursor.forget(temporary.id);
      }
    },
    async duplicate(recordId) {
      try {
        await copyRecord(tableId, view.id, recordId);
        await window.reload();
      } catch (error) {
        showProblem(error, 'The record was not duplicated.');
      }
    },
    async remove(meant, onProgress) {
      try {
        const step = newStep();
        const count = await edits.inTurn(() =>
          onProgress === undefined ? removeRecords(tableId, meant, step) : removeMany(tableId, meant, step, onProgress),
        );
        const title = `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'} deleted`;
        if (count > 0) tell(title, step);
        else showToast({ kind: 'note', title });
      } catch (error) {
        // Without an answer nobody knows: what is read next shows it.
        if (error instanceof ApiError) showProblem(error, 'Nothing was deleted.');
        else
          showToast({
            kind: 'problem',
            title: 'The server did not say whether the records are deleted.',
            detail: 'The table shows it as soon as the connection is back. All of them are deleted, or none.',
          });
      }
      await window.reload();
    },
  };
};
