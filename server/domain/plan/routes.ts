import * as contract from '@rowhouse/contract/plan.ts';
import type { Product } from '../../catalog/plans.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { getUsage } from './get-usage.ts';
import { listBaseProducts } from './list-base-products.ts';

export const planRoutes: Route[] = [
  route(contract.getBaseUsage, (context) => getUsage(context, context.access.spaceId as string)),
  route(contract.getSpaceUsage, (context, { params }) => getUsage(context, params.spaceId)),
  route(contract.getInstanceUsage, async ({ plans }) => {
    const { level, limit } = plans.products.at(-1) as Product;
    return { level, limit };
  }),
  route(contract.listBaseProducts, async ({ plans }) => listBaseProducts(plans)),
];
