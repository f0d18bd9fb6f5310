import { ApiError } from '@rowhouse/contract/error.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context, Services } from '../../context.ts';
import type { Handle } from '../../db/db.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { selectPresentTables } from './automation.sql.ts';
import type { KnownTable, Tables } from './read-trigger.ts';

const orGone = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
};

/** As the caller sees them. */
export const seenTables = async (context: Context, baseId: string, ids: readonly string[]): Promise<Tables> => {
  const present = await selectPresentTables(context.db, baseId, ids);
  const found = new Map<string, KnownTable | undefined>();
  for (const id of present)
    found.set(
      id,
      await orGone(async () => {
        const sight = sightOf(context, await presentTable(context, baseId, id));
        return { id, fields: sight.fields, views: sight.table.views };
      }),
    );
  return found;
};

/** As they are. */
export const presentTables = async (
  services: Pick<Services, 'catalog'> & { db: Handle },
  baseId: string,
  ids: readonly string[],
): Promise<Tables> => {
  const present = await selectPresentTables(services.db, baseId, ids);
  const found = new Map<string, KnownTable | undefined>();
  for (const id of present) found.set(id, await orGone(() => presentTable(services, baseId, id)));
  return found;
};
