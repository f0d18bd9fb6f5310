// Undoing an operation with what it made beside its own records. What it made goes after the operation is undone, unless somebody has used it since; what
// an undo took away comes back before it is done again, since cells lead to it.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Leftover, restoreHistory as endpoint, SideEffect } from '@rowhouse/contract/history.ts';
import { can, demand } from '../../catalog/access.ts';
import { sightOf } from '../../catalog/sight.ts';
import { bumpQuietly, bumpVersion, lockSchemasOf } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import type { TableContext } from '../../pipeline/pipeline.ts';
import { type Choice, choicesOf } from '../cell/kind/choice.sql.ts';
import { selectTaken } from '../computed/edge.sql.ts';
import { linksAmong } from '../computed/graph.ts';
import { updateOptions } from '../field/field.sql.ts';
import { deleteRecords } from '../record/write/delete-records.ts';
import { keepSideEffects, type MadeChoices, type MadeRecords, type SideEffects } from '../record/write/side-effects.ts';
import { selectOperation, selectRecordsOf } from './history.sql.ts';
import { refuse } from './refuse.ts';
import { restoreRecords } from './restore-records.ts';
import { selectCommented, selectEdited, selectHeld, selectLastOperation } from './used-since.sql.ts';

type Restored = ResponseOf<typeof endpoint>;

/** What became of the side effects of an operation. */
interface Outcome {
  done: SideEffect[];
  left: Leftover[];
  /** What undoes this. */
  back: { records: MadeRecords[]; choices: MadeChoices[] };
}

const mostLeft = 100;

const at = (context: TableContext, tableId: string): TableContext => ({
  ...context,
  access: { ...context.access, tableId },
});

/** Undefined when the table is in the trash, or gone: its records are with it. */
const tableOrGone = (context: TableContext, tableId: string): Promise<TableSchema | undefined> =>
  loadTable(context.db, context.access.baseId, tableId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

const reasons: Record<Leftover['reason'], string> = {
  changed_since: 'it has been changed since',
  linked: 'another record links to it',
  commented: 'it has comments',
  used: 'it is used elsewhere',
  not_allowed: 'you may not delete records',
};

/** Why records are not to go, by id. */
const usesOf = async (
  context: TableContext,
  table: TableSchema,
  opId: number,
  ids: readonly string[],
): Promise<Map<string, Leftover['reason']>> => {
  const { db } = context;
  const uses = new Map<string, Leftover['reason']>();
  for (const linked of linksAmong(table)) {
    if (linked.foreign.id === table.id)
      for (const { foreign } of await selectTaken(db, linked, [], ids)) uses.set(foreign, 'linked');
  }
  for (const id of await selectCommented(db, table, ids)) uses.set(id, 'commented');
  for (const id of await selectEdited(db, table, opId, ids)) uses.set(id, 'changed_since');
  if (!can(context.access, 'record|delete')) for (const id of ids) uses.set(id, 'not_allowed');
  return uses;
};

/** The operation that made records of another table; undefined when the table or the operation is gone. */
const makingOf = async (context: TableContext, tableId: string, operationId: string) => {
  const table = await tableOrGone(context, tableId);
  const operation = table === undefined ? undefined : await selectOperation(context.db, table, operationId);
  return table === undefined || operation === undefined ? undefined : { table, operation };
};

const removeRecords = async (
  context: TableContext,
  { tableId, operationId }: MadeRecords,
  outcome: Outcome,
): Promise<void> => {
  const made = await makingOf(context, tableId, operationId);
  if (made === undefined) return;
  const { table, operation } = made;
  const there = at(context, tableId);
  const ids = await selectRecordsOf(there.db, sightOf(there, table), operation.id);
  const uses = ids.length === 0 ? new Map<string, Leftover['reason']>() : await usesOf(there, table, operation.id, ids);
  for (const [id, reason] of uses)
    outcome.left.push({
      kind: 'record',
      id,
      tableId,
      table: table.name,
      reason,
      message: `A record of "${table.name}" stays: ${reasons[reason]}`,
    });
  const unused = ids.filter((id) => !uses.has(id));
  if (unused.length === 0) return;
  const deleted = await deleteRecords({ unconfirmed: there }, unused, { onlyIds: true });
  outcome.done.push({ kind: 'recordsDeleted', count: unused.length, tableId, table: table.name });
  outcome.back.records.push({ tableId, operationId: deleted.operationId, count: unused.length });
};

const bringRecords = async (
  context: TableContext,
  { tableId, operationId }: MadeRecords,
  outcome: Outcome,
): Promise<void> => {
  const made = await makingOf(context, tableId, operationId);
  if (made === undefined) return;
  const { table, operation } = made;
  // Cells lead to them, so there is no way to do it again without them.
  demand(context.access, 'record|create', tableId);
  const restored = await restoreRecords(at(context, tableId), operation.id, {
    force: true,
    refuse,
    explain: (error) => error,
  });
  if (restored === undefined) return;
  outcome.done.push({ kind: 'recordsRestored', count: restored.recordIds.length, tableId, table: table.name });
  outcome.back.records.push({ tableId, operationId: restored.operationId, count: restored.recordIds.length });
};

/** Conditions and defaults that may name a choice: of the views of the table, and of fields that look at this one. */
const mentionsOf = (table: TableSchema, field: FieldSchema): string => {
  const { choices: _choices, ...own } = field.options;
  const others = [...table.related.values()].flatMap(({ fields }) => fields).filter(({ id }) => id !== field.id);
  const looking = others.filter(({ options, lookupOptions }) =>
    JSON.stringify([options, lookupOptions]).includes(field.id),
  );
  return JSON.stringify([
    own,
    table.views.map(({ filter, options }) => [filter, options]),
    looking.map(({ options, lookupOptions }) => [options, lookupOptions]),
  ]);
};

const writeChoices = async (
  { db, access, principal }: TableContext,
  table: TableSchema,
  field: FieldSchema,
  choices: readonly Choice[],
): Promise<void> => {
  await updateOptions(db, field.id, { ...field.options, choices });
  await bumpVersion(db, access.baseId, table.id, { kind: 'schema', actor: principal.userId });
  await bumpQuietly(
    db,
    access.baseId,
    [...table.related.keys()].filter((id) => id !== table.id),
  );
};

const removeChoices = async (
  context: TableContext,
  { fieldId, choices }: MadeChoices,
  lastOperation: number,
  outcome: Outcome,
): Promise<void> => {
  const { tableId } = context.access;
  const table = await loadTable(context.db, context.access.baseId, tableId);
  const field = table.byId.get(fieldId);
  if (field === undefined) return;
  const present = choicesOf(field.options);
  const made = present.filter(({ id }) => choices.some((choice) => choice.id === id));
  if (made.length === 0) return;
  const held = new Set(
    await selectHeld(
      context.db,
      table,
      field,
      made.map(({ name }) => name),
      lastOperation,
    ),
  );
  const mentions = mentionsOf(table, field);
  const reasonOf = ({ id, name, color }: Choice): Leftover['reason'] | undefined => {
    if (
      held.has(name) ||
      mentions.includes(JSON.stringify(name)) ||
      mentions.includes(JSON.stringify(JSON.stringify(name)).slice(1, -1))
    )
      return 'used';
    return choices.some((choice) => choice.id === id && choice.name === name && choice.color === color)
      ? undefined
      : 'changed_since';
  };
  const going: Choice[] = [];
  for (const choice of made) {
    const reason = reasonOf(choice);
    if (reason === undefined) going.push(choice);
    else
      outcome.left.push({
        kind: 'choice',
        id: choice.id,
        tableId,
        table: table.name,
        field: field.name,
        reason,
        message: `The choice "${choice.name}" of "${field.name}" stays: ${reasons[reason]}`,
      });
  }
  if (going.length === 0) return;
  await writeChoices(
    context,
    table,
    field,
    present.filter((choice) => !going.includes(choice)),
  );
  outcome.done.push({
    kind: 'choicesRemoved',
    count: going.length,
    tableId,
    table: table.name,
    fieldId,
    field: field.name,
  });
  outcome.back.choices.push({ fieldId, choices: going, isRemoved: true });
};

const bringChoices = async (
  context: TableContext,
  { fieldId, choices }: MadeChoices,
  outcome: Outcome,
): Promise<void> => {
  const { tableId } = context.access;
  const table = await loadTable(context.db, context.access.baseId, tableId);
  const field = table.byId.get(fieldId);
  const present = field === undefined ? [] : choicesOf(field.options);
  const missing = choices.filter(({ id, name }) => !present.some((choice) => choice.id === id || choice.name === name));
  if (field === undefined || field.options.choices === undefined || missing.length === 0) return;
  await writeChoices(context, table, field, [...present, ...missing]);
  outcome.done.push({
    kind: 'choicesAdded',
    count: missing.length,
    tableId,
    table: table.name,
    fieldId,
    field: field.name,
  });
  outcome.back.choices.push({ fieldId, choices: missing });
};

/** Whether the operation took the records away, as one does that undid their creation. */
const tookAway = async (
  { db, access: { baseId } }: TableContext,
  { tableId, operationId }: MadeRecords,
): Promise<boolean> => ((await selectOperation(db, { baseId, id: tableId }, operationId))?.rowDelta ?? 0) < 0;

/** In a transaction that has closed the gate. `restore` undoes the operation itself. */
export const withSideEffects = async <R extends Pick<Restored, 'operationId'> | undefined>(
  context: TableContext,
  effects: SideEffects | null,
  restore: () => Promise<R>,
): Promise<{ restored: R } & Pick<Restored, 'sideEffects' | 'left' | 'leftTotal'>> => {
  const { records = [], choices = [] } = effects ?? {};
  if (records.length + choices.length === 0) return { restored: await restore() };
  const {
    db,
    access: { baseId, tableId },
  } = context;
  await lockSchemasOf(db, baseId, [
    ...(await loadTable(db, baseId, tableId)).related.keys(),
    ...records.map((one) => one.tableId),
  ]);
  const outcome: Outcome = { done: [], left: [], back: { records: [], choices: [] } };
  const made: MadeRecords[] = [];
  for (const one of choices) if (one.isRemoved === true) await bringChoices(context, one, outcome);
  for (const one of records) {
    if (await tookAway(context, one)) await bringRecords(context, one, outcome);
    else made.push(one);
  }
  // Records that the undo itself deletes bring their choices back with them.
  const lastOperation = await selectLastOperation(db, { baseId });
  const restored = await restore();
  for (const one of made.toReversed()) await removeRecords(context, one, outcome);
  for (const one of choices) if (one.isRemoved !== true) await removeChoices(context, one, lastOperation, outcome);
  const operationId = restored?.operationId ?? null;
  if (operationId !== null) {
    // By force it may have added choices itself.
    const own = (await selectOperation(db, { baseId, id: tableId }, operationId))?.sideEffects ?? {};
    await keepSideEffects(db, baseId, operationId, {
      ...own,
      records: [...(own.records ?? []), ...outcome.back.records],
      choices: [...(own.choices ?? []), ...outcome.back.choices],
    });
  }
  return {
    restored,
    ...(outcome.done.length === 0 ? {} : { sideEffects: outcome.done }),
    ...(outcome.left.length === 0 ? {} : { left: outcome.left.slice(0, mostLeft), leftTotal: outcome.left.length }),
  };
};
