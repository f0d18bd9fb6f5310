import { queryClient } from '../app/query-client.ts';
import { showProblem } from '../ui/toast.ts';
import { recordsKey } from './queries.ts';
import { makeRecords } from './undo/records.ts';
import type { TableRecords } from './use-table-records.ts';

/** Makes a record, which can be undone; answers its id, or nothing when it was refused. */
export const useAddRecord = (tableId: string, { window, undo }: TableRecords): ((cells?: Record<string, unknown>) => Promise<string | undefined>) => {
  return async (cells = {}) => {
    try {
      const { records, operationId } = await makeRecords(tableId, { records: [{ fields: cells }], fieldKeyType: 'id' });
      undo.did(operationId);
      await Promise.all([window.reload(), queryClient.invalidateQueries({ queryKey: recordsKey(tableId) })]);
      return records[0]?.id;
    } catch (error) {
      showProblem(error, 'The record was not added.');
      return undefined;
    }
  };
};
