// The records that an import made go to the trash, the last ones first; those that are gone already are passed over. Cells that it changed get
// back what they were.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Leftover, SideEffect } from '@rowhouse/contract/history.ts';
import type { Services } from '../../context.ts';
import { type Actor, actInTable, untilFresh } from '../../pipeline/act-as.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { selectOperation } from '../history/history.sql.ts';
import { removeCreated } from '../history/remove-created.ts';
import { type Restored, restoreWithin } from '../history/restore-history.ts';
import { withSideEffects } from '../history/side-effects.ts';
import { closeGate } from '../computed/gate.sql.ts';

export const undoImportKind = 'undo-import';

export interface UndoPayload {
  baseId: string;
  tableId: string;
  by: Actor;
  /** Of the import, in the order in which they were done. */
  operationIds: string[];
}

interface Undone {
  /** How many went to the trash. */
  records: number;
  /** How many records have their former cells again; absent: the import changed none. */
  restored?: number;
  /** Each brings a part back. */
  operationIds: string[];
  /** What came with the import and went with it: records of other tables, choices. */
  sideEffects?: SideEffect[];
  /** What stays because somebody has used it since. */
  left?: Leftover[];
  leftTotal?: number;
}

const mostLeft = 100;

const step = (services: Services, job: RunningJob<UndoPayload>, at: number): Promise<void> =>
  untilFresh(services, job.payload.tableId, () =>
    job.step(async (tx) => {
      const { baseId, tableId, operationIds, by } = job.payload;
      const so = (job.result as Undone | null) ?? { records: 0, operationIds: [] };
      const operation = await selectOperation(tx, { baseId, id: tableId }, operationIds[at] as string);
      if (operation === undefined) return { cursor: { left: at } };
      const action = operation.rowDelta > 0 ? 'record|delete' : 'record|update';
      const context = await actInTable(services, tx, by, tableId, [action], job.id);
      const remove = (): Promise<Restored | undefined> =>
        (operation.rowDelta > 0
          ? removeCreated(context, operation, true)
          : restoreWithin(context, { operationId: operation.publicId, force: true })
        ).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'not_found') return undefined;
          throw error;
        });
      if (operation.sideEffects !== null) await closeGate(tx, baseId);
      const {
        restored: removed,
        sideEffects = [],
        left = [],
        leftTotal = 0,
      } = await withSideEffects(context, operation.sideEffects, remove);
      const result: Undone = {
        records: so.records + (operation.rowDelta > 0 ? (removed?.recordIds.length ?? 0) : 0),
        ...(operation.rowDelta > 0 ? {} : { restored: (so.restored ?? 0) + (removed?.recordIds.length ?? 0) }),
        operationIds: [...so.operationIds, ...(removed?.operationId == null ? [] : [removed.operationId])],
        sideEffects: [...(so.sideEffects ?? []), ...sideEffects],
        left: [...(so.left ?? []), ...left].slice(0, mostLeft),
        leftTotal: (so.leftTotal ?? 0) + leftTotal,
      };
      return { cursor: { left: at }, done: result.records, result };
    }),
  );

const run = async (services: Services, job: RunningJob<UndoPayload>): Promise<Undone> => {
  const { baseId, operationIds } = job.payload;
  for (let left = (job.cursor as { left: number } | null)?.left ?? operationIds.length; left > 0; left -= 1) {
    await step(services, job, left - 1);
    services.live.changed(baseId);
    await job.giveWay();
  }
  return (job.result as Undone | null) ?? { records: 0, operationIds: [] };
};

export const undoImportJob: JobKind<Services, UndoPayload> = {
  name: undoImportKind,
  isLong: true,
  givesWay: true,
  retry: { attempts: 5, first: 2, longest: 60 },
  run,
};
