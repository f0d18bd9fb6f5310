import type { ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { changeView, type ViewPlace } from './change-view.ts';
import { readSort } from './read-parts.ts';

export const setViewSort = (context: Context, place: ViewPlace, sort: ViewSchema['sort']): Promise<void> =>
  changeView(context, place, (_view, { byId }) => ({ sort: readSort(sort, byId, 'sort') }));
