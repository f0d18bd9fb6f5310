// A request for a view → the view as it shall be kept.
import type { NewView } from '@rowhouse/contract/view.ts';
import { shapeOf, type ViewType } from '@rowhouse/contract/view-types.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { isStoredIn } from '../field/stored-filter.ts';
import { type Keeps, readColumn, readGroup, readOptions, readSort, readViewFilter } from './read-parts.ts';

/** `Grid view`, for a view of type `grid` that nobody has named. */
const defaultName = (type: ViewType): string => `${type.charAt(0).toUpperCase()}${type.slice(1)} view`;

/** Every field has a column in every view. */
const defaultColumn = (type: ViewType, field: FieldSchema): Record<string, unknown> => {
  const { columns, showsAtFirst } = shapeOf(type);
  const isShown = showsAtFirst({ isPrimary: field.isPrimary, isComputed: fieldTypeOf(field).isComputed });
  return columns === 'hidden' ? (isShown ? {} : { hidden: true }) : isShown ? { visible: true } : {};
};

const columnsOf = (
  given: NewView,
  fields: readonly FieldSchema[],
  at: string,
  keeps: Keeps,
): Record<string, Record<string, unknown>> => {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const columns = new Map(
    fields.map((field, order) => [field.id, { order, ...defaultColumn(given.type, field) } as Record<string, unknown>]),
  );
  for (const [fieldId, column] of Object.entries(given.columnMeta ?? {})) {
    const place = `${at}.${fieldId}`;
    columns.set(fieldId, {
      ...columns.get(fieldId),
      ...readColumn(given.type, column, fieldId, byId, { field: place, column: place }, keeps),
    });
  }
  return Object.fromEntries(columns);
};

export const draftView = (
  newId: Services['newId'],
  given: NewView,
  fields: readonly FieldSchema[],
  siblings: readonly ViewSchema[],
  at = '',
  ownerId: string | null = null,
): ViewSchema => {
  const path = (key: string): string => (at === '' ? key : `${at}.${key}`);
  const byId = new Map(fields.map((field) => [field.id, field]));
  return {
    id: newId('viw'),
    name: uniqueName(
      given.name ?? defaultName(given.type),
      siblings.map((view) => view.name),
    ),
    description: given.description ?? null,
    type: given.type,
    options: readOptions(given.type, given.options ?? {}, byId, path('options'), isStoredIn(siblings)),
    filter: readViewFilter(given.filter ?? null, byId, path('filter'), isStoredIn(siblings)),
    sort: readSort(given.sort ?? null, byId, path('sort')),
    group: readGroup(given.group ?? null, byId, path('group')),
    columnMeta: columnsOf(given, fields, path('columnMeta'), isStoredIn(siblings)),
    position: given.order ?? siblings.reduce((last, view) => Math.max(last, view.position), -1) + 1,
    isLocked: given.isLocked ?? false,
    ownerId,
    hasOrder: false,
  };
};
