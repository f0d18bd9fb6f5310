// What depends on what, through links too. Everything is worked out from the fields of a snapshot, which holds all tables that links join.
import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { formulasOf, isFormula, reachedFrom } from '../cell/formula.sql.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { filterFieldIds } from '../cell/filter.sql.ts';
import { isLookedUp, readingOf } from '../cell/looked-up.sql.ts';

/** What a field is computed from: a field of its own record, or one of the records that a link leads to. */
export interface Source {
  fieldId: string;
  via: Linked | null;
}

/** A field whose column other writes keep right. */
export interface Kept {
  table: RelatedTable;
  field: FieldSchema;
  sources: readonly Source[];
}

const hasColumn = ({ computed }: FieldSchema): boolean =>
  computed != null && (computed.state === 'settled' || computed.state === 'settling');

const keptOf = (table: RelatedTable): Kept[] => {
  const formulas = formulasOf(table.fields);
  return table.fields.flatMap((field): Kept[] => {
    if (isLink(field)) {
      const linked = linkedBy(field, table);
      return linked === undefined ? [] : [{ table, field, sources: [{ fieldId: linked.title.id, via: linked }] }];
    }
    if (isLookedUp(field)) {
      const reading = hasColumn(field) ? readingOf(field, table) : undefined;
      const via = reading?.linked;
      if (reading === undefined || via === undefined) return [];
      const ids = [
        ...new Set([
          reading.source.id,
          ...filterFieldIds(reading.filter),
          ...(reading.sort === null ? [] : [reading.sort.field.id]),
        ]),
      ].filter((id) => reading.foreign.byId.has(id));
      return [{ table, field, sources: ids.map((fieldId) => ({ fieldId, via })) }];
    }
    const formula = isFormula(field) && hasColumn(field) ? formulas.get(field.id) : undefined;
    return formula == null
      ? []
      : [{ table, field, sources: formula.references.map((fieldId) => ({ fieldId, via: null })) }];
  });
};

export type Graph = ReadonlyMap<string, Kept>;

const graphs = new WeakMap<ReadonlyMap<string, RelatedTable>, Graph>();

/** Of all tables that links join. */
export const graphOf = ({ related }: Pick<RelatedTable, 'related'>): Graph => {
  const known = graphs.get(related);
  if (known !== undefined) return known;
  const graph = new Map([...related.values()].flatMap(keptOf).map((kept) => [kept.field.id, kept]));
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

/** The names of the fields along which one would need itself, or undefined. */
export const cycleThrough = (graph: Graph, fieldId: string): string[] | undefined => {
  const seen = new Set<string>();
  const walk = (id: string, path: readonly string[]): string[] | undefined => {
    for (const { fieldId: next } of graph.get(id)?.sources ?? []) {
      const kept = graph.get(next);
      if (next === fieldId) return [...path, path[0] as string];
      if (kept === undefined || seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...path, `${kept.table.name}.${kept.field.name}`]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const start = graph.get(fieldId);
  return start === undefined ? undefined : walk(fieldId, [`${start.table.name}.${start.field.name}`]);
};

/** More would make statements that nobody can afford. */
export const mostHops = 10;

/** How many links a field is computed through. */
const hopsOf = (graph: Graph): Map<string, number> => {
  const hops = new Map<string, number>();
  const walk = (id: string): number => {
    const known = hops.get(id);
    if (known !== undefined) return known;
    // Met again before it is done only in a circle, which is looked for elsewhere.
    hops.set(id, 0);
    const most = Math.max(
      0,
      ...(graph.get(id)?.sources ?? []).map(({ fieldId, via }) => walk(fieldId) + (via === null ? 0 : 1)),
    );
    hops.set(id, most);
    return most;
  };
  for (const id of graph.keys()) walk(id);
  return hops;
};

/** Why the fields of these tables cannot be computed, or undefined. */
export const faultOf = (table: Pick<RelatedTable, 'related'>): string | undefined => {
  if (!hasLinks(table)) return undefined;
  const graph = graphOf(table);
  for (const id of graph.keys()) {
    const cycle = cycleThrough(graph, id);
    if (cycle !== undefined) return `A field would need itself: ${cycle.join(' → ')}`;
  }
  const far = [...hopsOf(graph)].find(([, hops]) => hops > mostHops);
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
