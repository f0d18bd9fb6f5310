// Bringing an old value back from the history. When the cell was changed since, the person decides.
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../app/query-client.ts';
import { recordsKey } from '../record-data/queries.ts';
import { conflictsIn, conflictWords } from '../record-data/undo/conflict-words.ts';
import { restore as restoreHistory } from '../record-data/undo/undo-operation.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { showProblem, showToast } from '../ui/toast.ts';

interface Restore {
  restore: (entry: HistoryEntry) => Promise<void>;
  /** Everything that one request changed. */
  restoreOperation: (operationId: string) => Promise<void>;
  /** The entry or operation that is being restored. */
  restoring: string | undefined;
  dialog: ReactNode;
}

type What = { historyIds: string[] } | { operationId: string };

export const useRestore = (tableId: string, { edits, undoTarget }: TableRecords): Restore => {
  const [restoring, setRestoring] = useState<string>();
  const [conflict, setConflict] = useState<{ what: What; detail: string }>();

  const write = async (what: What, force: boolean): Promise<void> => {
    const operationId = await edits.restoring(() => restoreHistory(undoTarget, what, force));
    if (operationId === null)
      showToast({
        kind: 'note',
        title:
          'historyIds' in what
            ? 'The cell already holds that value.'
            : 'Everything is as it was before that change already.',
      });
    await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
  };

  const tryTo = async (id: string, what: What): Promise<void> => {
    setRestoring(id);
    const failed = 'historyIds' in what ? 'The value was not restored.' : 'The change was not undone.';
    try {
      await write(what, false);
    } catch (error) {
      const words = conflictWords(conflictsIn(error));
      if (words === undefined) showProblem(error, failed);
      else if (words.canForce) setConflict({ what, detail: words.detail });
      else showToast({ kind: 'problem', title: `${failed} ${words.title}`, detail: words.detail });
    } finally {
      setRestoring(undefined);
    }
  };

  return {
    restoring,
    restore: (entry) => tryTo(entry.id, { historyIds: [entry.id] }),
    restoreOperation: (operationId) => tryTo(operationId, { operationId }),
    dialog:
      conflict === undefined ? null : (
        <ConfirmDialog
          title="Someone has changed this since"
          description={`${conflict.detail} Restore what was there before anyway?`}
          action="Restore anyway"
          onClose={() => setConflict(undefined)}
          onConfirm={() => write(conflict.what, true)}
        />
      ),
  };
};
