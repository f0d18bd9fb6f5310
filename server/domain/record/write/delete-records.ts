// DELETE of one record and of several
import { ApiError } from '@rowhouse/contract/error.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardOf } from '../../../pipeline/guard.sql.ts';
import { guardedWrite, Unwritten } from '../../../pipeline/pipeline.ts';
import { permissionsJson } from '../read/json.sql.ts';
import { allowLong, type DeletedRow, deleteRows } from './delete.sql.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { deleteInParts, deleteLinked, manyToDelete, type OnProgress, planDelete } from './delete-in-parts.ts';
import { announceDeferred, gateFor } from './links.ts';
import { explainNotDeleted } from './missing.ts';
import { operationOf } from './write.ts';

interface Planned {
  sight: Sight;
  operation: OperationFacts;
  plan: SettlePlan | null;
}

/** All or nothing; the records as they were, keyed by field id, in request order, or nothing of them with `onlyIds`: then there may be any number. */
export const deleteRecords = (
  request: Unconfirmed,
  recordIds: readonly string[],
  { onlyIds = false, onProgress }: { onlyIds?: boolean; onProgress?: OnProgress | undefined } = {},
): Promise<{ operationId: string; records: string[] }> => {
  const ids = [...new Set(recordIds)];
  return guardedWrite<Planned, DeletedRow[], { operationId: string; records: string[] }>(request, {
    plan: async (context, sight) => ({
      sight,
      operation: operationOf(context, 'delete'),
      plan: await planDelete(context, sight),
    }),
    opening: ({ plan }) => gateFor(plan),
    needsTransaction: () => true,
    async write(context, { sight, operation, plan }) {
      const guard = guardOf(context, sight.table);
      const deleted = await deleteLinked(context, plan, ids, operation, async () => {
        if (onlyIds)
          return (await deleteInParts(context.db, sight, guard, ids, operation, onProgress)) ? [] : undefined;
        if (ids.length > manyToDelete) await allowLong(context.db);
        const rows = await deleteRows(context.db, sight, guard, ids, operation);
        return rows.length === ids.length ? rows : undefined;
      });
      return deleted ?? new Unwritten(guard);
    },
    async refuse({ db }, { sight }) {
      const fault = await explainNotDeleted(db, sight, ids);
      if (!(fault instanceof ApiError) || fault.code !== 'not_found') return fault;
      // As Teable answers it: some unknown is a bad request, all unknown is not found.
      const { total } = fault.data as { total: number };
      return total < ids.length ? new ApiError('validation_error', fault.message, fault.data) : fault;
    },
    answer(context, { sight, operation, plan }, rows) {
      announceDeferred(context, plan);
      const { access } = context;
      if (onlyIds) return { operationId: operation.publicId, records: [] };
      const tail = permissionsJson(sight, access, 'id');
      const byId = new Map(rows.map((row) => [row.id, row.json + tail]));
      return { operationId: operation.publicId, records: ids.map((id) => byId.get(id) as string) };
    },
  });
};
