// Somebody typed into a record that someone else has deleted: the text goes nowhere else. It is shown, and can be
// written after all when the record comes back.
import type { Field } from '@rowhouse/contract/field.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { call } from '../app/call.ts';
import { showProblem, showToast } from '../ui/toast.ts';
import type { CellChange } from './edit-answers.ts';
import type { EditQueue } from './edit-queue.ts';
import { isTemporary } from './new-record-cells.ts';
import type { CellText } from './record-changes.ts';

interface LostTarget {
  tableId: string;
  fields: readonly Field[];
  rewrite: EditQueue['edit'];
  reload: () => Promise<void>;
  textOf: CellText;
}

/** What brings a record back, and how many come with it: those that one request deleted come back together. */
const wayBack = async (tableId: string, recordId: string): Promise<{ trashId: string; count: number } | undefined> => {
  try {
    const { trashItems } = await call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId } });
    const item = trashItems.find(
      ({ resourceType, resourceIds }) => resourceType === 'record' && resourceIds?.includes(recordId),
    );
    return item === undefined ? undefined : { trashId: item.id, count: item.resourceIds?.length ?? 1 };
  } catch {
    // Not for this person to see, or the server is away: the text is still shown.
    return undefined;
  }
};

const offer = async (
  { tableId, fields, rewrite, reload, textOf }: LostTarget,
  recordId: string,
  cells: readonly CellChange[],
): Promise<void> => {
  const texts = cells.flatMap(({ fieldId, value }) => {
    const field = fields.find(({ id }) => id === fieldId);
    return field === undefined || value === null ? [] : [textOf(field, value)];
  });
  if (texts.length === 0) return showToast({ kind: 'problem', title: 'This record was deleted. Nothing was changed.' });
  const way = isTemporary(recordId) ? undefined : await wayBack(tableId, recordId);
  const restore = async (trashId: string): Promise<void> => {
    try {
      await call(restoreTrash, { params: { trashId } });
      await rewrite(cells);
      await reload();
    } catch (error) {
      showProblem(error, `The record was not restored. Your text was “${texts.join('”, “')}”.`);
    }
  };
  showToast({
    kind: 'problem',
    stays: true,
    title: `${isTemporary(recordId) ? 'The record was not added.' : 'This record was deleted.'} Your change wasn’t saved.`,
    detail: `“${texts.join('”, “')}”`,
    ...(way === undefined
      ? {}
      : {
          action: {
            label: way.count === 1 ? 'Restore record with my change' : `Restore ${way.count} records with my change`,
            run: () => void restore(way.trashId),
          },
        }),
  });
};

const plainText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  return typeof value === 'object' && value !== null
    ? String((value as { title?: unknown }).title ?? '')
    : String(value ?? '');
};

/** The same for a field that someone has deleted. */
export const offerLostField = ({ fields, textOf }: LostTarget, cells: readonly CellChange[]): void => {
  const texts = cells
    .filter(({ value }) => value !== null)
    .map(({ fieldId, value }) => {
      const field = fields.find(({ id }) => id === fieldId);
      return field === undefined ? plainText(value) : textOf(field, value);
    });
  const shown = texts
    .slice(0, 5)
    .map((text) => `“${text}”`)
    .join(', ');
  if (texts.length === 0) return showToast({ kind: 'problem', title: 'This field was deleted. Nothing was changed.' });
  showToast({
    kind: 'problem',
    stays: true,
    title: 'This field was deleted. Your change wasn’t saved.',
    detail: texts.length > 5 ? `${shown} and ${texts.length - 5} more` : shown,
  });
};

const mostOffers = 3;

export const offerLost = (target: LostTarget, cells: readonly CellChange[]): void => {
  const byRecord = new Map<string, CellChange[]>();
  for (const cell of cells) byRecord.set(cell.recordId, [...(byRecord.get(cell.recordId) ?? []), cell]);
  for (const [recordId, lost] of [...byRecord].slice(0, mostOffers)) void offer(target, recordId, lost);
  if (byRecord.size > mostOffers)
    showToast({
      kind: 'problem',
      stays: true,
      title: `${byRecord.size} records were deleted in the meantime. Your changes to them weren’t saved.`,
    });
};
