// What can be done with a whole record, wherever it is open. All of it can be undone.
import { duplicateRecord } from '@rowhouse/contract/record.ts';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { recordsKey } from '../table/queries.ts';
import { createdStep, type Deletion, deletedStep, removeRecords } from '../table/undo/record-steps.ts';
import type { TableRecords } from '../table/use-table-records.ts';
import { showProblem, showToast } from '../ui/toast.ts';

export interface RecordActions {
  /** Answers the id of the copy. */
  duplicate(): Promise<string | undefined>;
  /** Answers whether it is gone. */
  remove(): Promise<boolean>;
}

export const useRecordActions = (tableId: string, viewId: string, recordId: string, { window, undo }: TableRecords): RecordActions => {
  const reload = async (): Promise<void> => {
    await Promise.all([window.reload(), queryClient.invalidateQueries({ queryKey: recordsKey(tableId) })]);
  };
  const steps = { tableId, ownId: useMe().id, reload };
  return {
    async duplicate() {
      try {
        const { records } = await call(duplicateRecord, { params: { tableId, recordId }, body: { viewId, anchorId: recordId, position: 'after' } });
        undo.did(createdStep(steps, records.map(({ id }) => id)));
        await reload();
        return records[0]?.id;
      } catch (error) {
        showProblem(error, 'The record was not duplicated.');
        return undefined;
      }
    },
    async remove() {
      const gone: Deletion[] = [];
      try {
        await removeRecords(tableId, [recordId], (deletion) => gone.push(deletion));
      } catch (error) {
        showProblem(error, 'The record was not deleted.');
        return false;
      }
      const step = deletedStep(steps, gone);
      undo.did(step);
      showToast({ kind: 'note', title: '1 record deleted.', action: { label: 'Undo', run: () => void undo.undo(step) } });
      await reload();
      return true;
    },
  };
};
