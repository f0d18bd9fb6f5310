// What creating and updating share: the frame around the statement. Remembered facts that turn out to be old
// are looked up again; select choices that a typecast needs are added in the same transaction.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Access } from '../../catalog/access.ts';
import { Stale } from '../../catalog/stale.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { isOfOldSchema, sqlState } from '../../db/error.ts';
import type { CellContext, Person } from '../field/type.ts';
import { choicesOf, type Choice, colorAt } from '../field/type/select.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { OperationFacts } from '../../catalog/operation.sql.ts';

export interface TableAccess extends Access {
  baseId: string;
  spaceId: string;
  tableId: string;
}

export const tableOf = (context: Context): Promise<TableSchema> => {
  const { baseId, tableId } = context.access as TableAccess;
  return context.catalog.get(context.db, baseId, tableId);
};

export const operationOf = (context: Context, kind: OperationFacts['kind']): OperationFacts => ({
  publicId: context.newId('opr'),
  kind,
  actor: context.principal.userId,
  tokenId: context.principal.tokenId,
  clientId: context.principal.clientId,
});

export const refuseTooMany = (count: number, limit: number): void => {
  if (count > limit) throw invalid({ path: 'records', message: `Expected at most ${limit} records in one request, got ${count}`, expected: `at most ${limit} records` });
};

/** Choices that a request adds, by field: filled while its cells are read. */
export type NewChoices = Map<FieldSchema, Map<string, Choice>>;

export const cellContext = (context: Context, people: readonly Person[], added: NewChoices): CellContext => ({
  now: context.now(),
  callerId: context.principal.userId,
  people,
  addChoice(field, name) {
    const choices = added.get(field) ?? new Map<string, Choice>();
    added.set(field, choices);
    if (!choices.has(name)) choices.set(name, { id: newId('cho'), name, color: colorAt(choicesOf(field.options).length + choices.size) });
    return name;
  },
});

/** Turns the faults that an outdated schema causes into `Stale`, which makes the request start over. */
export const retryWhenStale = async <T>(context: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { tableId } = context.access as TableAccess;
    if (error instanceof Stale) context.catalog.forget(tableId);
    if (isOfOldSchema(error) || sqlState(error) === '22012') {
      context.catalog.forget(tableId);
      throw new Stale('schema');
    }
    throw error;
  }
};

/** Every key that any row uses. */
export const keysOf = (rows: readonly { fields: Record<string, unknown> }[]): ReadonlySet<string> => {
  const keys = new Set<string>();
  for (const { fields } of rows) for (const key of Object.keys(fields)) keys.add(key);
  return keys;
};

/** One statement needs no transaction of its own; several do. */
export const inTransaction = <T>(context: Context, needed: boolean, work: (db: Queryable) => Promise<T>): Promise<T> =>
  needed ? context.db.transaction(work) : work(context.db);
