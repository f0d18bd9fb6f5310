// Links in a write of records: the plan of what follows from it, the gate of its base, and what is left to a job. What is sent stands in
// write-script.ts. See docs/adr/0038-links.md.
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import { bumpQuietly, lockSchemasOf } from '../../../catalog/table.sql.ts';
import { type Sight, sightOn } from '../../../catalog/sight.ts';
import { loadTable, type RelatedTable, type TableSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { Queryable, Tx } from '../../../db/db.ts';
import type { Sql } from '../../../db/sql.ts';
import { isLink, type Linked, linkedBy, saysWhereKeysAre } from '../../cell/linked.sql.ts';
import { isLookedUp } from '../../cell/looked-up.sql.ts';
import { isStored } from '../../cell/types.ts';
import { restoreHiddenKeys, selectTaken } from '../../computed/edge.sql.ts';
import { hasLinks } from '../../computed/graph.ts';
import { comesBackTo, planOf, type SettlePlan, type Writing } from '../../computed/plan.ts';
import { insertCaused } from '../../computed/settle.sql.ts';
import { closedGateOf, closeGate, enterGate, gateOf } from '../../computed/gate.sql.ts';
import { fillLater } from '../../field/fill-later.ts';
import { ensureFieldVersions } from '../../field/field-version.sql.ts';
import { metaOf } from '../../field/field-version.ts';
import type { Column } from './cells.ts';
import { createPause } from '../../../work/slices.ts';

interface SplitColumns {
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

const noVersions: ReadonlyMap<string, number> = new Map();

/** What `linkVersions` would answer, when that is known. */
export const knownVersions = (plan: SettlePlan): ReadonlyMap<string, number> | undefined =>
  plan.relinked.length === 0 ? noVersions : versions.get(plan);

/** Rows of `__field_version` for the links whose cells go into the history. */
export const linkVersions = async (db: Queryable, { relinked }: SettlePlan): Promise<ReadonlyMap<string, number>> => {
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
export const leaveToJob = async (
  tx: Tx,
  { table, deferred }: SettlePlan,
  cause: number,
  actor: Pick<OperationFacts, 'actor' | 'tokenId' | 'clientId'>,
  newOperationId: () => string,
): Promise<void> => {
  await fillLater(tx, table, new Set(deferred.map(({ field }) => field.id)));
  for (const tableId of new Set(deferred.map((dependent) => dependent.table.id))) {
    const fieldIds = deferred.filter((dependent) => dependent.table.id === tableId).map(({ field }) => field.id);
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
  // A list may be very long: others are served between the steps.
  const pause = createPause();
  for (const column of links) {
    await pause();
    const linked = linkedBy(column.field, table.related.get(table.id));
    if (linked === undefined || !table.byId.has(column.field.id)) continue;
    const wanted = column.values.map((value) => ((value ?? []) as { id: string }[]).map(({ id }) => id));
    await pause();
    const there = await existing(linked, [...new Set(wanted.flat())]);
    await pause();
    const taken = linked.isExclusive
      ? new Set((await selectTaken(tx, linked, ids, [...there])).map(({ foreign }) => foreign))
      : new Set<string>();
    await pause();
    const values = wanted.map((targets) => {
      const free = targets.filter((id) => there.has(id) && !taken.has(id));
      if (linked.isExclusive) for (const id of free) taken.add(id);
      return free.length === 0 ? null : free.map((id) => ({ id }));
    });
    restored.push({ ...column, values });
  }
  return restored;
};
