// Many new records by COPY, for when nobody waits for them and nothing in them is computed: half the time of the statement that
// creates records for requests. Quota, guard and operation are statements beside it, in the same transaction.
import type { Tx } from '../../../db/db.ts';
import { insertOperation } from '../../../catalog/operation.sql.ts';
import { sql } from '../../../db/sql.ts';
import { columnOf, ownColumnOf } from '../../cell/types.ts';
import { takeRows } from '../../plan/quota.sql.ts';
import { type Guard, holds, lockForWriting } from '../../../pipeline/guard.sql.ts';
import type { Column } from './cells.ts';
import { computedOnInsert } from './formulas.sql.ts';
import type { CreateOperation, NewRows } from './insert.sql.ts';

export const canCopy = ({ sight: { table }, order }: Pick<NewRows, 'sight' | 'order'>): boolean =>
  order === null && computedOnInsert(table, () => undefined, sql`null`) === null;

const special = /[\\\n\r\t]/;
const specials: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => specials[character] as string) : text;

const textOf = (value: Column['values'][number], isJson: boolean): string => {
  if (value === null) return '\\N';
  if (isJson) return escaped(JSON.stringify(value));
  return typeof value === 'string' ? escaped(value) : String(value);
};

/** Characters, more or less. */
const partSize = 65_536;

function* linesOf({ ids, columns }: NewRows, actor: string): Generator<Buffer> {
  const cells = columns.map(({ field, values }) => ({ values, isJson: ownColumnOf(field) === 'jsonb' }));
  let part = '';
  for (let index = 0; index < ids.length; index += 1) {
    part += `${ids[index]}\t${actor}`;
    for (const { values, isJson } of cells) part += `\t${textOf(values[index] ?? null, isJson)}`;
    part += '\n';
    if (part.length < partSize) continue;
    yield Buffer.from(part);
    part = '';
  }
  if (part !== '') yield Buffer.from(part);
}

/** False, with nothing written, when the guard does not hold or there is no room. `isClaimedLater`: the caller takes the room for all of its copies at the end. */
export const copyRows = async (
  tx: Tx,
  guard: Guard,
  rows: NewRows,
  operation: CreateOperation,
  isClaimedLater: boolean,
): Promise<boolean> => {
  const { table } = guard;
  // From here on its columns stay as they are.
  await lockForWriting(tx, guard);
  const taken = await tx.query(
    isClaimedLater ? sql`select 1 where ${holds(guard)}` : takeRows(guard.spaceId, rows.ids.length, holds(guard)),
  );
  if (taken.length === 0) return false;
  const names = rows.columns.map(({ field }) => columnOf(field));
  await tx.copyIn(
    sql`copy ${sql.id(table.baseId, table.dbTableName)} (${sql.join([sql`__id`, sql`__created_by`, ...names])}) from stdin`,
    linesOf(rows, operation.actor),
  );
  await tx.query(
    insertOperation(table, operation, rows.ids.length, sql`${operation.count}::int`, sql`${rows.ids}::text[]`),
  );
  return true;
};
