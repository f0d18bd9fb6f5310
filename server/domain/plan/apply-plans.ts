// At the start: the limits of existing spaces become those of the plans of now, whatever was set before.
import type { Environment } from '../../context.ts';
import { saveProducts, selectRetiredProducts } from './product.sql.ts';
import { applyLimit } from './quota.ts';
import { selectCapacities } from './quota.sql.ts';

export const applyPlans = async (services: Pick<Environment, 'db' | 'plans' | 'now'>): Promise<void> => {
  const { db, plans } = services;
  if (plans.areOn) {
    await db.transaction((tx) => saveProducts(tx, plans.products));
    plans.remember(await selectRetiredProducts(db));
  }
  for (const { spaceId, level, used, cap } of await selectCapacities(db)) {
    const limit = plans.limitOf(level ?? plans.fallback.level).maxRows;
    // A space that never had a record gets its caps with the first one.
    const isRight = used <= limit ? cap === limit || (used === 0 && cap === 0) : cap < 0;
    if (!isRight) await db.transaction((tx) => applyLimit(tx, services, spaceId));
  }
};
