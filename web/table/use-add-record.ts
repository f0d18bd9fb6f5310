import { createRecords } from '@rowhouse/contract/record.ts';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { showProblem } from '../ui/toast.ts';
import { recordsKey } from './queries.ts';
import { createdStep } from './undo/record-steps.ts';
import type { TableRecords } from './use-table-records.ts';

/** Makes a record, which can be undone; answers its id, or nothing when it was refused. */
export const useAddRecord = (tableId: string, { window, undo }: TableRecords): ((cells?: Record<string, unknown>) => Promise<string | undefined>) => {
  const steps = { tableId, ownId: useMe().id, reload: window.reload };
  return async (cells = {}) => {
    try {
      const { records } = await call(createRecords, { params: { tableId }, body: { records: [{ fields: cells }], fieldKeyType: 'id' } });
      undo.did(createdStep(steps, records.map(({ id }) => id)));
      await Promise.all([window.reload(), queryClient.invalidateQueries({ queryKey: recordsKey(tableId) })]);
      return records[0]?.id;
    } catch (error) {
      showProblem(error, 'The record was not added.');
      return undefined;
    }
  };
};
