// Puts a view before or after another. The sidebar shows it at once; the server is told after.
import { moveView } from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { viewsQuery } from '../../record-data/queries.ts';
import { type Destination, reordered } from '../../ui/reorder.ts';
import { showProblem } from '../../ui/toast.ts';

export const placeView = async (
  tableId: string,
  viewId: string,
  { anchorId, position }: Destination,
): Promise<void> => {
  if (position === 'into') return;
  const { queryKey } = viewsQuery(tableId);
  try {
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (views) => {
      if (views === undefined) return undefined;
      const ids = reordered(
        views.map(({ id }) => id),
        viewId,
        anchorId,
        position,
      );
      return views.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    });
    await call(moveView, { params: { tableId, viewId }, body: { anchorId, position } });
  } catch (error) {
    showProblem(error, 'The view was not moved.');
  }
  await queryClient.invalidateQueries({ queryKey });
};
