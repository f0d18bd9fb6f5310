// Moves tables and folders. The sidebar shows it at once; the server is told after.
import { type BaseNode, moveNode } from '@rowhouse/contract/node.ts';
import { call } from '../../app/call.ts';
import { showAtOnce } from '../../app/unanswered.ts';
import { nodesQuery, reloadTables } from '../../record-data/queries.ts';
import type { Destination } from '../../ui/reorder.ts';
import { showProblem } from '../../ui/toast.ts';
import { nodesAfter, placeOf } from './outline.ts';

export const moveTo = async (
  baseId: string,
  nodes: readonly BaseNode[],
  nodeId: string,
  to: Destination,
): Promise<void> => {
  if (nodesAfter(nodes, nodeId, to) === undefined) return;
  const { queryKey } = nodesQuery(baseId);
  try {
    await showAtOnce(
      queryKey,
      (shown) => nodesAfter(shown, nodeId, to) ?? shown,
      () => call(moveNode, { params: { baseId, nodeId }, body: placeOf(to) }),
    );
  } catch (error) {
    showProblem(error, 'It was not moved.');
  }
  await reloadTables(baseId);
};
