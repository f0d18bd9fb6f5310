import * as contract from '@rowhouse/contract/aggregation.ts';
import { getRecordStatus as getRecordStatusEndpoint } from '@rowhouse/contract/record.ts';
import { Answer, guardedRoute, type Route } from '../../endpoint/route.ts';
import { getAggregation } from './get-aggregation.ts';
import { getCalendarDays } from './get-calendar-days.ts';
import { getGroupPoints } from './get-group-points.ts';
import { getRecordIndex } from './get-record-index.ts';
import { getRecordStatus } from './get-record-status.ts';
import { getRowCount } from './get-row-count.ts';
import { getSearchCount, getSearchIndex } from './search-hits.ts';

export const aggregationRoutes: Route[] = [
  guardedRoute(contract.getAggregation, (request, { query }) => getAggregation(request, query)),
  guardedRoute(contract.getRowCount, (request, { query }) => getRowCount(request, query)),
  guardedRoute(contract.getGroupPoints, (request, { query }) => getGroupPoints(request, query)),
  guardedRoute(contract.getSearchCount, (request, { query }) => getSearchCount(request, query)),
  guardedRoute(contract.getSearchIndex, (request, { query }) => getSearchIndex(request, query)),
  guardedRoute(contract.getRecordIndex, (request, { query }) => getRecordIndex(request, query)),
  guardedRoute(
    contract.getCalendarDays,
    async (request, { query }) => new Answer({ text: await getCalendarDays(request, query) }),
  ),
  guardedRoute(getRecordStatusEndpoint, (request, { params, query }) =>
    getRecordStatus(request, params.recordId, query),
  ),
];
