// Taking back the creation and the deletion of records.
import { ApiError } from '@rowhouse/contract/error.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import { call } from '../../app/call.ts';
import type { Step } from './undo-stack.ts';

export interface RecordSteps {
  tableId: string;
  ownId: string;
  /** Fields that can be written. */
  writable: ReadonlySet<string>;
  reload(): Promise<void>;
}

// Ids travel in the address of the request, which is limited to some 16 kB.
const idsPerRequest = 300;
const recordsPerRequest = 2_000;

const chunks = <T>(list: readonly T[], size: number): T[][] => Array.from({ length: Math.ceil(list.length / size) }, (_item, index) => list.slice(index * size, (index + 1) * size));

export const removeRecords = async (tableId: string, recordIds: readonly string[], onGone: (records: RecordVo[]) => void): Promise<void> => {
  for (const ids of chunks(recordIds, idsPerRequest)) onGone((await call(deleteRecords, { params: { tableId }, query: { recordIds: ids } })).records);
};

export const putBack = async ({ tableId, writable }: RecordSteps, records: readonly RecordVo[]): Promise<RecordVo[]> => {
  const made: RecordVo[] = [];
  for (const chunk of chunks(records, recordsPerRequest)) {
    const fresh = chunk.map((record) => ({ fields: Object.fromEntries(Object.entries(record.fields).filter(([fieldId]) => writable.has(fieldId))) }));
    made.push(...(await call(createRecords, { params: { tableId }, body: { records: fresh, fieldKeyType: 'id' } })).records);
  }
  return made;
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

/** Deletes what was made, unless somebody else has worked on it. */
export const createdStep = (steps: RecordSteps, recordIds: readonly string[]): Step => async (force) => {
  if (!force) await demandUntouched(steps, recordIds);
  const gone: RecordVo[] = [];
  await removeRecords(steps.tableId, recordIds, (records) => gone.push(...records));
  await steps.reload();
  return deletedStep(steps, gone);
};

/** Makes what was deleted anew; history knows it under a new id. */
export const deletedStep = (steps: RecordSteps, records: readonly RecordVo[]): Step => async () => {
  const made = await putBack(steps, records);
  await steps.reload();
  return createdStep(steps, made.map(({ id }) => id));
};
