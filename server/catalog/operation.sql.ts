// The operation row: one per write request, who, when, through what, and how many records came or went.
import type { TableSchema } from './table.ts';
import { one, type Queryable } from '../db/db.ts';
import { type Drawn, nextNumber, type PushedInsert, pushedInsert } from '../db/cluster-form.ts';
import { type Sql, sql } from '../db/sql.ts';

/** A step of undo, as the window of a request names it. */
export interface WindowStep {
  /** Operations on other tables are no part of it. */
  tableId: string;
  windowId: string;
  /** Requests with the same name are one step. */
  name: string;
  state: 'done' | 'undone' | 'redone';
}

export interface OperationFacts {
  publicId: string;
  kind: 'create' | 'update' | 'delete' | 'restore' | 'convert' | 'computed' | 'comment';
  actor: string;
  tokenId: string | null;
  clientId: string | null;
  /** Who may have to be told, as JSON text; see notify.ts. */
  notify?: string | null;
  /** Absent: the request names no window. */
  step?: WindowStep | undefined;
}

interface StepColumns {
  windowId: string | null;
  step: string | null;
  stepState: WindowStep['state'] | null;
}

const noStep: StepColumns = { windowId: null, step: null, stepState: null };

/** What stands in the row of an operation on this table. */
export const stepColumns = (tableId: string, { step }: Pick<OperationFacts, 'step'>): StepColumns =>
  step === undefined || step.tableId !== tableId
    ? noStep
    : { windowId: step.windowId, step: step.name, stepState: step.state };

/** The names of the columns that every statement writes which adds an operation of a request. */
const operationColumns = sql`public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify, window_id, step, step_state`;
const columnCount = 12;

/** What an operation gets when it is written. */
export const drawnBy = (baseId: string): Drawn[] => [
  { column: sql`id`, value: nextNumber(sql.id(baseId, '__operation'), 'id') },
  { column: sql`time`, value: sql`clock_timestamp()` },
];

/** `op as (…)` with what has to stand before it. */
export interface InsertPart {
  before: PushedInsert['before'];
  insert: Sql;
}

/** `select` gives `operationColumns`. */
export const operationFrom = (baseId: string, select: Sql, returning: Sql): InsertPart => {
  const pushed = pushedInsert(baseId, 'op', select, columnCount, drawnBy(baseId));
  return {
    before: pushed.before,
    insert: sql`insert into ${sql.id(baseId, '__operation')} (${operationColumns}${pushed.more})
      ${pushed.select}
      ${returning}`,
  };
};

/** Of one operation, in the order of `operationColumns`. */
const valuesOf = (
  table: Pick<TableSchema, 'id'>,
  operation: OperationFacts & { columns?: Record<keyof StepColumns, unknown> },
  delta: Sql,
  recordIds: Sql,
): Sql => {
  const { windowId, step, stepState } = operation.columns ?? stepColumns(table.id, operation);
  return sql`${operation.publicId}, ${table.id}, ${operation.kind}, ${operation.actor}, ${operation.tokenId}::text, ${operation.clientId}::text, ${delta}, ${recordIds}, ${operation.notify ?? null}::jsonb,
      ${windowId}::text, ${step}::text, ${stepState}::text`;
};

/**
 * For a CTE behind the one that writes the rows. `count` is how many rows were written: its evaluation drains
 * that CTE, so the identity below is drawn after all row locks are held. Nothing is added when none were.
 */
export const operationPart = (
  table: TableSchema,
  operation: Parameters<typeof valuesOf>[1],
  count: Sql,
  delta: Sql,
  recordIds: Sql,
): InsertPart => {
  const select = sql`select ${valuesOf(table, operation, delta, recordIds)}
      from (select ${count} as n offset 0) written where n > 0`;
  return operationFrom(table.baseId, select, sql`returning id, time`);
};

/** The same as a statement of its own. */
export const insertOperation = (
  table: TableSchema,
  operation: OperationFacts,
  count: number,
  delta: Sql,
  recordIds: Sql,
): Sql =>
  sql`insert into ${sql.id(table.baseId, '__operation')} (${operationColumns})
      select ${valuesOf(table, operation, delta, recordIds)}
      from (select ${count}::int as n offset 0) written where n > 0
      returning id, time`;

/** Its number, in the transaction that wrote it. */
export const selectOperationId = async (
  tx: Queryable,
  { baseId }: Pick<TableSchema, 'baseId'>,
  operationId: string,
): Promise<number> =>
  (await one<{ id: number }>(tx, sql`select id from ${sql.id(baseId, '__operation')} where public_id = ${operationId}`))
    .id;

/** What an operation changed beside cells, as JSON text, and the step it is part of; in the transaction that wrote it. */
export const setChange = async (
  tx: Queryable,
  { baseId, id }: Pick<TableSchema, 'baseId' | 'id'>,
  operationId: string,
  change: string | null,
  step?: WindowStep,
): Promise<void> => {
  const { windowId, step: name, stepState } = change === null ? noStep : stepColumns(id, { step });
  await tx.query(
    sql`update ${sql.id(baseId, '__operation')} set change = ${change}::jsonb, window_id = ${windowId}, step = ${name}, step_state = ${stepState} where public_id = ${operationId}`,
  );
};

/** What an operation made beside its own records, as JSON text; in the transaction that wrote it. */
export const setSideEffects = async (
  tx: Queryable,
  baseId: string,
  operationId: string,
  effects: string,
): Promise<void> => {
  await tx.query(
    sql`update ${sql.id(baseId, '__operation')} set side_effects = ${effects}::jsonb where public_id = ${operationId}`,
  );
};

/** The form that a record came from; in the transaction that wrote it. */
export const noteForm = async (tx: Queryable, baseId: string, operationId: string, viewId: string): Promise<void> => {
  await tx.query(
    sql`update ${sql.id(baseId, '__operation')} set side_effects = coalesce(side_effects, '{}'::jsonb) || jsonb_build_object('form', ${viewId}::text) where public_id = ${operationId}`,
  );
};
