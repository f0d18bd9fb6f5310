// Plans for tests: those that come along, with some limits changed.
import { readFileSync } from 'node:fs';
import type { PlanLimit } from '@rowhouse/contract/plan.ts';
import { createPlans, type Plans, type Product } from '../../server/catalog/plans.ts';

interface PlansFile {
  graceDays: number;
  products: Product[];
}

export const plansFile = (): PlansFile =>
  JSON.parse(readFileSync(new URL('../../server/catalog/plans.json', import.meta.url), 'utf8')) as PlansFile;

/** `plansWith({ free: { maxRows: 10 } })`; `maxBytes` is beside the limits that Teable knows. */
export const plansWith = (limits: Record<string, Partial<PlanLimit> & { maxBytes?: number }>): Plans => {
  const file = plansFile();
  for (const product of file.products) {
    const { maxBytes, ...limit } = limits[product.level] ?? {};
    Object.assign(product.limit, limit);
    if (maxBytes !== undefined) product.maxBytes = maxBytes;
  }
  return createPlans(file);
};
