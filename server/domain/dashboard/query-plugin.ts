// What the chart plugin of Teable's clients asks: the query that its item stores.
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { queryDashboardPlugin as endpoint } from '@rowhouse/contract/dashboard.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import { demand } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { queryBase } from '../base-query/query-base.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { selectItem } from '../table/dashboard.sql.ts';

export const queryDashboardPlugin = async (
  context: Context,
  { itemId, dashboardId }: { itemId: string; dashboardId: string },
  { baseId, cellFormat }: QueryOf<typeof endpoint>,
): Promise<string> => {
  const stand = await demandAccess(context.db, context, { type: 'base', id: baseId, trashed: false }, 'base|read');
  const { spaceId, role, rights } = stand;
  const there: Context = { ...context, access: { ...context.access, spaceId, baseId, tableId: null, role, rights } };
  demand(there.access, 'record|read', baseId);
  const item = await selectItem(context.db, { baseId, dashboardId, itemId });
  if (item === undefined) throw notFound('Plugin', itemId.slice(0, 50));
  const query = item.storage?.['query'];
  if (query === undefined)
    throw invalid({
      path: 'storage.query',
      message: 'The item stores no query',
      expected: 'an item whose storage has one',
    });
  return queryBase(there, { query: JSON.stringify(query), ...(cellFormat === undefined ? {} : { cellFormat }) });
};
