// Pasting: existing rows are changed, rows beyond the end are created. What does not fit is not written; it stays in
// its cell as text, with the reason, and is named.
import { type DateOrder, decideOrder, inOrder, orderOfColumn, orderOfLocale } from '@rowhouse/contract/date-order.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { dateFormattingOf } from '../../field-type/date/date-format.ts';
import { namesNewChoice } from '../../field-type/read-draft.ts';
import type { CopiedCells } from './clipboard/clipboard.ts';
import { readPasted } from './clipboard/read-pasted.ts';
import type { Column } from '../../record-data/columns.ts';
import { inStep } from '../../app/window-steps.ts';
import { counted } from '../../ui/toast.ts';
import type { CellChange } from '../../record-data/edit-answers.ts';
import type { EditQueue } from '../../record-data/edit-queue.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { makeRecords } from '../../record-data/undo/records.ts';
import { browserLanguage } from '../../ui/language.ts';

interface PasteTarget {
  tableId: string;
  /** From the one on that is pasted into. */
  columns: readonly Column[];
  /** Those that are pasted into; what is left over becomes new records. */
  records: readonly RecordVo[];
  primaryId: string | undefined;
  people: readonly BasePerson[];
  edits: EditQueue;
  /** What new records get besides. */
  newCells: Record<string, unknown>;
  canCreate: boolean;
  /** All of it is undone together. */
  step: string;
  onChanged: () => void;
}

/** A text that its cell cannot hold. */
interface Misfit {
  recordId: string;
  fieldId: string;
  /** What they are called. */
  record: string;
  field: string;
  text: string;
  reason: string;
}

interface PasteReport {
  cells: number;
  created: number;
  /** Rows that nobody may add. */
  leftOut: number;
  misfits: readonly Misfit[];
  newChoices: boolean;
}

const recordsPerRequest = 2_000;

export const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_item, index) => list.slice(index * size, (index + 1) * size));

interface PlannedCell {
  fieldId: string;
  value: unknown;
  /** Why it is not written. */
  reason?: string;
  text: string;
}

export const pasteCells = async (target: PasteTarget, copied: CopiedCells): Promise<PasteReport | null> => {
  const misfits: Misfit[] = [];
  let cells = 0;
  let newChoices = false;
  // Of another program, as text.
  const orders = target.columns.map(({ field }, index): DateOrder | undefined =>
    kindOf(field) !== 'date' || copied.fields?.[index] !== undefined
      ? undefined
      : decideOrder(
          dateFormattingOf(field.options).date,
          orderOfColumn(copied.rows.map((row) => row[index]?.text ?? '')),
          orderOfLocale(browserLanguage()),
        ).order,
  );
  const plan = (row: CopiedCells['rows'][number]): PlannedCell[] =>
    row.flatMap((cell, index): PlannedCell[] => {
      const field = target.columns[index]?.field;
      if (field === undefined || field.isComputed === true) return [];
      const order = orders[index];
      const draft = readPasted(
        field,
        order === undefined ? cell : { text: inOrder(cell.text, order) },
        copied.fields?.[index],
        target.people,
      );
      if (!draft.ok) return [{ fieldId: field.id, value: null, reason: draft.reason, text: cell.text }];
      newChoices ||= namesNewChoice(field, draft.value);
      return [{ fieldId: field.id, value: draft.value, text: cell.text }];
    });
  const written = (planned: readonly PlannedCell[]): PlannedCell[] =>
    planned.filter(({ reason }) => reason === undefined);
  const refuse = (record: RecordVo, planned: readonly PlannedCell[]): void => {
    for (const { fieldId, reason, text } of planned) {
      if (reason === undefined) continue;
      target.edits.refuse(record.id, fieldId, { unparsed: text }, reason, target.step);
      const field = target.columns.find((column) => column.field.id === fieldId)?.field;
      const name =
        planned.find((cell) => cell.fieldId === target.primaryId && cell.reason === undefined)?.text ?? record.name;
      misfits.push({
        recordId: record.id,
        fieldId,
        record: name === undefined || name === '' ? 'an unnamed record' : name,
        field: field?.name ?? '',
        text,
        reason,
      });
    }
  };

  const existing = target.records
    .slice(0, copied.rows.length)
    .map((record, index) => ({ record, planned: plan(copied.rows[index] ?? []) }));
  for (const part of chunks(existing, recordsPerRequest)) {
    const changes: CellChange[] = part.flatMap(({ record, planned }) =>
      written(planned).map(({ fieldId, value }) => ({
        recordId: record.id,
        fieldId,
        value,
        before: target.edits.beforeOf(record, fieldId),
      })),
    );
    if (
      (await target.edits.edit(changes, {
        typecast: newChoices,
        step: target.step,
        onSaved: ({ operationId }) => operationId !== undefined && target.onChanged(),
      })) === 'refused'
    )
      return null;
    cells += changes.length;
    for (const { record, planned } of part) refuse(record, planned);
  }

  const beyond = copied.rows.slice(target.records.length);
  let created = 0;
  for (const part of target.canCreate ? chunks(beyond, recordsPerRequest) : []) {
    const planned = part.map(plan);
    const body = {
      records: planned.map((row) => ({
        fields: {
          ...target.newCells,
          ...Object.fromEntries(written(row).map(({ fieldId, value }) => [fieldId, value])),
        },
      })),
      fieldKeyType: 'id' as const,
      typecast: newChoices,
    };
    const records = await target.edits.inTurn(() => makeRecords(target.tableId, body, inStep(target.step)));
    target.onChanged();
    created += records.length;
    cells += planned.reduce((sum, row) => sum + written(row).length, 0);
    records.forEach((record, index) => refuse(record, planned[index] ?? []));
  }
  return { cells, created, leftOut: target.canCreate ? 0 : beyond.length, misfits, newChoices };
};

/** undefined: one cell that was pasted and fits is seen, and needs no words. */
export const pasteText = (
  { cells, created, leftOut, misfits }: PasteReport,
  columnsLeftOut = 0,
  besides: readonly string[] = [],
): { title: string; detail?: string } | undefined => {
  if (
    misfits.length === 0 &&
    leftOut === 0 &&
    columnsLeftOut === 0 &&
    cells <= 1 &&
    created === 0 &&
    besides.length === 0
  )
    return undefined;
  const details = [
    ...(leftOut === 0
      ? []
      : [
          `${counted(leftOut, 'row')} beyond the end ${leftOut === 1 ? 'was' : 'were'} left out: you may not add records.`,
        ]),
    ...(columnsLeftOut === 0
      ? []
      : [
          `${counted(columnsLeftOut, 'column')} beyond the last field ${columnsLeftOut === 1 ? 'was' : 'were'} left out.`,
        ]),
    ...(misfits.length === 0 ? [] : ['What did not fit is marked in red and was not saved:']),
  ];
  const pasted = cells === 0 && created === 0 ? 'Nothing was pasted' : `${counted(cells, 'cell')} pasted`;
  return {
    title: `${pasted}${created === 0 ? '' : `, ${counted(created, 'record')} added`}${misfits.length === 0 ? '' : `, ${counted(misfits.length, 'cell')} did not fit`}${besides.map((one) => `; ${one}`).join('')}.`,
    ...(details.length === 0 ? {} : { detail: details.join(' ') }),
  };
};

/** Every one of them, with its field and record. */
export const misfitTexts = (misfits: readonly Misfit[]): string[] =>
  misfits.map(({ record, field, reason }) => `${field} of ${record}: ${reason}`);
