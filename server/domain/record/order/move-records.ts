// PUT /table/:tableId/view/:viewId/record-order. It is no change of the schema: nobody's plans are made again for it.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { moveRecords as endpoint } from '@rowhouse/contract/view-order.ts';
import { type Sight, sightOn, viewIn } from '../../../catalog/sight.ts';
import type { ViewSchema } from '../../../catalog/table.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardOf } from '../../../pipeline/guard.sql.ts';
import { guardedWrite, type TableContext, Unwritten } from '../../../pipeline/pipeline.ts';
import { demandChangeable } from '../../view/change-view.ts';
import { keepSideEffects } from '../write/side-effects.ts';
import { operationOf } from '../write/write.ts';
import { demandSeen, placeRecords, withOrderColumn } from './order.ts';
import { selectStanding } from './order.sql.ts';
import { runsOf } from './placement.ts';
import { updatePositions } from './position.sql.ts';

type Move = BodyOf<typeof endpoint>;

interface Planned {
  sight: Sight;
  view: ViewSchema;
}

const refuseTwice = (recordIds: readonly string[]): void => {
  const at = recordIds.findIndex((id, index) => recordIds.indexOf(id) !== index);
  if (at >= 0)
    throw invalid({
      path: `recordIds[${at}]`,
      message: `Record ${String(recordIds[at]).slice(0, 50)} appears twice in this request`,
      expected: 'every record once',
    });
};

const move = async (
  context: TableContext,
  { sight, view }: Planned,
  { anchorId, position, recordIds }: Move,
): Promise<string | Unwritten> => {
  await demandSeen(context.db, sight, recordIds);
  const target = await withOrderColumn(context.db, sight.table, view);
  const { positions } = await placeRecords(
    context.db,
    sightOn(sight, target),
    { viewId: view.id, anchorId, position },
    recordIds.length,
  );
  const stood = runsOf(await selectStanding(context.db, target, view.id, recordIds));
  const guard = guardOf(context, target);
  // Where nothing says where they stood, there is nothing to undo.
  const operation = { ...operationOf(context, 'update'), ...(stood.length === 0 ? { step: undefined } : {}) };
  const moved = new Set(await updatePositions(context.db, guard, view.id, recordIds, positions, operation));
  if (moved.size === 0) return new Unwritten(guard);
  const missing = recordIds.find((id) => !moved.has(id));
  if (missing !== undefined) throw notFound('Record', missing);
  if (stood.length > 0)
    await keepSideEffects(context.db, sight.table.baseId, operation.publicId, {
      placement: { viewId: view.id, runs: stood },
    });
  return operation.publicId;
};

/** Answers the id of the operation. */
export const moveRecords = async (request: Unconfirmed, viewId: string, body: Move): Promise<string> => {
  refuseTwice(body.recordIds);
  return guardedWrite<Planned, string, string>(request, {
    async plan(context, sight) {
      const view = viewIn(sight, viewId);
      demandChangeable(context, view);
      return { sight, view };
    },
    needsTransaction: () => true,
    write: (context, planned) => move(context, planned, body),
    refuse: async () => notFound('Record', body.recordIds[0] as string),
    answer({ catalog }, { sight, view }, operationId) {
      if (!view.hasOrder) catalog.forget(sight.table.id);
      return operationId;
    },
  });
};
