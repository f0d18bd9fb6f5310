import { invalid } from '@rowhouse/contract/error.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { eyesOf } from '../../../catalog/principal.ts';
import type { ViewSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import { changeSchema } from '../../field/change-schema.ts';
import { maxViews } from '../../view/create-view.ts';
import { findView } from '../../view/change-view.ts';
import { boundSight, demandSeenView, demandWholeFilter, limitView, ownerOfNew } from '../../view/seen-view.ts';
import { viewVo } from '../../view/view-vo.ts';
import { insertViews, type ViewRow } from '../../view/view.sql.ts';
import { addOrderColumn, copyOrderColumn } from './order.sql.ts';

/** With the order that people gave its records by hand. Neither locked nor shared; the copy of a personal view is the personal view of who makes it. */
export const duplicateView = (context: Context, tableId: string, viewId: string): Promise<View> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      if (table.views.length >= maxViews) throw invalid({ path: '', message: `A table has at most ${maxViews} views` });
      const source = findView(table, viewId);
      demandSeenView(context, table, viewId);
      demandWholeFilter(context, table, source);
      const position = Math.max(...table.views.map((view) => view.position)) + 1;
      const copy: ViewSchema = {
        ...source,
        id: context.newId('viw'),
        name: uniqueName(
          source.name,
          table.views.map(({ name }) => name),
        ),
        position,
        isLocked: false,
        ownerId: ownerOfNew(context, tableId, source.ownerId != null),
        hasOrder: false,
      };
      const [row] = await insertViews(tx, tableId, [copy], context.principal.userId);
      if (source.hasOrder) {
        await addOrderColumn(tx, table, copy.id);
        await copyOrderColumn(tx, table, source.id, copy.id);
      }
      const vo = viewVo(row as ViewRow, eyesOf(context.principal));
      const sight = boundSight(context, table);
      return sight === undefined ? vo : limitView(sight, vo);
    },
    'view',
  );
