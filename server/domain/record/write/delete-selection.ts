// Deletes what was selected in a view, in one operation, whatever its number. See docs/adr/0034-deleting-many.md.
import type { BodyOf, QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { deleteRanges as rangesEndpoint, deleteSelection as endpoint } from '@rowhouse/contract/selection.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardOf } from '../../../pipeline/guard.sql.ts';
import { guardedWrite, type TableContext, Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import type { Asked } from '../../query/resolve-query.ts';
import { queryFor } from '../read/list-records.ts';
import { areaOf, readRangesText } from '../selection/ranges.ts';
import { rowsOf } from '../selection/select.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { deleteInParts, deleteLinked, type OnProgress, planDelete } from './delete-in-parts.ts';
import { announceDeferred, gateFor } from './links.ts';
import { deleteRecords } from './delete-records.ts';
import { selectIds } from './selection.sql.ts';
import { refusedRecords } from './not-permitted.ts';
import { permitted, selectUnpermitted } from './permits.sql.ts';
import { operationOf } from './write.ts';

export interface DeletedSelection {
  operationId: string;
  ids: string[];
}

interface Planned {
  sight: Sight;
  ids: string[];
  operation: OperationFacts;
  plan: SettlePlan | null;
}

/** Rows of the query, from 0; all of them without ranges. */
type Rows = readonly (readonly [from: number, to: number])[] | null;

const deleteFound = (
  request: Unconfirmed,
  asked: Asked,
  excluded: readonly string[],
  rows: Rows,
  onProgress?: OnProgress,
): Promise<DeletedSelection> =>
  guardedWrite<Planned, string[], DeletedSelection>(request, {
    async plan(context: TableContext, sight) {
      const resolved = queryFor(sight, asked);
      const where = await rowsOf(context.db, sight, resolved);
      return {
        sight,
        ids: await selectIds(context.db, sight, { where, keys: resolved.keys, excluded, rows }),
        operation: operationOf(context, 'delete'),
        plan: await planDelete(context, sight),
      };
    },
    opening: ({ plan }) => gateFor(plan),
    needsTransaction: ({ ids }) => ids.length > 0,
    async write(context, { sight, ids, operation, plan }) {
      if (ids.length === 0) return ids;
      const guard = guardOf(context, sight.table);
      const deleted = await deleteLinked(context, plan, ids, operation, async () =>
        (await deleteInParts(context.db, sight, guard, ids, operation, onProgress)) ? ids : undefined,
      );
      return deleted ?? new Unwritten(guard);
    },
    // Somebody deleted one of them since they were looked up: looked up again, it is not among them.
    async refuse({ db }, { sight, ids }) {
      const unpermitted = await selectUnpermitted(db, sight, ids, permitted(sight, 'delete'));
      return unpermitted.length === 0
        ? new Stale('records')
        : refusedRecords('delete', unpermitted, sight.rule.may?.delete ?? []);
    },
    answer(context, { operation, plan }, ids) {
      announceDeferred(context, plan);
      return { operationId: ids.length === 0 ? '' : operation.publicId, ids };
    },
  });

export const deleteSelection = async (
  request: Unconfirmed,
  { selection: { recordIds, excludeRecordIds }, ...asked }: BodyOf<typeof endpoint>,
  onProgress?: OnProgress,
): Promise<DeletedSelection> => {
  if (recordIds === undefined) return deleteFound(request, asked, excludeRecordIds ?? [], null, onProgress);
  if (excludeRecordIds !== undefined)
    throw invalid({ path: 'selection', message: 'Expected either recordIds or excludeRecordIds' });
  if (recordIds.length === 0) return { operationId: '', ids: [] };
  const { operationId } = await deleteRecords(request, recordIds, { onlyIds: true, onProgress });
  return { operationId, ids: [...new Set(recordIds)] };
};

export const deleteRanges = (
  request: Unconfirmed,
  query: QueryOf<typeof rangesEndpoint>,
): Promise<DeletedSelection> => {
  const { ranges, type, projection: _projection, ...asked } = query;
  return deleteFound(request, asked, [], areaOf(readRangesText(ranges, type), type).rows);
};
