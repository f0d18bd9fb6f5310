// Puts a view before or after another. The sidebar shows it at once; the server is told after.
import { moveView } from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { showAtOnce } from '../../app/unanswered.ts';
import { viewsQuery } from '../../record-data/queries.ts';
import { type Destination, inOrder } from '../../ui/reorder.ts';
import { showProblem } from '../../ui/toast.ts';

export const placeView = async (
  tableId: string,
  viewId: string,
  { anchorId, position }: Destination,
): Promise<void> => {
  if (position === 'into') return;
  const { queryKey } = viewsQuery(tableId);
  try {
    await showAtOnce(
      queryKey,
      (views) => inOrder(views, viewId, { anchorId, position }),
      () => call(moveView, { params: { tableId, viewId }, body: { anchorId, position } }),
    );
  } catch (error) {
    showProblem(error, 'The view was not moved.');
  }
  await queryClient.invalidateQueries({ queryKey });
};
