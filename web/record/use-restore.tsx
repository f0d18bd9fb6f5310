// Bringing an old value back from the history. When the cell was changed since, the person decides.
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { recordsKey } from '../table/queries.ts';
import { conflictWords } from '../table/undo/conflict-words.ts';
import { restore as restoreHistory, restoreStep } from '../table/undo/restore-step.ts';
import type { TableRecords } from '../table/use-table-records.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { showProblem, showToast } from '../ui/toast.ts';

export interface Restore {
  restore: (entry: HistoryEntry) => Promise<void>;
  /** The entry that is being restored. */
  restoring: string | undefined;
  dialog: ReactNode;
}

export const useRestore = (tableId: string, { edits, undo, refresh }: TableRecords): Restore => {
  const [restoring, setRestoring] = useState<string>();
  const [conflict, setConflict] = useState<{ entry: HistoryEntry; detail: string }>();
  const target = { tableId, refresh };

  const write = async (entry: HistoryEntry, force: boolean): Promise<void> => {
    const operationId = await edits.inTurn(() => restoreHistory(target, { historyIds: [entry.id] }, force));
    if (operationId === null) showToast({ kind: 'note', title: 'The cell already holds that value.' });
    else undo.did(restoreStep(target, operationId));
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };

  return {
    restoring,
    async restore(entry) {
      setRestoring(entry.id);
      try {
        await write(entry, false);
      } catch (error) {
        const words = conflictWords(error);
        if (words === undefined) showProblem(error, 'The value was not restored.');
        else if (words.canForce) setConflict({ entry, detail: words.detail });
        else showToast({ kind: 'problem', title: `The value was not restored. ${words.title}`, detail: words.detail });
      } finally {
        setRestoring(undefined);
      }
    },
    dialog:
      conflict === undefined ? null : (
        <ConfirmDialog title="Someone has changed this since" description={`${conflict.detail} Restore the older value anyway?`} action="Restore anyway" onClose={() => setConflict(undefined)} onConfirm={() => write(conflict.entry, true)} />
      ),
  };
};
