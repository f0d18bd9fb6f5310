import { colorRulesOf } from '@rowhouse/contract/color-rule.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { NewView, View } from '@rowhouse/contract/view.ts';
import { eyesOf } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeSchema } from '../field/change-schema.ts';
import { demandTemplate } from './default-template.sql.ts';
import { draftView } from './draft-view.ts';
import { boundSight, limitView, nameableIn, ownerOfNew } from './seen-view.ts';
import { viewVo } from './view-vo.ts';
import { insertViews, type ViewRow } from './view.sql.ts';

export const maxViews = 200;

/** Rules may always be taken away. */
export const demandColors = (context: Context, options: Record<string, unknown> = {}): void => {
  if (colorRulesOf({ options }).length > 0) demandFeature(context, 'rowColoringEnable');
};

export const createView = async (context: Context, tableId: string, given: NewView): Promise<View> => {
  demandColors(context, given.options);
  await demandTemplate(context.db, tableId, given.options);
  return changeSchema(
    context,
    tableId,
    async (tx, table) => {
      if (table.views.length >= maxViews) throw invalid({ path: '', message: `A table has at most ${maxViews} views` });
      const view = draftView(
        context.newId,
        given,
        [...nameableIn(context, table).values()],
        table.views,
        '',
        ownerOfNew(context, tableId, given.isPersonal === true),
      );
      const [row] = await insertViews(tx, tableId, [view], context.principal.userId);
      const vo = viewVo(row as ViewRow, eyesOf(context.principal));
      const sight = boundSight(context, table);
      return sight === undefined ? vo : limitView(sight, vo);
    },
    'view',
  );
};
