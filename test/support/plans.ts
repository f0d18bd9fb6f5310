// Plans for tests: those that come along, with some limits changed.
import { readFileSync } from 'node:fs';
import type { PlanLimit } from '@rowhouse/contract/plan.ts';
import { createPlans, type Plans, type Product } from '../../server/catalog/plans.ts';

export interface PlansFile {
  graceDays: number;
  products: Product[];
}

export const plansFile = (): PlansFile => JSON.parse(readFileSync(new URL('../../server/catalog/plans.json', import.meta.url), 'utf8')) as PlansFile;

/** `plansWith({ free: { maxRows: 10 } })` */
export const plansWith = (limits: Record<string, Partial<PlanLimit>>): Plans => {
  const file = plansFile();
  for (const product of file.products) Object.assign(product.limit, limits[product.level]);
  return createPlans(file);
};
