// Why a guarded statement wrote nothing: out of date, not there, or moved on.
import { ApiError } from '@rowhouse/contract/error.ts';
import { Stale } from '../../catalog/stale.ts';
import type { Queryable } from '../../db/db.ts';
import { type Guard, selectPresent } from './guard.sql.ts';

const missing = (ids: readonly string[]): ApiError =>
  new ApiError('not_found', `Record ${ids.slice(0, 10).map((id) => id.slice(0, 50)).join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''} not found`, {
    recordIds: ids.slice(0, 1_000),
    total: ids.length,
  });

export const explainNothing = async (db: Queryable, guard: Guard, ids: readonly string[], version: number | undefined): Promise<Error> => {
  const present = await selectPresent(db, guard, ids);
  if (present.version !== guard.table.version) return new Stale('schema');
  if (present.epoch !== guard.epoch) return new Stale('access');
  const known = new Map(Object.entries(present.records));
  const absent = ids.filter((id) => !known.has(id));
  if (absent.length > 0) return missing(absent);
  if (version !== undefined) {
    const now = known.get(ids[0] as string);
    return new ApiError('precondition_failed', `The record is at version ${now}, not at ${version}: read it again before changing it`, { version: now });
  }
  return new Stale('schema');
};
