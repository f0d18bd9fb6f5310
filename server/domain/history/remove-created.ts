// Undoes an operation by which records came: they are deleted again, unless somebody else has worked on them since.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { restoreHistory as endpoint } from '@rowhouse/contract/history.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { demand } from '../../catalog/access.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { TableContext } from '../../pipeline/pipeline.ts';
import { readTable } from '../field/change-schema.ts';
import { deleteRecords } from '../record/write/delete-records.ts';
import { type OperationRow, selectLaterChanges, selectRecordsOf } from './history.sql.ts';
import { maxListed, refuse } from './refuse.ts';

const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'validation_error');

export const removeCreated = async (
  context: TableContext,
  { id, publicId }: OperationRow,
  force: boolean,
): Promise<ResponseOf<typeof endpoint>> => {
  const { access, db, principal } = context;
  demand(access, 'record|delete', access.tableId);
  const sight = sightOf(context, await readTable(context, access.tableId));
  const later = force ? [] : await selectLaterChanges(db, sight.table, id, 'its records', principal.userId, maxListed);
  if (later.length > 0)
    throw refuse(
      later.map(({ recordId, fieldId }) => ({
        recordId,
        fieldId,
        reason: 'changed_since',
        message: 'Someone else has changed a record that this would delete',
      })),
    );
  for (let tried = Number.POSITIVE_INFINITY; ; ) {
    const recordIds = await selectRecordsOf(db, sight, id);
    if (recordIds.length === 0)
      throw new ApiError('not_found', `The records that ${publicId} created are not there any more`);
    try {
      const { operationId } = await deleteRecords({ unconfirmed: context }, recordIds, { onlyIds: true });
      return { kind: 'records', operationId, restored: 0, recordIds, deleted: true, skipped: [] };
    } catch (error) {
      // All or nothing: when somebody else was quicker with one of them, the rest is tried again.
      if (!isMissing(error) || recordIds.length >= tried) throw error;
      tried = recordIds.length;
    }
  }
};
