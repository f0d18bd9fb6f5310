// What views hold of fields: columns, filters, sorts, groups and options. When a field goes, everything that names it goes from
// the views with it. When it changes its type, conditions stay although they no longer fit (ADR 107); other settings go.
import type { FieldReference } from '@rowhouse/contract/view-type.ts';
import { fieldsNamedBy, shapeOf, withoutOptions } from '@rowhouse/contract/view-types.ts';
import { type FieldSchema, homeOf, type ViewSchema } from '../../catalog/table.ts';
import type { CellContext, CellResult } from '../cell/type.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { fitColorRules, renameInColorRules } from './color-rules.ts';
import { keepConditions } from './stored-filter.ts';

export const fits = (field: FieldSchema | undefined, { kinds, isSingle, leadsToOwnTable }: FieldReference): boolean => {
  if (field === undefined) return false;
  const { kind, isMultiple } = cellTypeOf(field);
  if (kinds !== null && !kinds.includes(kind)) return false;
  if (isSingle === true && isMultiple) return false;
  // A lookup shows links, and has none. Of a field that is being made the table is not known yet: then the app looks.
  const home = homeOf(field);
  return (
    leadsToOwnTable !== true ||
    (field.isLookup !== true && (home === undefined || field.options['foreignTableId'] === home.id))
  );
};

type Fields = ReadonlyMap<string, FieldSchema>;

/** Without what names a field that is gone, or that it no longer fits; a group of options goes as a whole. */
const fitOptions = (view: ViewSchema, fields: Fields): Record<string, unknown> => {
  const unfit = new Set(
    fieldsNamedBy(view).flatMap(({ path, fieldId, asks }) =>
      fits(fields.get(fieldId), asks) ? [] : [path.split('.')[0]],
    ),
  );
  return withoutOptions(view, unfit);
};

type Columns = ViewSchema['columnMeta'];

/** Fields of a form may be shown on a condition, which is a filter over other fields. */
const mapConditions = (columns: Columns, change: (condition: unknown) => unknown): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([fieldId, column]) => {
      const { condition } = column;
      return [
        fieldId,
        condition === undefined || condition === null ? column : { ...column, condition: change(condition) },
      ];
    }),
  );

const nobody: CellContext = { now: new Date(0), callerId: '', people: [], addChoice: () => null };

/** What a form fills a field with to begin with, as a cell of the field. People come and go, so nobody is filled in. */
export const readFormDefault = (value: unknown, field: FieldSchema): CellResult => {
  const type = fieldTypeOf(field);
  if (type.isComputed || type.namesPeople === true)
    return { ok: false, expected: `no default value: "${field.name}" is of type ${field.type}` };
  return type.read(value, field, nobody);
};

const fitDefaults = (columns: Columns, fields: Fields): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([fieldId, column]) => {
      const { defaultValue, ...rest } = column;
      const field = fields.get(fieldId);
      return [
        fieldId,
        defaultValue == null || field === undefined || readFormDefault(defaultValue, field).ok ? column : rest,
      ];
    }),
  );

export const fitView = (view: ViewSchema, fields: Fields): ViewSchema => {
  const sortObjs = view.sort?.sortObjs.filter((item) => fields.has(item.fieldId)) ?? [];
  const group = view.group?.filter((item) => fields.has(item.fieldId)) ?? [];
  return {
    ...view,
    columnMeta: fitDefaults(
      mapConditions(
        Object.fromEntries(Object.entries(view.columnMeta).filter(([fieldId]) => fields.has(fieldId))),
        (condition) => keepConditions(condition, { byId: fields }),
      ),
      fields,
    ),
    filter: keepConditions(view.filter, { byId: fields }),
    sort: view.sort === null || sortObjs.length === 0 ? null : { ...view.sort, sortObjs },
    group: group.length === 0 ? null : group,
    options: fitColorRules(fitOptions(view, fields), fields),
  };
};

type Names = ReadonlyMap<string, string>;

const renamed = (value: unknown, names: Names): unknown =>
  typeof value === 'string'
    ? (names.get(value) ?? value)
    : Array.isArray(value)
      ? value.map((one) => renamed(one, names))
      : value;

/** Queries of Teable's clients call the field `column`. */
export const renameInFilter = (filter: unknown, fieldId: string, names: Names): unknown => {
  const walk = (item: unknown): unknown => {
    const node = item as { filterSet?: unknown[]; fieldId?: string; column?: string; value?: unknown };
    if (Array.isArray(node.filterSet)) return { ...node, filterSet: node.filterSet.map(walk) };
    return (node.fieldId ?? node.column) === fieldId ? { ...node, value: renamed(node.value, names) } : node;
  };
  return typeof filter !== 'object' || filter === null ? filter : walk(filter);
};

/** Filters name choices: a choice that got another name keeps its place in them. */
export const renameInView = (view: ViewSchema, fieldId: string, names: Names): ViewSchema => {
  const columns = mapConditions(view.columnMeta, (condition) => renameInFilter(condition, fieldId, names));
  const own = columns[fieldId];
  return {
    ...view,
    filter: renameInFilter(view.filter, fieldId, names),
    options: renameInColorRules(view.options, (filter) => renameInFilter(filter, fieldId, names)),
    columnMeta:
      own?.defaultValue === undefined
        ? columns
        : { ...columns, [fieldId]: { ...own, defaultValue: renamed(own.defaultValue, names) } },
  };
};

/** A place at the end of the view for a new field, or the one asked for. Views that name what they show show it when they are told to. */
export const withColumn = (view: ViewSchema, fieldId: string, order?: number, isHidden = false): ViewSchema => {
  const last = Object.values(view.columnMeta).reduce((most, column) => Math.max(most, Number(column.order ?? 0)), -1);
  return {
    ...view,
    columnMeta: {
      ...view.columnMeta,
      [fieldId]: {
        order: order ?? last + 1,
        ...(isHidden && shapeOf(view.type).columns === 'hidden' ? { hidden: true } : {}),
      },
    },
  };
};
