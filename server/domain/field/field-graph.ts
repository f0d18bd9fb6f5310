// What a change of a field reaches, in all tables that links join: whatever needs it, directly or through others, and with each of these what else it needs.
import type { FieldGraph } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { expressionText, isFormula } from '../cell/formula.sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { filterFieldIds, hostConditions, hostFieldOf, isLookedUp } from '../cell/looked-up.sql.ts';
import { keysOf } from '../formula/references.ts';

type Table = Pick<RelatedTable, 'id' | 'name' | 'fields'>;

export interface Found {
  table: Table;
  field: FieldSchema;
}

/** The tables that links join, with a field as it would be. */
export const tablesWith = (table: RelatedTable, field: FieldSchema): Table[] =>
  [...table.related.values()].map((one) => {
    if (one.id !== table.id) return one;
    const { id, name, fields } = one;
    return { id, name, fields: one.byId.has(field.id) ? fields.map((known) => (known.id === field.id ? field : known)) : [...fields, field] };
  });

const primaryOf = (tables: readonly Table[], tableId: unknown): string[] => tables.filter(({ id }) => id === tableId).flatMap(({ fields }) => fields.filter(({ isPrimary }) => isPrimary).map(({ id }) => id));

/** Ids of the fields that a field is computed from: of a link its title, of what is looked up its source, not the link. */
const sourcesOf = (tables: readonly Table[], field: FieldSchema): string[] => {
  if (isFormula(field)) return keysOf(expressionText(field));
  if (isLink(field)) return typeof field.options.lookupFieldId === 'string' ? [field.options.lookupFieldId] : primaryOf(tables, field.options.foreignTableId);
  if (!isLookedUp(field)) return [];
  const { lookupFieldId, foreignTableId, filter, sort } = field.lookupOptions ?? {};
  const conditions = (filter ?? null) as FilterGroup | null;
  return [
    ...(lookupFieldId === undefined ? primaryOf(tables, foreignTableId) : [lookupFieldId]),
    ...filterFieldIds(conditions),
    ...hostConditions(conditions).flatMap((condition) => hostFieldOf(condition) ?? []),
    ...(sort == null ? [] : [sort.fieldId]),
  ];
};

const needsOf = (tables: readonly Table[]): Map<string, string[]> => {
  const ids = new Set(tables.flatMap(({ fields }) => fields.map(({ id }) => id)));
  return new Map(tables.flatMap(({ fields }) => fields.map((field) => [field.id, [...new Set(sourcesOf(tables, field))].filter((id) => ids.has(id))])));
};

/** The names of the fields along which one would need itself, whatever they are read from; undefined when none does. */
export const circleIn = (tables: readonly Table[]): string[] | undefined => {
  const needs = needsOf(tables);
  const names = new Map(tables.flatMap((table) => table.fields.map((field) => [field.id, `${table.name}.${field.name}`])));
  const done = new Set<string>();
  const walk = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id].map((one) => names.get(one) as string);
    if (done.has(id)) return undefined;
    for (const next of needs.get(id) ?? []) {
      const found = walk(next, [...path, id]);
      if (found !== undefined) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const id of needs.keys()) {
    const found = walk(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
};

const downstream = (needs: ReadonlyMap<string, readonly string[]>, fieldId: string): Set<string> => {
  const reached = new Set([fieldId]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [id, named] of needs) if (named.some((one) => reached.has(one))) reached.add(id);
  }
  return reached;
};

const isKept = (field: FieldSchema): boolean => (isLink(field) ? field.computed == null : field.computed?.state === 'settled' || field.computed?.state === 'settling');

/** Fields with a column that has to be filled again when the field changes. */
export const storedDependents = (tables: readonly Table[], fieldId: string): Found[] => {
  const reached = downstream(needsOf(tables), fieldId);
  return tables.flatMap((table) => table.fields.filter((field) => field.id !== fieldId && reached.has(field.id) && isKept(field)).map((field) => ({ table, field })));
};

/** Links that show this field as the title of their records. */
export const titledBy = (tables: readonly Table[], fieldId: string): FieldSchema[] => tables.flatMap(({ fields }) => fields.filter((field) => isLink(field) && field.options.lookupFieldId === fieldId));

const labelOf = ({ type, isLookup }: FieldSchema): string => (isLookup === true ? 'lookup' : type);

/** `isSeen`: fields that the caller does not see are not in the picture. */
export const graphOf = (tables: readonly Table[], fieldId: string, isSeen: (id: string) => boolean): FieldGraph => {
  const needs = needsOf(tables);
  const fields = new Map(tables.flatMap((table) => table.fields.map((field) => [field.id, { table, field }] as const)));
  const own = fields.get(fieldId) as Found;
  // What is looked up comes through a link, which has a place in the picture when it shows the same field.
  const link = own.field.lookupOptions?.linkFieldId;
  const targets = [...downstream(needs, fieldId), ...(link !== undefined && fields.has(link) && (needs.get(link) ?? []).some((id) => needs.get(fieldId)?.includes(id)) ? [link] : [])];
  const edges = targets
    .flatMap((target) => (needs.get(target) ?? []).map((source) => ({ source, target, label: labelOf((fields.get(target) as Found).field) })))
    .filter(({ source, target }) => isSeen(source) && isSeen(target));
  const shown = new Set([fieldId, ...edges.flatMap(({ source, target }) => [source, target])]);
  const nodes = [...fields.values()].filter(({ field }) => shown.has(field.id)).map(({ table, field }) => ({ id: field.id, label: field.name, comboId: table.id, fieldType: field.type, ...(field.isLookup === true ? { isLookup: true } : {}), isSelected: field.id === fieldId }));
  return { nodes, edges, combos: tables.filter(({ id }) => nodes.some(({ comboId }) => comboId === id)).map(({ id, name }) => ({ id, label: name })) };
};
