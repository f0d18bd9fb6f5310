// DELETE of one record and of several
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { deleteRows } from './delete.sql.ts';
import { permissionsJson, recordJson } from './json.sql.ts';
import { explainNothing } from './missing.ts';
import { operationOf, retryWhenStale, type TableAccess, tableOf } from './write.ts';

/** All or nothing; the records as they were, keyed by field id, in request order. */
export const deleteRecords = (context: Context, recordIds: readonly string[]): Promise<{ operationId: string; records: string[] }> =>
  retryWhenStale(context, async () => {
    const ids = [...new Set(recordIds)];
    const table = await tableOf(context);
    const guard = { table, epoch: context.access.epoch, spaceId: (context.access as TableAccess).spaceId };
    const operation = operationOf(context, 'delete');
    const json = recordJson(table, 'del', { fields: table.fields, keyType: 'id', format: 'json' });
    const rows = await deleteRows(context.db, guard, ids, json, operation);
    if (rows.length !== ids.length) {
      const fault = await explainNothing(context.db, guard, ids, undefined);
      // As Teable answers it: some unknown is a bad request, all unknown is not found.
      const total = (fault as ApiError).code === 'not_found' ? ((fault as ApiError).data as { total: number }).total : 0;
      throw total > 0 && total < ids.length ? new ApiError('validation_error', fault.message, (fault as ApiError).data) : fault;
    }
    const tail = permissionsJson(table, context.access, 'id');
    const byId = new Map(rows.map((row) => [row.id, row.json + tail]));
    return { operationId: operation.publicId, records: ids.map((id) => byId.get(id) as string) };
  });
