// The plan of a write: which fields of which tables may have other cells after it, in steps. A step is one table and those of its fields whose
// sources are done; each field is in one step, so that the compiler knows which part of the statement holds its new cells.
import type { RelatedTable } from '../../catalog/table.ts';
import type { Linked } from '../cell/linked.sql.ts';
import { downstream, growing } from '../../catalog/dependency.ts';
import {
  changedWith,
  type Graph,
  graphOf,
  hasLinks,
  type DependentField,
  linksAmong,
  readThroughLinks,
  sourcesAndLinksIn,
  sourcesIn,
} from './graph.ts';

/** What is done before a request is answered, and what is left to a job. Tests make these numbers small. */
export const limits = {
  /** Records of a table whose cells are filled at once when a field is added or changed. */
  filledAtOnce: 1_000,
  /** Records of one step that a write settles itself: about a quarter of a second. */
  reached: 10_000,
  /** Links in a list whose changes by the other end are in its history. */
  listed: 500,
  /** Milliseconds that a page has for cells that are computed when it is read, because they are not filled yet. */
  pageTime: 400,
};

/** What a write does to a table. */
export interface Writing {
  kind: 'create' | 'update' | 'delete';
  /** Fields whose cells are written, without links. */
  fieldIds: readonly string[];
  /** Links that are written. When records are deleted all of them count. */
  linkIds: readonly string[];
  /** Fields that a job will see to. */
  deferred?: ReadonlySet<string> | undefined;
  /** The statement that writes the records computes what it can of their links. */
  isWithRows?: boolean | undefined;
}

/** The keys of a link change at some records: `slot` names the ids that the statement is given. */
interface Relinked {
  linked: Linked;
  slot: string;
}

export interface Step {
  table: RelatedTable;
  dependents: readonly DependentField[];
}

export interface SettlePlan {
  key: string;
  table: RelatedTable;
  kind: Writing['kind'];
  /** Ids of fields that the write itself changes at its own records. */
  changed: ReadonlySet<string>;
  /** Links of the own table that are written, or whose keys go with deleted records: seen from the own table. Not the loose ones. */
  written: readonly Linked[];
  /** Links of other tables to this one without a field here, whose keys go with deleted records. */
  incoming: readonly Linked[];
  relinked: readonly Relinked[];
  /** Fields of the own records that the statement which writes them computes, each after those it needs. They are in no step. */
  withRows: readonly DependentField[];
  /** Links whose ends that statement is given: it writes the keys that are beside the records. */
  keyed: readonly Linked[];
  /** Links of deleted records to very many others, whose cells are left to a job: seen from the side that `side` says the deleted records are on. */
  loose: readonly { linked: Linked; side: 'own' | 'foreign' }[];
  steps: readonly Step[];
  /** The step of each field. */
  stepOf: ReadonlyMap<string, number>;
  /** Tables whose records are locked, in the order of their ids. */
  tables: readonly RelatedTable[];
  /** Fields that it reaches and leaves to a job, with all that is computed from them. */
  deferred: readonly DependentField[];
}

/** The slot of the records at the other end of a link that is written. */
export const endsSlot = ({ field }: Linked): string => `ends_${field.id}`;

/** The slot of those that a one-way link leads from to deleted records. Within a table it leads from there, too: these are others. */
export const startsSlot = ({ field }: Linked): string => `starts_${field.id}`;

const relinkedBy = (
  kind: Writing['kind'],
  written: readonly Linked[],
  incoming: readonly Linked[],
  all: readonly Linked[],
): Relinked[] => {
  const own = kind === 'delete' ? [] : written.map((linked) => ({ linked, slot: 'own' }));
  const others = written.flatMap((linked): Relinked[] => {
    const other = all.find(({ field }) => field.id === linked.symmetric?.id);
    return other === undefined ? [] : [{ linked: other, slot: endsSlot(linked) }];
  });
  return [...own, ...others, ...incoming.map((linked) => ({ linked, slot: startsSlot(linked) }))];
};

/** Fields whose cells the statement that writes the records does not see to. */
const reach = (graph: Graph, changed: ReadonlySet<string>, relinked: readonly Relinked[]): Set<string> => {
  const moved = new Set(relinked.map(({ linked }) => linked.field.id));
  const first = readThroughLinks(graph, ({ fieldId, via }) => moved.has(via.field.id) || changed.has(fieldId));
  const reached = downstream(sourcesIn(graph), first);
  // In the order of the fields, which is the order of columns in statements.
  return new Set([...graph.keys()].filter((id) => reached.has(id)));
};

/**
 * What the statement that writes the records can compute of them: link cells, and what follows from them, as long as nothing of it changes in other records, and
 * nothing that it is computed from changes with this write.
 */
const cellsWithRows = (
  graph: Graph,
  { id }: RelatedTable,
  kind: Writing['kind'],
  changed: ReadonlySet<string>,
  written: readonly Linked[],
  relinked: readonly Relinked[],
  settled: ReadonlySet<string>,
): Set<string> => {
  const isOfOwn = ({ field }: Linked): boolean =>
    written.some((one) => one.field.id === field.id) &&
    relinked.every(({ linked, slot }) => linked.field.id !== field.id || slot === 'own');
  const isReadyVia = ({ field }: DependentField, fieldId: string, via: Linked, found: ReadonlySet<string>): boolean => {
    if (!isOfOwn(via) || changed.has(fieldId)) return false;
    // New records lead to others that are there, so what changes at new ones alone is the same wherever it is looked up.
    if (kind === 'create') return !settled.has(fieldId) || found.has(fieldId);
    // The history wants to know what the cell was. Keys that are elsewhere are written before.
    return (
      !settled.has(fieldId) &&
      via.place === 'own' &&
      via.field.computed?.state !== 'settling' &&
      (field.id === via.field.id || found.has(via.field.id))
    );
  };
  const isReady = (dependent: DependentField, found: ReadonlySet<string>): boolean =>
    dependent.sources.every(({ fieldId, via }) =>
      via === null ? !settled.has(fieldId) || found.has(fieldId) : isReadyVia(dependent, fieldId, via, found),
    );
  return growing(settled, (fieldId, found) => {
    const dependent = graph.get(fieldId) as DependentField;
    return dependent.table.id === id && isReady(dependent, found);
  });
};

export const stepsFor = (graph: Graph, fieldIds: ReadonlySet<string>): Step[] => {
  const left = new Map([...graph].filter(([id]) => fieldIds.has(id)));
  const steps: Step[] = [];
  /** Fields of a table that can be computed now, those among them that others of them need included. */
  const readyIn = (table: RelatedTable): Set<string> =>
    growing(
      [...left].filter(([, dependent]) => dependent.table === table).map(([id]) => id),
      (id, found) =>
        (left.get(id) as DependentField).sources.every(
          ({ fieldId, via }) => !left.has(fieldId) || (via === null && found.has(fieldId)),
        ),
    );
  while (left.size > 0) {
    const tables = [...new Set([...left.values()].map((dependent) => dependent.table))];
    const best = tables.map(readyIn).reduce((one, other) => (other.size > one.size ? other : one));
    const dependents = [...best].map((id) => left.get(id) as DependentField);
    if (dependents[0] === undefined)
      throw new Error(`fields need each other in a circle: ${[...left.keys()].join(', ')}`);
    steps.push({ table: dependents[0].table, dependents });
    for (const id of best) left.delete(id);
  }
  return steps;
};

/** The fields, and all that is computed from them. When a link itself is left to a job, so is what is looked up through it. */
const computedFrom = (graph: Graph, fieldIds: Iterable<string>, kind: Writing['kind']): Set<string> =>
  downstream(kind === 'delete' ? sourcesAndLinksIn(graph) : sourcesIn(graph), fieldIds);

const make = (table: RelatedTable, writing: Writing, key: string): SettlePlan | null => {
  const { kind, fieldIds, linkIds } = writing;
  const all = linksAmong(table);
  const written = all.filter(
    ({ field, own }) => own.id === table.id && (kind === 'delete' || linkIds.includes(field.id)),
  );
  const incoming =
    kind === 'delete' ? all.filter(({ foreign, symmetric }) => foreign.id === table.id && symmetric === undefined) : [];
  const given = kind === 'update' ? changedWith(table, fieldIds) : new Set<string>();
  const moved = relinkedBy(kind, written, incoming, all);
  const graph = graphOf(table);
  const reached = reach(graph, given, moved);
  // The fields may be others than when this was found out.
  const left = computedFrom(graph, writing.deferred ?? [], kind);
  const isLoose = (fieldId: string | undefined): boolean =>
    kind === 'delete' && fieldId !== undefined && left.has(fieldId) && reached.has(fieldId);
  const relinked = moved.filter(({ linked }) => !isLoose(linked.field.id));
  const tight = {
    written: written.filter(({ symmetric }) => !isLoose(symmetric?.id)),
    incoming: incoming.filter(({ field }) => !isLoose(field.id)),
  };
  const loose = [
    ...written.filter((one) => !tight.written.includes(one)).map((linked) => ({ linked, side: 'own' as const })),
    ...incoming.filter((one) => !tight.incoming.includes(one)).map((linked) => ({ linked, side: 'foreign' as const })),
  ];
  const deferred = [...reached].filter((id) => left.has(id)).map((id) => graph.get(id) as DependentField);
  // Cells of links that are written belong into the history, now.
  const settled = new Set(
    [...reached].filter((id) => !left.has(id) || relinked.some(({ linked }) => linked.field.id === id)),
  );
  const withRows =
    writing.isWithRows === true
      ? cellsWithRows(graph, table, kind, given, written, relinked, settled)
      : new Set<string>();
  const changed = kind === 'update' ? new Set([...given, ...withRows]) : given;
  // Nobody is linked to new records but those that they are linked to, so what is reached through what is new of them alone is not.
  const others =
    withRows.size === 0 ? settled : reach(new Map([...graph].filter(([id]) => !withRows.has(id))), changed, relinked);
  const steps = stepsFor(graph, new Set([...settled].filter((id) => others.has(id))));
  if (steps.length === 0 && written.length === 0 && incoming.length === 0 && deferred.length === 0) return null;
  const touched = new Map<string, RelatedTable>([[table.id, table.related.get(table.id) as RelatedTable]]);
  for (const step of steps) touched.set(step.table.id, step.table);
  for (const { foreign } of tight.written) touched.set(foreign.id, foreign);
  for (const { own } of tight.incoming) touched.set(own.id, own);
  return {
    key,
    table,
    kind,
    changed,
    ...tight,
    relinked,
    withRows: [...withRows].map((id) => graph.get(id) as DependentField),
    keyed:
      writing.isWithRows !== true
        ? []
        : kind === 'create'
          ? written
          : written.filter(({ field }) => withRows.has(field.id)),
    loose,
    steps,
    stepOf: new Map(steps.flatMap(({ dependents }, at) => dependents.map(({ field }) => [field.id, at] as const))),
    tables: [...touched.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    deferred,
  };
};

/**
 * What cannot be settled now when these steps are too large: their fields, and all that is computed from them. Not links that are written, unless it is by deleting what they lead to: then the
 * cells follow from the records that are left. Empty when nothing can be left out.
 */
export const beyondReach = ({ table, kind, steps, relinked }: SettlePlan, tooLarge: readonly number[]): string[] => {
  const written = new Set(kind === 'delete' ? [] : relinked.map(({ linked }) => linked.field.id));
  const left = new Set(
    tooLarge
      .flatMap((at) => (steps[at] as Step).dependents.map(({ field }) => field.id))
      .filter((id) => !written.has(id)),
  );
  return [...computedFrom(graphOf(table), left, kind)];
};

const mostPlans = 500;

const plans = new WeakMap<object, Map<string, SettlePlan | null>>();

/** Null when nothing in other records depends on the write: then it is one statement, as in a table without links. */
export const planOf = (table: RelatedTable, writing: Writing): SettlePlan | null => {
  if (!hasLinks(table)) return null;
  const { kind, fieldIds, linkIds } = writing;
  if (kind === 'create' && linkIds.length === 0) return null;
  const key = `${kind} ${kind === 'update' ? fieldIds.join() : ''} ${linkIds.join()} ${[...(writing.deferred ?? [])].toSorted().join()}${writing.isWithRows === true ? ' with rows' : ''}`;
  const known = plans.get(table) ?? new Map<string, SettlePlan | null>();
  // Which fields a request writes is up to the client.
  if (known.size >= mostPlans) known.clear();
  plans.set(table, known);
  let plan = known.get(key);
  if (plan === undefined) {
    plan = make(table, writing, key);
    known.set(key, plan);
  }
  return plan;
};

export const comesBackTo = ({ steps, deferred, table }: SettlePlan): boolean =>
  steps.some((step) => step.table.id === table.id) || deferred.some((dependent) => dependent.table.id === table.id);
