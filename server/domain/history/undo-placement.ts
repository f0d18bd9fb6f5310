// Records that were put elsewhere by hand go back to where they stood.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { restoreHistory as endpoint } from '@rowhouse/contract/history.ts';
import { demand } from '../../catalog/access.ts';
import { type TableContext } from '../../pipeline/pipeline.ts';
import { moveRecords } from '../record/order/move-records.ts';
import type { Placement } from '../record/order/placement.ts';
import { keepSideEffects } from '../record/write/side-effects.ts';
import { selectOperation } from './history.sql.ts';

/** In a transaction. The last of the moves keeps the way back of all of them. */
export const undoPlacement = async (
  context: TableContext,
  { viewId, runs }: Placement,
): Promise<ResponseOf<typeof endpoint>> => {
  const {
    db,
    access: { baseId, tableId },
  } = context;
  demand(context.access, 'view|update', tableId);
  const stood: Placement['runs'][number][] = [];
  let operationId: string | null = null;
  for (const [at, run] of runs.entries()) {
    operationId = await moveRecords(
      { unconfirmed: { ...context, step: at === runs.length - 1 ? context.step : undefined } },
      viewId,
      run,
    );
    stood.unshift(
      ...((await selectOperation(db, { baseId, id: tableId }, operationId))?.sideEffects?.placement?.runs ?? []),
    );
  }
  if (operationId !== null && runs.length > 1)
    await keepSideEffects(db, baseId, operationId, { placement: { viewId, runs: stood } });
  return {
    kind: 'order',
    operationId,
    restored: 0,
    recordIds: runs.flatMap(({ recordIds }) => recordIds),
    skipped: [],
  };
};
