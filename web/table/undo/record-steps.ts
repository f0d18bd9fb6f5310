// Taking back the creation and the deletion of records. What was deleted comes back as it was, under its own id.
import { ApiError } from '@rowhouse/contract/error.ts';
import { listTableHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { deleteRecords } from '@rowhouse/contract/record.ts';
import { call } from '../../app/call.ts';
import { joinSteps, type Step } from './undo-stack.ts';

export interface RecordSteps {
  tableId: string;
  ownId: string;
  reload(): Promise<void>;
}

/** What one request deleted. */
export interface Deletion {
  operationId: string;
  recordIds: readonly string[];
}

// Ids travel in the address of the request, which is limited to some 16 kB.
const idsPerRequest = 300;

const chunks = <T>(list: readonly T[], size: number): T[][] => Array.from({ length: Math.ceil(list.length / size) }, (_item, index) => list.slice(index * size, (index + 1) * size));

export const removeRecords = async (tableId: string, recordIds: readonly string[], onGone: (deletion: Deletion) => void): Promise<void> => {
  for (const ids of chunks(recordIds, idsPerRequest)) {
    let operationId = '';
    await call(deleteRecords, { params: { tableId }, query: { recordIds: ids }, onHeaders: (headers) => (operationId = headers.get('x-operation-id') ?? '') });
    onGone({ operationId, recordIds: ids });
  }
};

const demandUntouched = async ({ tableId, ownId }: RecordSteps, recordIds: readonly string[]): Promise<void> => {
  for (const ids of chunks(recordIds, idsPerRequest)) {
    const { historyList } = await call(listTableHistory, { params: { tableId }, query: { recordIds: ids, take: 1_000 } });
    const foreign = historyList.find(({ createdBy }) => createdBy !== ownId);
    if (foreign !== undefined) {
      const conflict = { recordId: foreign.recordId, fieldId: foreign.fieldId, reason: 'changed_since', message: 'Someone else has typed into a record that this would delete' };
      throw new ApiError('conflict', conflict.message, { conflicts: [conflict], total: 1 });
    }
  }
};

type Again = (steps: RecordSteps, recordIds: readonly string[]) => Step;

const remove = async (steps: RecordSteps, recordIds: readonly string[], again: Again): Promise<Step> => {
  const gone: Deletion[] = [];
  await removeRecords(steps.tableId, recordIds, (deletion) => gone.push(deletion));
  await steps.reload();
  return deletedStep(steps, gone, again);
};

/** Deletes what was made, unless somebody else has worked on it. */
export const createdStep: Again = (steps, recordIds) => async (force) => {
  if (!force) await demandUntouched(steps, recordIds);
  return remove(steps, recordIds, createdStep);
};

/** Deletes what came back. */
export const restoredStep: Again = (steps, recordIds) => () => remove(steps, recordIds, restoredStep);

/** Brings back what was deleted; `again` deletes it once more. */
export const deletedStep = (steps: RecordSteps, deletions: readonly Deletion[], again: Again = restoredStep): Step => {
  const { tableId, reload } = steps;
  const restoreAll = joinSteps(
    deletions.map(({ operationId }): Step => async (force) => {
      const { recordIds } = await call(restoreHistory, { params: { tableId }, body: { operationId, force } });
      return again(steps, recordIds);
    }),
  );
  return (force) => restoreAll(force).finally(reload);
};
