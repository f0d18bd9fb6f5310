// Puts a base before or after another one of its space. The page shows it at once; the server is told after.
import { updateBaseOrder } from '@rowhouse/contract/base.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { showAtOnce } from '../app/unanswered.ts';
import { type Destination, inOrder } from '../ui/reorder.ts';
import { showProblem } from '../ui/toast.ts';
import { basesQuery } from './spaces-query.ts';

export const placeBase = async (baseId: string, { anchorId, position }: Destination): Promise<void> => {
  if (position === 'into') return;
  const { queryKey } = basesQuery;
  try {
    await showAtOnce(
      queryKey,
      (bases) => inOrder(bases, baseId, { anchorId, position }),
      () => call(updateBaseOrder, { params: { baseId }, body: { anchorId, position } }),
    );
  } catch (error) {
    showProblem(error, 'The base was not moved.');
  }
  await queryClient.invalidateQueries({ queryKey });
};
