// At 80 and at 100 percent of a limit of their plan the owners of a space are told, once per crossing.
import { addToOutbox } from '../../catalog/outbox.ts';
import type { Environment } from '../../context.ts';
import { claimWarning, deleteWarnings, type LimitName, selectLimitUses, selectWarned } from './warning.sql.ts';

const warnings = [100, 80] as const;

export const warnOfLimits = async ({ db, plans }: Pick<Environment, 'db' | 'plans'>): Promise<void> => {
  const pressed = new Set<string>();
  const keyOf = (it: { spaceId: string; limit: LimitName }): string => `${it.spaceId}/${it.limit}`;
  for (const use of plans.areOn ? await selectLimitUses(db) : []) {
    const allowed =
      use.allowed ?? plans.limitOf(use.level ?? plans.fallback.level)[use.limit as Exclude<LimitName, 'seats'>];
    const percent = warnings.find((one) => use.used * 100 >= allowed * one);
    if (percent === undefined) continue;
    pressed.add(keyOf(use));
    await db.transaction(async (tx) => {
      if (!(await claimWarning(tx, use, percent))) return;
      await addToOutbox(tx, {
        type: 'limitReached',
        spaceId: use.spaceId,
        limit: use.limit,
        used: use.used,
        allowed,
        percent,
      });
    });
  }
  const relieved = (await selectWarned(db)).filter((it) => !pressed.has(keyOf(it)));
  if (relieved.length > 0) await deleteWarnings(db, relieved);
};
