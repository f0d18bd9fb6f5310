// At 80 and at 100 percent of the rows of a plan the owners of the space are told, once per crossing.
import { addToOutbox } from '../../catalog/outbox.sql.ts';
import type { Services } from '../../context.ts';
import { type Capacity, selectCapacities } from './quota.sql.ts';
import { claimWarning, deleteWarnings, selectWarned } from './warning.sql.ts';

const warnings = [100, 80] as const;

export const warnOfLimits = async ({ db, plans }: Pick<Services, 'db' | 'plans'>): Promise<void> => {
  const limitOf = ({ level }: Capacity): number => plans.limitOf(level ?? plans.free.level).maxRows;
  const capacities = await selectCapacities(db);
  for (const it of capacities) {
    const allowed = limitOf(it);
    const percent = warnings.find((one) => it.used > 0 && it.used * 100 >= allowed * one);
    if (percent === undefined) continue;
    await db.transaction(async (tx) => {
      if (!(await claimWarning(tx, it.spaceId, percent))) return;
      await addToOutbox(tx, { type: 'limitReached', spaceId: it.spaceId, limit: 'maxRows', used: it.used, allowed, percent });
    });
  }
  const warned = new Set(await selectWarned(db));
  const relieved = capacities.filter((it) => warned.has(it.spaceId) && it.used * 100 < limitOf(it) * 80);
  if (relieved.length > 0) await deleteWarnings(db, relieved.map(({ spaceId }) => spaceId));
};
