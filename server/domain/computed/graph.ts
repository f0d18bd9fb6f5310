// What depends on what, through links too. Everything is worked out from the fields of a snapshot, which holds all tables that links join.
import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { cycleIn, longestFrom, type Needs } from '../../catalog/dependency.ts';
import { formulasOf, isFormula, reachedFrom } from '../cell/formula.sql.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { isLookedUp, lookupOf } from '../cell/looked-up.sql.ts';

/** What a field is computed from: a field of its own record, or one of the records that a link leads to. */
export interface Source {
  fieldId: string;
  via: Linked | null;
}

/** A field whose column other writes keep right. */
export interface DependentField {
  table: RelatedTable;
  field: FieldSchema;
  sources: readonly Source[];
}

const hasColumn = ({ computed }: FieldSchema): boolean =>
  computed != null && (computed.state === 'settled' || computed.state === 'settling');

const dependentFieldsOf = (table: RelatedTable): DependentField[] => {
  const formulas = formulasOf(table.fields);
  return table.fields.flatMap((field): DependentField[] => {
    if (isLink(field)) {
      const linked = linkedBy(field, table);
      return linked === undefined ? [] : [{ table, field, sources: [{ fieldId: linked.title.id, via: linked }] }];
    }
    if (isLookedUp(field)) {
      const lookup = hasColumn(field) ? lookupOf(field, table) : undefined;
      const via = lookup?.linked;
      if (lookup === undefined || via === undefined) return [];
      const ids = [
        ...new Set([
          lookup.source.id,
          ...filterFieldIds(lookup.filter),
          ...(lookup.sort === null ? [] : [lookup.sort.field.id]),
        ]),
      ].filter((id) => lookup.foreign.byId.has(id));
      return [{ table, field, sources: ids.map((fieldId) => ({ fieldId, via })) }];
    }
    const formula = isFormula(field) && hasColumn(field) ? formulas.get(field.id) : undefined;
    return formula == null
      ? []
      : [{ table, field, sources: formula.references.map((fieldId) => ({ fieldId, via: null })) }];
  });
};

export type Graph = ReadonlyMap<string, DependentField>;

const graphs = new WeakMap<ReadonlyMap<string, RelatedTable>, Graph>();

/** Of all tables that links join. */
export const graphOf = ({ related }: Pick<RelatedTable, 'related'>): Graph => {
  const known = graphs.get(related);
  if (known !== undefined) return known;
  const graph = new Map(
    [...related.values()].flatMap(dependentFieldsOf).map((dependent) => [dependent.field.id, dependent]),
  );
  graphs.set(related, graph);
  return graph;
};

const linking = new WeakMap<ReadonlyMap<string, RelatedTable>, readonly Linked[]>();

/** The links of all these tables, from both sides. */
export const linksAmong = ({ related }: Pick<RelatedTable, 'related'>): readonly Linked[] => {
  const known = linking.get(related);
  if (known !== undefined) return known;
  const links = [...related.values()].flatMap((table) =>
    table.fields.filter(isLink).flatMap((field) => linkedBy(field, table) ?? []),
  );
  linking.set(related, links);
  return links;
};

export const hasLinks = (table: Pick<RelatedTable, 'related'>): boolean => linksAmong(table).length > 0;

/** The written fields, and the formulas that the statement which writes them computes. */
export const changedWith = (table: RelatedTable, fieldIds: Iterable<string>): Set<string> =>
  reachedFrom(formulasOf(table.fields), fieldIds);

const plainEdges = new WeakMap<Graph, Needs>();
const edgesWithLinks = new WeakMap<Graph, Needs>();

const madeOnce = (known: WeakMap<Graph, Needs>, graph: Graph, of: (source: Source) => string[]): Needs => {
  const made =
    known.get(graph) ?? new Map([...graph].map(([id, { sources }]) => [id, [...new Set(sources.flatMap(of))]]));
  known.set(graph, made);
  return made;
};

/** What the cells of a field are computed from. */
export const sourcesIn = (graph: Graph): Needs => madeOnce(plainEdges, graph, ({ fieldId }) => [fieldId]);

/** That, and the links through which it is read. */
export const sourcesAndLinksIn = (graph: Graph): Needs =>
  madeOnce(edgesWithLinks, graph, ({ fieldId, via }) => (via === null ? [fieldId] : [fieldId, via.field.id]));

/** The ids of those fields whose cells are computed through a link from something of which `isSo` holds. */
export const readThroughLinks = (graph: Graph, isSo: (source: Source & { via: Linked }) => boolean): string[] =>
  [...graph].flatMap(([id, { sources }]) =>
    sources.some(({ fieldId, via }) => via !== null && isSo({ fieldId, via })) ? [id] : [],
  );

/** More would make statements that nobody can afford. */
const mostHops = 10;

/** Why the fields of these tables cannot be computed, or undefined. */
export const faultOf = (table: Pick<RelatedTable, 'related'>): string | undefined => {
  if (!hasLinks(table)) return undefined;
  const graph = graphOf(table);
  const nameOf = (id: string): string => {
    const { table: own, field } = graph.get(id) as DependentField;
    return `${own.name}.${field.name}`;
  };
  const cycle = cycleIn(sourcesIn(graph));
  if (cycle !== undefined) return `A field would need itself: ${cycle.map(nameOf).join(' → ')}`;
  // How many links a field is computed through.
  const hops = longestFrom(sourcesIn(graph), (id, need) =>
    (graph.get(id) as DependentField).sources.some(({ fieldId, via }) => fieldId === need && via !== null) ? 1 : 0,
  );
  const far = [...hops].find(([, count]) => count > mostHops);
  return far === undefined
    ? undefined
    : `"${graph.get(far[0])?.field.name}" would be computed through ${far[1]} links; at most ${mostHops} are allowed`;
};

/** Refuses fields that cannot be computed. */
export const demandComputable = (table: Pick<RelatedTable, 'related'>): void => {
  const fault = faultOf(table);
  if (fault !== undefined)
    throw invalid({ path: 'options', message: fault, expected: 'fields that do not depend on each other in a circle' });
};
