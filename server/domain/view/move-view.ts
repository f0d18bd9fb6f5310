import { invalid } from '@rowhouse/contract/error.ts';
import { seesView, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { changeSchema } from '../field/change-schema.ts';
import { demandChangeable, findView, type ViewPath } from './change-view.ts';
import { demandSeenView } from './seen-view.ts';
import { renumberViews } from './view.sql.ts';

export const moveView = (
  context: Context,
  { tableId, viewId }: ViewPath,
  { anchorId, position }: { anchorId: string; position: 'before' | 'after' },
): Promise<void> =>
  changeSchema(
    context,
    tableId,
    async (tx, table) => {
      const view = findView(table, viewId);
      demandSeenView(context, table, viewId);
      demandChangeable(context, view);
      if (anchorId === viewId) return;
      const others = table.views.map(({ id }) => id).filter((id) => id !== viewId);
      const at = others.indexOf(anchorId);
      if (at < 0 || !seesView(sightOf(context, table), anchorId))
        throw invalid({
          path: 'anchorId',
          message: `The table has no view ${anchorId}`,
          expected: 'the id of a view of this table',
        });
      await renumberViews(tx, others.toSpliced(position === 'before' ? at : at + 1, 0, viewId));
    },
    'view',
  );
