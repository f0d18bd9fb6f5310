// The background job that removes history which the plan does not keep any more, in small batches.
import type { Services } from '../../context.ts';
import { deleteExpired, selectTablesOfBases } from './retention.sql.ts';
import { removalLimit } from './retention.ts';

const batch = 500;

/** How many entries went. */
export const dropExpiredHistory = async (services: Services, signal?: AbortSignal): Promise<number> => {
  let dropped = 0;
  const limits = new Map<string, Date | null>();
  for (const { spaceId, baseId, tableId } of await selectTablesOfBases(services.db)) {
    if (!limits.has(spaceId)) limits.set(spaceId, await removalLimit(services, spaceId));
    const limit = limits.get(spaceId) ?? null;
    if (limit === null) continue;
    for (;;) {
      signal?.throwIfAborted();
      const { operations, entries } = await deleteExpired(services.db, baseId, tableId, limit, batch);
      dropped += entries;
      if (operations < batch) break;
    }
  }
  return dropped;
};
