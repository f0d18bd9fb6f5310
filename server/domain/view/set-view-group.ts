import type { ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { changeView, type ViewPlace } from './change-view.ts';
import { readGroup } from './read-parts.ts';

export const setViewGroup = (context: Context, place: ViewPlace, group: ViewSchema['group']): Promise<void> =>
  changeView(context, place, (_view, { byId }) => ({ group: readGroup(group, byId, 'group') }));
