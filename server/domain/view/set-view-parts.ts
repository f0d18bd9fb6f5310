import type { ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { demandUnchanged } from '../field/change-schema.ts';
import { isStoredIn } from '../field/stored-filter.ts';
import { demandTemplate } from './default-template.sql.ts';
import { demandColors } from './create-view.ts';
import { changeView, type ViewPath } from './change-view.ts';
import { readColumn, readGroup, readOptions, readSort, readViewFilter } from './read-parts.ts';

export const renameView = (context: Context, path: ViewPath, name: string): Promise<void> =>
  changeView(context, path, (view, { views }) => ({
    name: uniqueName(
      name,
      views.filter((other) => other.id !== view.id).map((other) => other.name),
    ),
  }));

export const describeView = (context: Context, path: ViewPath, description: string | null): Promise<void> =>
  changeView(context, path, () => ({ description }));

export const setViewFilter = (context: Context, path: ViewPath, filter: unknown, before?: unknown): Promise<void> =>
  changeView(context, path, (_view, { byId, views }, seen) => {
    demandUnchanged(before, seen.filter, `The filter of the view ${JSON.stringify(seen.name)}`);
    return { filter: readViewFilter(filter, byId, 'filter', isStoredIn(views)) };
  });

export const setViewSort = (
  context: Context,
  path: ViewPath,
  sort: ViewSchema['sort'],
  before?: unknown,
): Promise<void> =>
  changeView(context, path, (_view, { byId }, seen) => {
    demandUnchanged(before, seen.sort, `The sort of the view ${JSON.stringify(seen.name)}`);
    return { sort: readSort(sort, byId, 'sort') };
  });

export const setViewGroup = (
  context: Context,
  path: ViewPath,
  group: ViewSchema['group'],
  before?: unknown,
): Promise<void> =>
  changeView(context, path, (_view, { byId }, seen) => {
    demandUnchanged(before, seen.group, `The grouping of the view ${JSON.stringify(seen.name)}`);
    return { group: readGroup(group, byId, 'group') };
  });

export const setViewOptions = async (
  context: Context,
  path: ViewPath,
  options: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> => {
  demandColors(context, options);
  await demandTemplate(context.db, path.tableId, options);
  await changeView(context, path, (view, { byId, views }, seen) => {
    if (before !== undefined) {
      const present = Object.fromEntries(Object.keys(before).map((key) => [key, seen.options[key] ?? null]));
      demandUnchanged(before, present, `Options of the view ${JSON.stringify(view.name)}`);
    }
    return {
      options: { ...view.options, ...readOptions(view.type, options, byId, 'options', isStoredIn(views)) },
    };
  });
};

export const setViewColumns = (
  context: Context,
  path: ViewPath,
  given: readonly { fieldId: string; columnMeta: Record<string, unknown> }[],
): Promise<void> =>
  changeView(context, path, (view, { byId }) => {
    const columns = new Map(Object.entries(view.columnMeta));
    given.forEach(({ fieldId, columnMeta }, index) => {
      const place = { field: `[${index}].fieldId`, column: `[${index}].columnMeta` };
      const column = readColumn(view.type, columnMeta, fieldId, byId, place, isStoredIn([view]));
      columns.set(fieldId, { order: columns.size, ...columns.get(fieldId), ...column });
    });
    return { columnMeta: Object.fromEntries(columns) };
  });
