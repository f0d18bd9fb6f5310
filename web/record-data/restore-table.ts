// Undoing the deletion of a table: by the note, by Ctrl+Z, also after a reload.
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { call } from '../app/call.ts';
import { type DeletedTable, noteDeletion, takeDeletion } from '../app/last-deletion.ts';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { dismissAbout, showProblem, showToast } from '../ui/toast.ts';
import { tablesQuery } from './queries.ts';
import { baseTrashQuery } from './trash-queries.ts';

const aboutTable = (tableId: string): string => `deleted ${tableId}`;

const restore = async ({ baseId, tableId, name }: DeletedTable): Promise<void> => {
  const leadOn = fromHere();
  const { trashItems } = await queryClient.fetchQuery({ ...baseTrashQuery(baseId), staleTime: 0 });
  const item = trashItems.find(({ resourceId }) => resourceId === tableId);
  if (item !== undefined) await call(restoreTrash, { params: { trashId: item.id } });
  const tables = await queryClient.fetchQuery({ ...tablesQuery(baseId), staleTime: 0 });
  if (!tables.some(({ id }) => id === tableId))
    return showToast({
      kind: 'problem',
      title: `Table ${name} was not restored.`,
      detail: 'It was deleted permanently and is no longer in the trash.',
    });
  // The router hears of this as of a link that is followed.
  await leadOn(() => window.history.pushState(null, '', `/base/${baseId}/${tableId}`));
  showToast({ kind: 'note', about: 'undo', title: `Table ${name} restored.` });
};

export const undoDeletion = async (table: DeletedTable): Promise<void> => {
  dismissAbout(aboutTable(table.tableId));
  try {
    await restore(table);
  } catch (error) {
    // It can be tried again.
    noteDeletion(table);
    showProblem(error, `Table ${table.name} was not restored. It is in the trash.`);
  }
};

/** The table is in the trash: says so, and offers to undo it. */
export const offerRestore = (table: DeletedTable): void => {
  noteDeletion(table);
  const undo = (): void => {
    takeDeletion('any');
    void undoDeletion(table);
  };
  showToast({
    kind: 'note',
    about: aboutTable(table.tableId),
    crossesPages: true,
    title: `Table ${table.name} moved to the trash.`,
    action: { label: 'Undo', run: undo },
  });
};
