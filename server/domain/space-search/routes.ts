import * as contract from '@rowhouse/contract/space-search.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { searchSpace } from './search-space.ts';

export const spaceSearchRoutes: Route[] = [
  route(contract.searchSpace, (context, { params, query }) => searchSpace(context, params.spaceId, query)),
];
