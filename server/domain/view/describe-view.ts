import type { Context } from '../../context.ts';
import { changeView, type ViewPlace } from './change-view.ts';

export const describeView = (context: Context, place: ViewPlace, description: string | null): Promise<void> =>
  changeView(context, place, () => ({ description }));
