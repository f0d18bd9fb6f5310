import * as contract from '@rowhouse/contract/aggregation.ts';
import { getRecordStatus as getRecordStatusEndpoint } from '@rowhouse/contract/record.ts';
import { route, type Route } from '../../http/route.ts';
import { getAggregation } from './get-aggregation.ts';
import { getGroupPoints } from './get-group-points.ts';
import { getRecordStatus } from './get-record-status.ts';
import { getRowCount } from './get-row-count.ts';
import { getSearchCount } from './get-search-count.ts';
import { getSearchIndex } from './get-search-index.ts';

export const aggregationRoutes: Route[] = [
  route(contract.getAggregation, (context, { query }) => getAggregation(context, query), { guarded: true }),
  route(contract.getRowCount, (context, { query }) => getRowCount(context, query), { guarded: true }),
  route(contract.getGroupPoints, (context, { query }) => getGroupPoints(context, query), { guarded: true }),
  route(contract.getSearchCount, (context, { query }) => getSearchCount(context, query), { guarded: true }),
  route(contract.getSearchIndex, (context, { query }) => getSearchIndex(context, query), { guarded: true }),
  route(getRecordStatusEndpoint, (context, { params, query }) => getRecordStatus(context, params.recordId, query), { guarded: true }),
];
