// What several records hold in one field, and what a bulk edit writes into them.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { namesNewChoice, readDraft } from '../../../field-type/read-draft.ts';
import type { CellChange } from '../../../record-data/edit-answers.ts';
import type { EditQueue } from '../../../record-data/edit-queue.ts';
import { isSameCell } from '../../../record-data/merge-changes.ts';

type Shared = { is: 'same'; value: unknown } | { is: 'several' };

/** One value for all records, or several. */
export const sharedValue = (
  records: readonly RecordVo[],
  fieldId: string,
  valueOf: EditQueue['valueOf'] = (record) => record.fields[fieldId],
): Shared => {
  const [first, ...others] = records.map((record) => valueOf(record, fieldId));
  return others.every((value) => isSameCell(first, value)) ? { is: 'same', value: first } : { is: 'several' };
};

/** By field id, what the editors hold. */
export type Drafts = ReadonlyMap<string, unknown>;

interface ReadDrafts {
  values: Map<string, unknown>;
  /** By field id: why a draft is not a value of its field. */
  reasons: Map<string, string>;
  /** The server has to look for names, or to make a choice. */
  typecast: boolean;
}

export const readDrafts = (fields: readonly Field[], drafts: Drafts): ReadDrafts => {
  const read: ReadDrafts = { values: new Map(), reasons: new Map(), typecast: false };
  for (const field of fields) {
    if (!drafts.has(field.id)) continue;
    const draft = readDraft(field, drafts.get(field.id));
    if (!draft.ok) read.reasons.set(field.id, draft.reason);
    else {
      read.values.set(field.id, draft.value);
      read.typecast ||= namesNewChoice(field, draft.value);
    }
  }
  return read;
};

/** Cells that hold the value already are not sent: they are no part of what is undone. */
export const bulkChanges = (
  records: readonly RecordVo[],
  values: ReadonlyMap<string, unknown>,
  beforeOf: EditQueue['beforeOf'],
): CellChange[] =>
  records.flatMap((record) =>
    [...values].flatMap(([fieldId, value]): CellChange[] => {
      const before = beforeOf(record, fieldId);
      return isSameCell(before, value) ? [] : [{ recordId: record.id, fieldId, value, before }];
    }),
  );

/** By field id, what the server refused, with the number of cells. Empty: it refused something else. */
export const refusedFields = (error: unknown): Map<string, string> => {
  const data =
    error instanceof ApiError
      ? (error.data as { errors?: { field: string; message: string }[] } | undefined)
      : undefined;
  const found = new Map<string, string[]>();
  for (const { field, message } of data?.errors ?? []) found.set(field, [...(found.get(field) ?? []), message]);
  return new Map(
    [...found].map(([field, messages]) => [
      field,
      `${messages[0] ?? ''}.${messages.length > 1 ? ` ${messages.length.toLocaleString('en')} records are affected.` : ''}`,
    ]),
  );
};
