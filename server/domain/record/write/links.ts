// Links in a write of records: what is asked for becomes keys, under the locks of everything that the write can reach, and what depends on
// it is settled in the same transaction. See docs/adr/0038-links.md.
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import { bumpQuietly, lockSchemasOf } from '../../../catalog/table.sql.ts';
import { type Sight, sightOn } from '../../../catalog/sight.ts';
import { loadTable, type RelatedTable, type TableSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { Queryable, Tx } from '../../../db/db.ts';
import type { Sql } from '../../../db/sql.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { isLink, type Linked, linkedBy, saysWhereKeysAre } from '../../cell/linked.sql.ts';
import { isLookedUp } from '../../cell/looked-up.sql.ts';
import { isStored } from '../../cell/types.ts';
import {
  type Edge,
  dropEdges,
  restoreHiddenKeys,
  selectEnds,
  selectLinking,
  selectTaken,
  writeEdges,
  writeNewEdges,
} from '../../computed/edge.sql.ts';
import { hasLinks } from '../../computed/graph.ts';
import { type Locked, lockReached } from '../../computed/lock.sql.ts';
import { comesBackTo, endsSlot, planOf, type SettlePlan, startsSlot, type Writing } from '../../computed/plan.ts';
import { fillCells } from '../../computed/refill.sql.ts';
import { insertCaused, settleReached } from '../../computed/settle.sql.ts';
import type { NewLink } from '../../computed/with-rows.sql.ts';
import { closedGateOf, closeGate, enterGate, gateOf } from '../../computed/gate.sql.ts';
import { fillLater } from '../../field/fill-later.ts';
import { ensureFieldVersions } from '../../field/field-version.sql.ts';
import { metaOf } from '../../field/field-version.ts';
import { keyOf } from '../read/field-key.ts';
import { type CellError, cellErrors, type CellRequest, type Column } from './cells.ts';

export interface SplitColumns {
  /** Written into columns as they are. */
  cells: Column[];
  links: Column[];
}

export const splitLinks = (columns: readonly Column[]): SplitColumns => {
  const links = columns.filter(({ field }) => isLink(field));
  return links.length === 0
    ? { cells: columns as Column[], links }
    : { cells: columns.filter(({ field }) => !isLink(field)), links };
};

/** Null when nothing in other records depends on it. */
export const settlePlanOf = (
  table: TableSchema,
  kind: Writing['kind'],
  columns: readonly Column[],
  deferred?: ReadonlySet<string>,
  isWithRows = false,
): SettlePlan | null => {
  if (!hasLinks(table)) return null;
  const { cells, links } = splitLinks(columns);
  const given = kind === 'create' ? links.filter(({ values }) => values.some((value) => value !== null)) : links;
  return planOf(table, {
    kind,
    fieldIds: cells.map(({ field }) => field.id).toSorted(),
    linkIds: given.map(({ field }) => field.id).toSorted(),
    deferred,
    isWithRows,
  });
};

const versions = new WeakMap<SettlePlan, ReadonlyMap<string, number>>();

/** Rows of `__field_version` for the links whose cells go into the history. */
const linkVersions = async (db: Queryable, { relinked }: SettlePlan): Promise<ReadonlyMap<string, number>> => {
  const all = new Map<string, number>();
  const tables = new Map<string, RelatedTable>(relinked.map(({ linked }) => [linked.own.id, linked.own]));
  // In order, as within a table: those who add them in their transaction keep them locked until its end.
  for (const table of [...tables.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const fields = relinked.filter(({ linked }) => linked.own.id === table.id).map(({ linked }) => linked.field);
    const found = await ensureFieldVersions(
      db,
      table,
      fields.map((field) => ({ fieldId: field.id, version: field.version, meta: metaOf(field) })),
    );
    for (const [fieldId, id] of found) all.set(fieldId, id);
  }
  return all;
};

/** Before the transaction, so that what is written for it stays. */
export const prepareSettling = async (db: Queryable, plan: SettlePlan | null): Promise<void> => {
  if (plan === null || versions.has(plan) || (db as { kind?: string }).kind !== 'pool') return;
  versions.set(plan, await linkVersions(db, plan));
};

interface Wanted {
  linked: Linked;
  column: Column;
  /** Records whose links are written. */
  own: string[];
  edges: Edge[];
}

const wantedOf = (plan: SettlePlan, ids: readonly string[], links: readonly Column[]): Wanted[] =>
  plan.written.flatMap((linked): Wanted[] => {
    const column = links.find(({ field }) => field.id === linked.field.id);
    if (column === undefined) return [];
    const edges: Edge[] = [];
    const own: string[] = [];
    ids.forEach((id, index) => {
      if (column.given !== undefined && column.given[index] !== true) return;
      own.push(id);
      ((column.values[index] ?? []) as { id: string }[]).forEach((target, at) =>
        edges.push({ own: id, foreign: target.id, at }),
      );
    });
    return [{ linked, column, own, edges }];
  });

type Fault = { edge: Edge; message: string };

/** The same record twice where it may be linked once, or by somebody else. */
const takenBy = async (tx: Queryable, { linked, own, edges }: Wanted): Promise<Fault[]> => {
  if (!linked.isExclusive) return [];
  const first = new Map<string, string>();
  const twice = edges.flatMap((edge): Fault[] => {
    const other = first.get(edge.foreign);
    first.set(edge.foreign, other ?? edge.own);
    return other === undefined
      ? []
      : [{ edge, message: `Record ${edge.foreign} would be linked by two records, ${other} and ${edge.own}` }];
  });
  if (twice.length > 0) return twice;
  const taken = new Map(
    (
      await selectTaken(
        tx,
        linked,
        own,
        edges.map(({ foreign }) => foreign),
      )
    ).map(({ foreign, by }) => [foreign, by]),
  );
  return edges
    .filter(({ foreign }) => taken.has(foreign))
    .map((edge) => ({ edge, message: `Record ${edge.foreign} is already linked by ${taken.get(edge.foreign)}` }));
};

const missing = ({ linked, edges }: Wanted, locked: Locked): Fault[] => {
  const there = locked.get(linked.foreign.id);
  return edges
    .filter(({ foreign }) => there?.has(foreign) !== true)
    .map((edge) => ({ edge, message: `Table "${linked.foreign.name}" has no record ${edge.foreign.slice(0, 50)}` }));
};

const refuse = (
  faults: readonly (Fault & { column: Column })[],
  ids: readonly string[],
  request: CellRequest,
): Error => {
  const errors = faults.map(({ edge, message, column: { field } }): CellError => {
    const index = ids.indexOf(edge.own);
    const recordId = request.rows[index]?.id;
    return {
      index,
      ...(recordId === undefined ? {} : { recordId }),
      field: keyOf(field, request.keyType),
      code: 'invalid_value',
      message,
      expected: 'records that exist and that no other record is linked to where only one may be',
    };
  });
  return cellErrors(errors, errors.length, request);
};

/** A write that is under way: everything that it can reach is locked, and its links are written. */
export interface UnderWay {
  plan: SettlePlan;
  own: readonly string[];
  locked: Locked;
  ends: ReadonlyMap<string, readonly string[]>;
  /** What the keyed links of its records are to lead to, for the statement that writes them. */
  links: () => NewLink[];
  /** For new records, once they are there: all links, or those whose keys are not beside the records. */
  writeLinks: (which?: 'all' | 'elsewhere') => Promise<void>;
}

const newLink = ({ linked, edges }: Wanted, ids: readonly string[]): NewLink => {
  const byOwn = new Map<string, string[]>();
  for (const { own, foreign } of edges) {
    const known = byOwn.get(own);
    if (known === undefined) byOwn.set(own, [foreign]);
    else known.push(foreign);
  }
  return { linked, ids: ids.map((id) => byOwn.get(id) ?? []) };
};

/** What links of new records are to lead to, as the request has it. */
export const newLinksOf = (plan: SettlePlan, ids: readonly string[], links: readonly Column[]): NewLink[] =>
  wantedOf(plan, ids, links).map((one) => newLink(one, ids));

const demandLocked = (ends: readonly string[], tableId: string, locked: Locked): void => {
  const there = locked.get(tableId);
  // A link came between the look at it and the lock.
  if (ends.some((id) => there?.has(id) !== true)) throw new Stale('records');
};

/** Locks, and writes the links. `onLocked` may refuse what is there. Undefined: not all own records are there, and nothing was written. */
export const beginWrite = async (
  { db: tx, deferred }: Pick<Context, 'db' | 'deferred'>,
  plan: SettlePlan,
  ids: readonly string[],
  links: readonly Column[],
  request: CellRequest,
  { isNew = false, onLocked }: { isNew?: boolean; onLocked?: () => Promise<void> } = {},
): Promise<UnderWay | undefined> => {
  const wanted = wantedOf(plan, ids, links);
  const locked = await lockReached(
    tx,
    plan,
    ids,
    new Map(wanted.map(({ linked, edges }) => [linked.field.id, [...new Set(edges.map(({ foreign }) => foreign))]])),
    { isLimited: deferred !== undefined },
  );
  if (ids.some((id) => locked.get(plan.table.id)?.has(id) !== true)) return undefined;
  await onLocked?.();
  // With typecast what is not there is left out, as titles that nobody has are.
  if (request.typecast)
    for (const one of wanted)
      one.edges = one.edges.filter(({ foreign }) => locked.get(one.linked.foreign.id)?.has(foreign) === true);
  const gone = wanted.flatMap((one) => missing(one, locked).map((fault) => ({ ...fault, column: one.column })));
  if (gone.length > 0) throw refuse(gone, ids, request);
  const ends = new Map<string, string[]>();
  for (const one of wanted) {
    const former = plan.kind === 'create' ? [] : await selectEnds(tx, one.linked, one.own);
    demandLocked(former, one.linked.foreign.id, locked);
    const taken = await takenBy(tx, one);
    if (taken.length > 0)
      throw refuse(
        taken.map((fault) => ({ ...fault, column: one.column })),
        ids,
        request,
      );
    if (!isNew && !plan.keyed.includes(one.linked)) await writeEdges(tx, one.linked, one.own, one.edges);
    ends.set(endsSlot(one.linked), [...new Set([...former, ...one.edges.map(({ foreign }) => foreign)])]);
  }
  const writeLinks: UnderWay['writeLinks'] = async (which = 'all') => {
    for (const { linked, own, edges } of wanted)
      await (which === 'all' ? writeEdges(tx, linked, own, edges) : writeNewEdges(tx, linked, edges));
  };
  return {
    plan,
    own: ids,
    locked,
    ends,
    links: () => wanted.filter(({ linked }) => plan.keyed.includes(linked)).map((one) => newLink(one, ids)),
    writeLinks,
  };
};

/** The same for records that are about to be deleted. What they were linked to stays in their cells, which are kept. */
export const beginDelete = async (
  { db: tx, deferred }: Pick<Context, 'db' | 'deferred'>,
  plan: SettlePlan,
  ids: readonly string[],
): Promise<UnderWay | undefined> => {
  const locked = await lockReached(tx, plan, ids, new Map(), { isLimited: deferred !== undefined });
  if (ids.some((id) => locked.get(plan.table.id)?.has(id) !== true)) return undefined;
  const ends = new Map<string, string[]>();
  for (const linked of plan.written) {
    const former = await selectEnds(tx, linked, ids);
    demandLocked(former, linked.foreign.id, locked);
    ends.set(endsSlot(linked), former);
  }
  for (const linked of plan.incoming) {
    const former = await selectLinking(tx, linked, ids);
    demandLocked(former, linked.own.id, locked);
    ends.set(startsSlot(linked), former);
  }
  // What it was linked to is kept with a record. A job may not have been at its cells yet.
  const unfilled = [
    ...plan.written,
    ...plan.loose.flatMap(({ linked, side }) => (side === 'own' ? [linked] : [])),
  ].filter(({ field }) => field.computed?.state === 'settling');
  await fillCells(
    tx,
    plan.table,
    unfilled.map(({ field }) => field),
    ids,
  );
  // Keys beside very many records lead to nobody from now on, and go with the job.
  for (const { linked, side } of plan.loose) if (linked.place === 'pairs') await dropEdges(tx, linked, side, ids);
  for (const linked of plan.written) await dropEdges(tx, linked, 'own', ids);
  for (const linked of plan.incoming) await dropEdges(tx, linked, 'foreign', ids);
  return { plan, own: ids, locked, ends, links: () => [], writeLinks: async () => undefined };
};

/** Two that are under way. When the first has failed, the second fails because of it. */
export const inOrder = async <First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> => {
  second.catch(() => undefined);
  return [await first, await second];
};

/** After the records are written, by the operation `opId`; `operationIds`: by several, of which that is the last. */
export const settleWrite = async (
  context: Pick<Context, 'db' | 'newId'>,
  { plan, own, locked, ends }: UnderWay,
  opId: number,
  { actor, tokenId, clientId }: OperationFacts,
  operationIds?: readonly string[],
): Promise<void> => {
  // Nothing is waited for where no link changes: others may commit behind it.
  const metaIds =
    versions.get(plan) ??
    (plan.relinked.length === 0 ? new Map<string, number>() : await linkVersions(context.db, plan));
  await settleReached(
    context.db,
    plan,
    { own, ends, locked, metaIds },
    { opId, operationIds, actor, tokenId, clientId, newOperationId: () => context.newId('opr') },
  );
  if (plan.deferred.length > 0)
    await leaveToJob(context.db as Tx, plan, opId, { actor, tokenId, clientId }, () => context.newId('opr'));
};

/** Whether the statement that wrote the records has told all of them: nothing came back to them, and nothing of their links is read by its expression. */
export const isToldByWrite = (plan: SettlePlan): boolean =>
  !comesBackTo(plan) &&
  plan.table.fields.every(
    (field) => isStored(field) || !(isLink(field) || isLookedUp(field)) || field.computed?.state === 'broken',
  );

/** What the transaction of a write begins with. */
export const gateFor = (plan: SettlePlan | null): Sql | undefined =>
  plan === null ? undefined : (plan.deferred.length > 0 ? closedGateOf : gateOf)(plan.table.baseId);

/** For one that others may have begun. When something is left to a job, nobody else plans with what that changes. */
export const passGate = async (tx: Queryable, { table, deferred }: SettlePlan): Promise<void> => {
  if (deferred.length === 0) return enterGate(tx, table.baseId);
  await closeGate(tx, table.baseId);
  await lockSchemasOf(tx, table.baseId, [...table.related.keys()]);
};

/** Fields that very many records have: from now on read by their expressions, until a job has filled their columns. Those who listen read again. */
const leaveToJob = async (
  tx: Tx,
  { table, deferred }: SettlePlan,
  cause: number,
  actor: Pick<OperationFacts, 'actor' | 'tokenId' | 'clientId'>,
  newOperationId: () => string,
): Promise<void> => {
  await fillLater(tx, table, new Set(deferred.map(({ field }) => field.id)));
  for (const tableId of new Set(deferred.map((kept) => kept.table.id))) {
    const fieldIds = deferred.filter((kept) => kept.table.id === tableId).map(({ field }) => field.id);
    await insertCaused(tx, table.baseId, { publicId: newOperationId(), tableId, cause, fieldIds, ...actor });
  }
  await bumpQuietly(tx, table.baseId, [...table.related.keys()]);
};

/** With the fields as they are read from now on, when some were left to a job. */
export const sightAfter = async (
  { db }: Pick<Context, 'db'>,
  sight: Sight,
  { deferred, table }: SettlePlan,
): Promise<Sight> => (deferred.length === 0 ? sight : sightOn(sight, await loadTable(db, table.baseId, table.id)));

/** After the commit of such a write. */
export const announceDeferred = (
  { catalog, work }: Pick<Context, 'catalog' | 'work'>,
  plan: SettlePlan | null,
): void => {
  if (plan === null || plan.deferred.length === 0) return;
  for (const id of plan.table.related.keys()) catalog.forget(id);
  work.wake();
};

/** What links that are out of sight led to comes back with them: keys beside the records went with these, pairs are there still. */
export const restoreOutOfSight = async (
  tx: Queryable,
  table: TableSchema,
  ids: readonly string[],
  links: readonly Column[],
): Promise<void> => {
  for (const { field, values } of links) {
    const isInSight = table.byId.has(field.id) && linkedBy(field, table.related.get(table.id)) !== undefined;
    if (isInSight || field.options.selfKeyName !== '__id' || !saysWhereKeysAre(field.options, table.baseId)) continue;
    await restoreHiddenKeys(
      tx,
      table,
      field,
      ids.flatMap((own, index) => ((values[index] ?? []) as { id: string }[]).map(({ id }) => ({ own, foreign: id }))),
    );
  }
};

/** Links of a deleted record that can be again: to records that are there, and that nobody else is linked to where only one may be. */
export const restorableLinks = async (
  tx: Queryable,
  table: TableSchema,
  ids: readonly string[],
  links: readonly Column[],
  existing: (linked: Linked, foreign: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Column[]> => {
  const restored: Column[] = [];
  for (const column of links) {
    const linked = linkedBy(column.field, table.related.get(table.id));
    if (linked === undefined || !table.byId.has(column.field.id)) continue;
    const wanted = column.values.map((value) => ((value ?? []) as { id: string }[]).map(({ id }) => id));
    const there = await existing(linked, [...new Set(wanted.flat())]);
    const taken = linked.isExclusive
      ? new Set((await selectTaken(tx, linked, ids, [...there])).map(({ foreign }) => foreign))
      : new Set<string>();
    const values = wanted.map((targets) => {
      const free = targets.filter((id) => there.has(id) && !taken.has(id));
      if (linked.isExclusive) for (const id of free) taken.add(id);
      return free.length === 0 ? null : free.map((id) => ({ id }));
    });
    restored.push({ ...column, values });
  }
  return restored;
};
