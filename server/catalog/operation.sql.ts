// The operation row: one per write request, who, when, through what, and how many records came or went.
import type { TableSchema } from './table.ts';
import { one, type Queryable } from '../db/db.ts';
import { type Drawn, nextNumber, type PushedInsert, pushedInsert } from '../db/citus.ts';
import { type Sql, sql } from '../db/sql.ts';

export interface OperationFacts {
  publicId: string;
  kind: 'create' | 'update' | 'delete' | 'restore' | 'convert' | 'computed' | 'comment';
  actor: string;
  tokenId: string | null;
  clientId: string | null;
  /** Who may have to be told, as JSON text; see notify.ts. */
  notify?: string | null;
}

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

/** `select` gives the nine columns of the operations. */
export const operationFrom = (baseId: string, select: Sql, returning: Sql): InsertPart => {
  const pushed = pushedInsert(baseId, 'op', select, 9, drawnBy(baseId));
  return {
    before: pushed.before,
    insert: sql`insert into ${sql.id(baseId, '__operation')} (public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify${pushed.more})
      ${pushed.select}
      ${returning}`,
  };
};

/**
 * For a CTE behind the one that writes the rows. `count` is how many rows were written: its evaluation drains
 * that CTE, so the identity below is drawn after all row locks are held. Nothing is added when none were.
 */
export const operationPart = (table: TableSchema, operation: OperationFacts, count: Sql, delta: Sql, recordIds: Sql): InsertPart => {
  const select = sql`select ${operation.publicId}, ${table.id}, ${operation.kind}, ${operation.actor}, ${operation.tokenId}::text, ${operation.clientId}::text, ${delta}, ${recordIds}, ${operation.notify ?? null}::jsonb
      from (select ${count} as n offset 0) written where n > 0`;
  return operationFrom(table.baseId, select, sql`returning id, time`);
};

/** The same as a statement of its own. */
export const insertOperation = (table: TableSchema, operation: OperationFacts, count: number, delta: Sql, recordIds: Sql): Sql =>
  sql`insert into ${sql.id(table.baseId, '__operation')} (public_id, table_id, kind, actor, token_id, client_id, row_delta, record_ids, notify)
      select ${operation.publicId}, ${table.id}, ${operation.kind}, ${operation.actor}, ${operation.tokenId}::text, ${operation.clientId}::text, ${delta}, ${recordIds}, ${operation.notify ?? null}::jsonb
      from (select ${count}::int as n offset 0) written where n > 0
      returning id, time`;

/** Its number, in the transaction that wrote it. */
export const selectOperationId = async (tx: Queryable, { baseId }: Pick<TableSchema, 'baseId'>, operationId: string): Promise<number> =>
  (await one<{ id: number }>(tx, sql`select id from ${sql.id(baseId, '__operation')} where public_id = ${operationId}`)).id;

/** What an operation changed beside cells, as JSON text; in the transaction that wrote it. */
export const setChange = async (tx: Queryable, baseId: string, operationId: string, change: string | null): Promise<void> => {
  await tx.query(sql`update ${sql.id(baseId, '__operation')} set change = ${change}::jsonb where public_id = ${operationId}`);
};
