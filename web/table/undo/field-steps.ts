// Taking back the deletion of a field.
import { ApiError } from '@rowhouse/contract/error.ts';
import { deleteField } from '@rowhouse/contract/field.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { call } from '../../app/call.ts';
import type { Step } from './undo-stack.ts';

export interface FieldSteps {
  tableId: string;
  reload(): Promise<void>;
}

const trashIdOf = async (tableId: string, fieldId: string): Promise<string> => {
  let cursor: string | null | undefined;
  do {
    const page: { trashItems: { id: string; resourceIds?: string[] }[]; nextCursor: string | null } = await call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId, ...(cursor == null ? {} : { cursor }) } });
    const item = page.trashItems.find(({ resourceIds }) => resourceIds?.includes(fieldId));
    if (item !== undefined) return item.id;
    cursor = page.nextCursor;
  } while (cursor !== null);
  throw new ApiError('not_found', 'The field is not in the trash any more');
};

/** Brings it back. */
export const fieldDeletedStep = (steps: FieldSteps, fieldId: string): Step => async () => {
  await call(restoreTrash, { params: { trashId: await trashIdOf(steps.tableId, fieldId) } });
  await steps.reload();
  return fieldRestoredStep(steps, fieldId);
};

/** Deletes what came back. */
export const fieldRestoredStep = (steps: FieldSteps, fieldId: string): Step => async () => {
  await call(deleteField, { params: { tableId: steps.tableId, fieldId } });
  await steps.reload();
  return fieldDeletedStep(steps, fieldId);
};
