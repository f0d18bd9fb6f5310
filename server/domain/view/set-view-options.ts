import type { Context } from '../../context.ts';
import { changeView, type ViewPlace } from './change-view.ts';
import { readOptions } from './read-parts.ts';

export const setViewOptions = (context: Context, place: ViewPlace, options: Record<string, unknown>): Promise<void> =>
  changeView(context, place, (view, { byId }) => ({ options: { ...view.options, ...readOptions(view.type, options, byId, 'options') } }));
