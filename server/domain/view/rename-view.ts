import type { Context } from '../../context.ts';
import { uniqueName } from '../space/unique-name.ts';
import { changeView, type ViewPlace } from './change-view.ts';

export const renameView = (context: Context, place: ViewPlace, name: string): Promise<void> =>
  changeView(context, place, (view, { views }) => ({
    name: uniqueName(
      name,
      views.filter((other) => other.id !== view.id).map((other) => other.name),
    ),
  }));
