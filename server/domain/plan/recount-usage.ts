// For `rowhouse doctor`: counts every record, and compares with what the quota says.
import type { Db } from '../../db/db.ts';
import { correctRows } from './quota.sql.ts';
import { selectRecount, selectSpaceIds, stableSnapshot } from './recount.sql.ts';

interface Recount {
  spaceId: string;
  counted: number;
  used: number;
}

/** Space by space, each in one snapshot, so that it is exact while others write. Answers those that differ. */
export const recountUsage = async (db: Db, options: { repair: boolean }): Promise<Recount[]> => {
  const differing: Recount[] = [];
  for (const spaceId of await selectSpaceIds(db)) {
    const found = await db.transaction(async (tx) => {
      await stableSnapshot(tx);
      return { spaceId, ...(await selectRecount(tx, spaceId)) };
    });
    if (found.counted === found.used) continue;
    differing.push(found);
    if (options.repair) await correctRows(db, spaceId, found.counted - found.used);
  }
  return differing;
};
