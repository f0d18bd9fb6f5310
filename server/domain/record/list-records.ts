// GET /table/:tableId/record
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type { listRecords as endpoint } from '@rowhouse/contract/record.ts';
import { Stale } from '../../catalog/stale.ts';
import type { Context } from '../../context.ts';
import { viewOf } from './order.ts';
import { selectPage } from './read.sql.ts';
import { shapeOf } from './shape.ts';
import { retryWhenStale, tableOf } from './write.ts';

export const listRecords = (context: Context, query: QueryOf<typeof endpoint>): Promise<string> =>
  retryWhenStale(context, async () => {
    const table = await tableOf(context);
    const view = query.viewId === undefined ? undefined : viewOf(table, query.viewId);
    const guard = { table, epoch: context.access.epoch };
    const page = await selectPage(context.db, guard, shapeOf(table, query, view), {
      take: query.take ?? 100,
      skip: query.skip ?? 0,
      orderedBy: view?.hasOrder === true ? view.id : null,
    });
    if (page.version !== table.version) throw new Stale('schema');
    if (page.epoch !== guard.epoch) throw new Stale('access');
    return `{"records":[${page.records ?? ''}],"extra":{"groupPoints":[]}}`;
  });
