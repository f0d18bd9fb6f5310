// Taking back the deletion of a field.
import { deleteField } from '@rowhouse/contract/field.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { call } from '../../app/call.ts';
import { trashIdOf } from './trash-id.ts';
import type { Step } from './undo-stack.ts';

export interface FieldSteps {
  tableId: string;
  reload(): Promise<void>;
}

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
