import type { Context } from '../../context.ts';
import { changeView, type ViewPlace } from './change-view.ts';
import { readColumn } from './read-parts.ts';

export const setViewColumns = (context: Context, place: ViewPlace, given: readonly { fieldId: string; columnMeta: Record<string, unknown> }[]): Promise<void> =>
  changeView(context, place, (view, { byId }) => {
    const columns = new Map(Object.entries(view.columnMeta));
    given.forEach(({ fieldId, columnMeta }, index) => {
      const column = readColumn(view.type, columnMeta, fieldId, byId, { field: `[${index}].fieldId`, column: `[${index}].columnMeta` });
      columns.set(fieldId, { order: columns.size, ...columns.get(fieldId), ...column });
    });
    return { columnMeta: Object.fromEntries(columns) };
  });
