import * as contract from '@rowhouse/contract/base-query.ts';
import { Answer, type Route, route } from '../../endpoint/route.ts';
import { queryBase } from './query-base.ts';

export const baseQueryRoutes: Route[] = [
  route(contract.queryBase, async (context, { query }) => new Answer({ text: await queryBase(context, query) })),
];
