// Which field needs which, in all tables that links join. It is made from the definitions alone, so it also holds fields that cannot be computed any more;
// `graph.ts` is the part of it that writes keep up to date. What follows from it is worked out in catalog/dependency.ts.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { brokenIn, cycleIn, type Needs } from '../../catalog/dependency.ts';
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

type Dependencies = ReadonlyMap<string, FieldNode>;

const primaryOf = (tables: readonly NodeTable[], tableId: unknown): string[] =>
  tables
    .filter(({ id }) => id === tableId)
    .flatMap(({ fields }) => fields.filter(({ isPrimary }) => isPrimary).map(({ id }) => id));

const hostsOf = ({ lookupOptions }: FieldSchema): string[] =>
  hostConditions((lookupOptions?.filter ?? null) as FilterGroup | null).flatMap(
    (condition) => hostFieldOf(condition) ?? [],
  );

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
    ...hostsOf(field),
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

const edges = new WeakMap<Dependencies, Needs>();

/** Once per graph. */
export const needsIn = (dependencies: Dependencies): Needs => {
  const made = edges.get(dependencies) ?? new Map([...dependencies].map(([id, { needs }]) => [id, needs]));
  edges.set(dependencies, made);
  return made;
};

const withinRecord = new WeakMap<readonly FieldSchema[], Needs>();

/** What of their own record the cells of these fields of a table are computed from: of what is looked up the link, and the cells that its conditions compare with. */
export const needsWithinRecord = (fields: readonly FieldSchema[]): Needs => {
  const known = withinRecord.get(fields);
  if (known !== undefined) return known;
  const made = new Map(
    fields.flatMap((field): [string, string[]][] => {
      if (isFormula(field)) return [[field.id, keysOf(expressionText(field))]];
      if (!isLookedUp(field)) return [];
      const { linkFieldId } = field.lookupOptions ?? {};
      return [[field.id, [...(linkFieldId === undefined ? [] : [linkFieldId]), ...hostsOf(field)]]];
    }),
  );
  withinRecord.set(fields, made);
  return made;
};

/** The names of the fields along which one would need itself; undefined when none does. */
export const cycleAmong = (dependencies: Dependencies): string[] | undefined =>
  cycleIn(needsIn(dependencies))?.map((id) => {
    const { table, field } = dependencies.get(id) as FieldNode;
    return `${table.name}.${field.name}`;
  });

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
  const made = brokenIn(needsIn(dependencies), (id) => isBrokenItself(dependencies, dependencies.get(id) as FieldNode));
  broken.set(table.related, made);
  return made;
};
