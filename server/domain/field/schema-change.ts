// What a change of a table's fields and views was, told by the schema before and after it. It is kept with the operation, so
// that whatever changed a schema can be undone in the same way.
import { isDeepStrictEqual } from 'node:util';
import type { FieldSchema, TableSchema, ViewSchema } from '../../catalog/table.ts';

/** Null: it was not there. */
export interface FieldChange {
  before: FieldSchema | null;
  after: FieldSchema | null;
}

type ViewParts = Omit<ViewSchema, 'id' | 'type' | 'hasOrder' | 'columnMeta'>;

/** The parts of a view that differ; of its columns those that do, null where a column was not there. */
export interface ViewDifference {
  parts: Partial<ViewParts>;
  columns: Record<string, ViewSchema['columnMeta'][string] | null>;
}

export interface ViewChange {
  id: string;
  before: ViewDifference | null;
  after: ViewDifference | null;
}

export interface SchemaDifference {
  fields: FieldChange[];
  views: ViewChange[];
}

export const viewParts = [
  'name',
  'description',
  'options',
  'filter',
  'sort',
  'group',
  'position',
  'isLocked',
  'ownerId',
  'decided',
] as const satisfies readonly (keyof ViewParts)[];

/** The version says how often a field changed, not what it is. */
const fieldParts = [
  'name',
  'description',
  'type',
  'options',
  'dbFieldName',
  'notNull',
  'isUnique',
  'isLookup',
  'lookupOptions',
  'lineage',
] as const satisfies readonly (keyof FieldSchema)[];

export const changedParts = (one: FieldSchema, other: FieldSchema): (typeof fieldParts)[number][] =>
  fieldParts.filter((key) => !isDeepStrictEqual(one[key], other[key]));

const differingView = (before: ViewSchema, after: ViewSchema): ViewChange | undefined => {
  const parts = viewParts.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  const columns = [...new Set([...Object.keys(before.columnMeta), ...Object.keys(after.columnMeta)])].filter(
    (id) => !isDeepStrictEqual(before.columnMeta[id], after.columnMeta[id]),
  );
  // A decision alone is nothing to undo.
  if (parts.every((part) => part === 'decided') && columns.length === 0) return undefined;
  const of = (view: ViewSchema): ViewDifference => ({
    parts: Object.fromEntries(parts.map((key) => [key, view[key]])),
    columns: Object.fromEntries(columns.map((id) => [id, view.columnMeta[id] ?? null])),
  });
  return { id: before.id, before: of(before), after: of(after) };
};

const nothing: ViewDifference = { parts: {}, columns: {} };

/** Null when nothing differs. */
export const differenceOf = (before: TableSchema, after: TableSchema): SchemaDifference | null => {
  const fields: FieldChange[] = [];
  for (const field of before.fields) {
    const now = after.byId.get(field.id);
    if (now === undefined) fields.push({ before: field, after: null });
    else if (changedParts(field, now).length > 0) fields.push({ before: field, after: now });
  }
  for (const field of after.fields) if (!before.byId.has(field.id)) fields.push({ before: null, after: field });
  const views: ViewChange[] = [];
  for (const view of before.views) {
    const now = after.views.find(({ id }) => id === view.id);
    const change = now === undefined ? { id: view.id, before: nothing, after: null } : differingView(view, now);
    if (change !== undefined) views.push(change);
  }
  for (const { id } of after.views)
    if (!before.views.some((view) => view.id === id)) views.push({ id, before: null, after: nothing });
  return fields.length === 0 && views.length === 0 ? null : { fields, views };
};
