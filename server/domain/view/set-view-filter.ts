import type { Context } from '../../context.ts';
import { changeView, type ViewPlace } from './change-view.ts';
import { readViewFilter } from './read-parts.ts';

export const setViewFilter = (context: Context, place: ViewPlace, filter: unknown): Promise<void> =>
  changeView(context, place, (_view, { byId }) => ({ filter: readViewFilter(filter, byId, 'filter') }));
