// Puts a base before or after another one of its space. The page shows it at once; the server is told after.
import { updateBaseOrder } from '@rowhouse/contract/base.ts';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { type Destination, reordered } from '../ui/reorder.ts';
import { showProblem } from '../ui/toast.ts';
import { basesQuery } from './spaces-query.ts';

export const placeBase = async (baseId: string, { anchorId, position }: Destination): Promise<void> => {
  if (position === 'into') return;
  const { queryKey } = basesQuery;
  try {
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (bases) => {
      if (bases === undefined) return undefined;
      const ids = reordered(
        bases.map(({ id }) => id),
        baseId,
        anchorId,
        position,
      );
      return bases.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    });
    await call(updateBaseOrder, { params: { baseId }, body: { anchorId, position } });
  } catch (error) {
    showProblem(error, 'The base was not moved.');
  }
  await queryClient.invalidateQueries({ queryKey });
};
