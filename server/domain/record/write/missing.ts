// Why a statement wrote nothing although the facts it rests on hold: records are not there, or have moved on.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { selectRecordVersions } from '../read/read.sql.ts';
import { refusedRecords } from './not-permitted.ts';
import { permitted, selectUnpermitted } from './permits.sql.ts';

const missing = (ids: readonly string[]): ApiError =>
  new ApiError(
    'not_found',
    `Record ${ids
      .slice(0, 10)
      .map((id) => id.slice(0, 50))
      .join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''} not found`,
    {
      recordIds: ids.slice(0, 1_000),
      total: ids.length,
    },
  );

/** The records are seen, but not the cells in them that the request writes. */
export const hiddenCells = (ids: readonly string[]): ApiError =>
  new ApiError(
    'restricted_resource',
    `You cannot write cells that you do not see, in ${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''}`,
    { recordIds: ids.slice(0, 1_000), total: ids.length },
  );

export const explainMissing = async (
  db: Queryable,
  sight: Sight,
  ids: readonly string[],
  version: number | undefined,
): Promise<Error> => {
  const known = await selectRecordVersions(db, sight, ids);
  const absent = ids.filter((id) => !known.has(id));
  if (absent.length > 0) return missing(absent);
  const now = known.get(ids[0] as string);
  if (version !== undefined && now !== version) {
    return new ApiError(
      'precondition_failed',
      `The record is at version ${now}, not at ${version}: read it again before changing it`,
      { version: now },
    );
  }
  // They have come, or come back, since the statement looked for them.
  return new Stale('records');
};

/** Why records were not deleted: not there, or not to be deleted by the caller. */
export const explainNotDeleted = async (db: Queryable, sight: Sight, ids: readonly string[]): Promise<Error> => {
  const fault = await explainMissing(db, sight, ids, undefined);
  if (!(fault instanceof Stale)) return fault;
  const unpermitted = await selectUnpermitted(db, sight, ids, permitted(sight, 'delete'));
  return unpermitted.length === 0 ? fault : refusedRecords('delete', unpermitted, sight.rule.may?.delete ?? []);
};
