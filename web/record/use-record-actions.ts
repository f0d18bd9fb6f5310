// What can be done with a whole record, wherever it is open. All of it can be undone.
import { queryClient } from '../app/query-client.ts';
import { newStep } from '../app/window-steps.ts';
import { recordsKey } from '../record-data/queries.ts';
import { copyRecord, removeRecords } from '../record-data/undo/records.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import { showProblem, showToast } from '../ui/toast.ts';

interface RecordActions {
  /** Answers the id of the copy. */
  duplicate(): Promise<string | undefined>;
  /** Answers whether it is gone. */
  remove(): Promise<boolean>;
}

export const useRecordActions = (
  tableId: string,
  viewId: string,
  recordId: string,
  { window, undo }: TableRecords,
): RecordActions => {
  const reload = async (): Promise<void> => {
    await Promise.all([window.reload(), queryClient.invalidateQueries({ queryKey: recordsKey(tableId) })]);
  };
  return {
    async duplicate() {
      try {
        const records = await copyRecord(tableId, viewId, recordId);
        await reload();
        return records[0]?.id;
      } catch (error) {
        showProblem(error, 'The record was not duplicated.');
        return undefined;
      }
    },
    async remove() {
      try {
        const step = newStep();
        await removeRecords(tableId, { recordIds: [recordId] }, step);
        showToast({
          kind: 'note',
          title: '1 record deleted.',
          about: step,
          action: { label: 'Undo', run: () => void undo.undo(step) },
        });
      } catch (error) {
        showProblem(error, 'The record was not deleted.');
        return false;
      }
      await reload();
      return true;
    },
  };
};
