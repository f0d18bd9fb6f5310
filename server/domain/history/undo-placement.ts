// Records that were put elsewhere by hand. No operation keeps where they stood, so the step of the window does.
import { demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { moveRecords } from '../record/order/move-records.ts';
import { placementOf, placementText } from '../record/order/placement.ts';

/** Call it inside a transaction. `back`: what does it again. */
export const undoPlacement = async (context: Context, text: string): Promise<{ back: string; count: number }> => {
  demand(context.access, 'view|update', context.access.tableId as string);
  const { viewId, runs } = placementOf(text);
  const stood = [];
  for (const run of runs) stood.unshift((await moveRecords({ unconfirmed: context }, viewId, run)).stood);
  return { back: placementText({ viewId, runs: stood.flat() }), count: runs.reduce((sum, { recordIds }) => sum + recordIds.length, 0) };
};
