// PUT /table/:tableId/view/:viewId/manual-sort
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { sortManually as endpoint } from '@rowhouse/contract/view-order.ts';
import { sightOf, viewIn } from '../../../catalog/sight.ts';
import type { Context } from '../../../context.ts';
import { changeSchema } from '../../field/change-schema.ts';
import { row, viewKeys } from '../../query/resolve-query.ts';
import { demandChangeable, findView, type ViewPath } from '../../view/change-view.ts';
import { readSort } from '../../view/read-parts.ts';
import { updateView } from '../../view/view.sql.ts';
import { positionOf } from './order.sql.ts';
import { withOrderColumn } from './order.ts';
import { updateRanks } from './position.sql.ts';

export const sortManually = (
  context: Context,
  { tableId, viewId }: ViewPath,
  { sortObjs }: BodyOf<typeof endpoint>,
): Promise<void> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      demandChangeable(context, viewIn(sightOf(context, table), viewId));
      const seen = sightOf(context, table).fields.filter(({ seenAs }) => seenAs === undefined);
      // Everybody sees the order that comes of it: nobody sorts by cells that they do not see.
      const sort = readSort({ sortObjs }, new Map(seen.map((field) => [field.id, field])), '');
      const target = await withOrderColumn(tx, table, findView(table, viewId));
      const view = findView(target, viewId);
      await updateRanks(
        tx,
        target,
        viewId,
        viewKeys(target, { ...view, sort, group: null }, (id) => positionOf(id, row), row),
      );
      await updateView(
        tx,
        { ...view, sort: { sortObjs: sort?.sortObjs ?? [], manualSort: true } },
        context.principal.userId,
      );
    },
    'view',
  );
