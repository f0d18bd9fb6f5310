// The dependency graph of the fields of all tables that links join: which field needs which, and what follows from it. It is made from the definitions
// alone, so it also holds fields that cannot be computed any more; `graph.ts` is the part of it that writes keep up to date.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { expressionText, isFormula } from '../cell/formula.sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { filterFieldIds, hostConditions, hostFieldOf } from '../cell/filter.sql.ts';
import { isConditional, isLookedUp } from '../cell/looked-up.sql.ts';
import { keysOf } from '../formula/references.ts';

export type NodeTable = Pick<RelatedTable, 'id' | 'name' | 'fields'>;

export interface FieldNode {
  table: NodeTable;
  field: FieldSchema;
  /** Ids of the fields that its cells are computed from, also of those that are gone. Of a link its title; of what is looked up not the link. */
  needs: readonly string[];
  /** The link that says which records its cells are read from. */
  through: string | undefined;
}

export type Dependencies = ReadonlyMap<string, FieldNode>;

const primaryOf = (tables: readonly NodeTable[], tableId: unknown): string[] =>
  tables
    .filter(({ id }) => id === tableId)
    .flatMap(({ fields }) => fields.filter(({ isPrimary }) => isPrimary).map(({ id }) => id));

const needsOf = (tables: readonly NodeTable[], field: FieldSchema): string[] => {
  if (isFormula(field)) return keysOf(expressionText(field));
  if (isLink(field))
    return typeof field.options.lookupFieldId === 'string'
      ? [field.options.lookupFieldId]
      : primaryOf(tables, field.options.foreignTableId);
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

export const dependenciesIn = (tables: readonly NodeTable[]): Dependencies =>
  new Map(
    tables.flatMap((table) =>
      table.fields.map((field): [string, FieldNode] => [
        field.id,
        {
          table,
          field,
          needs: [...new Set(needsOf(tables, field))],
          through: isConditional(field) ? undefined : field.lookupOptions?.linkFieldId,
        },
      ]),
    ),
  );

const known = new WeakMap<ReadonlyMap<string, RelatedTable>, Dependencies>();

/** Once per snapshot. */
export const dependenciesOf = ({ related }: Pick<RelatedTable, 'related'>): Dependencies => {
  const made = known.get(related) ?? dependenciesIn([...related.values()]);
  known.set(related, made);
  return made;
};

/** The fields, and everything that needs one of them. */
export const downstream = (dependencies: Dependencies, fieldIds: Iterable<string>): Set<string> => {
  const dependents = new Map<string, string[]>();
  for (const [id, { needs }] of dependencies)
    for (const need of needs) dependents.set(need, [...(dependents.get(need) ?? []), id]);
  const reached = new Set(fieldIds);
  for (const id of reached) for (const next of dependents.get(id) ?? []) reached.add(next);
  return reached;
};

/** The fields, and everything that they need; the links that they are read through are not among it. */
export const upstream = (dependencies: Dependencies, fieldIds: Iterable<string>): Set<string> => {
  const reached = new Set(fieldIds);
  for (const id of reached) for (const need of dependencies.get(id)?.needs ?? []) reached.add(need);
  return reached;
};

/** The names of the fields along which one would need itself; undefined when none does. */
export const cycleIn = (dependencies: Dependencies): string[] | undefined => {
  const done = new Set<string>();
  const nameOf = (id: string): string => {
    const { table, field } = dependencies.get(id) as FieldNode;
    return `${table.name}.${field.name}`;
  };
  const walk = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id].map(nameOf);
    if (done.has(id)) return undefined;
    for (const next of dependencies.get(id)?.needs ?? []) {
      const found = walk(next, [...path, id]);
      if (found !== undefined) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const id of dependencies.keys()) {
    const found = walk(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A field that is gone, or whose cells are empty because something that it needs is gone. */
const isBrokenItself = (dependencies: Dependencies, { field, needs, through }: FieldNode): boolean => {
  // A link whose title is gone shows the primary field instead.
  if (field.computed?.state === 'broken' || (!isLink(field) && needs.some((id) => !dependencies.has(id)))) return true;
  const link = through === undefined ? undefined : dependencies.get(through)?.field;
  return through !== undefined && (link === undefined || !isLink(link) || link.computed?.state === 'broken');
};

const broken = new WeakMap<ReadonlyMap<string, RelatedTable>, ReadonlySet<string>>();

/** Fields that have lost something that they need, directly or through others in any of the tables. */
export const brokenFields = (table: Pick<RelatedTable, 'related'>): ReadonlySet<string> => {
  const found = broken.get(table.related);
  if (found !== undefined) return found;
  const dependencies = dependenciesOf(table);
  const made = downstream(
    dependencies,
    [...dependencies.values()].filter((node) => isBrokenItself(dependencies, node)).map(({ field }) => field.id),
  );
  broken.set(table.related, made);
  return made;
};
