// A dashboard is in the trash: says so, and offers to undo it.
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { call } from '../app/call.ts';
import { fromHere } from '../app/from-here.ts';
import { queryClient } from '../app/query-client.ts';
import { reloadTables } from '../record-data/queries.ts';
import { baseTrashQuery } from '../record-data/trash-queries.ts';
import { dismissAbout, showProblem, showToast } from '../ui/toast.ts';

interface DeletedDashboard {
  baseId: string;
  id: string;
  name: string;
}

const restore = async ({ baseId, id, name }: DeletedDashboard): Promise<void> => {
  dismissAbout(`deleted ${id}`);
  const leadOn = fromHere();
  try {
    const { trashItems } = await queryClient.fetchQuery({ ...baseTrashQuery(baseId), staleTime: 0 });
    const item = trashItems.find(({ resourceId }) => resourceId === id);
    if (item !== undefined) await call(restoreTrash, { params: { trashId: item.id } });
    await reloadTables(baseId);
    // The router hears of this as of a link that is followed.
    await leadOn(() => window.history.pushState(null, '', `/base/${baseId}/dashboard/${id}`));
    showToast({ kind: 'note', about: 'undo', title: `Dashboard ${name} restored.` });
  } catch (error) {
    showProblem(error, `Dashboard ${name} was not restored. It is in the trash.`);
  }
};

export const offerDashboard = (dashboard: DeletedDashboard): void =>
  showToast({
    kind: 'note',
    about: `deleted ${dashboard.id}`,
    crossesPages: true,
    title: `Dashboard ${dashboard.name} moved to the trash.`,
    action: { label: 'Undo', run: () => void restore(dashboard) },
  });
