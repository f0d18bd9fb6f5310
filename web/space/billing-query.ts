import { getBilling } from '@rowhouse/contract/billing.ts';
import { listBaseProducts } from '@rowhouse/contract/plan.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/call.ts';

export const billingQuery = (spaceId: string) => queryOptions({ queryKey: ['billing', spaceId], queryFn: ({ signal }) => call(getBilling, { params: { spaceId }, signal }) });

export const productsQuery = queryOptions({ queryKey: ['products'], queryFn: ({ signal }) => call(listBaseProducts, { signal }), staleTime: 60_000 });
