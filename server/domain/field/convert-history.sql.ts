// The history of a conversion: what every cell was goes in before, what it became is filled in afterwards,
// and what stayed the same is taken out again. All of it in the base's own schema and transaction.
import type { OperationFacts } from '../../catalog/operation.sql.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { byTheCoordinator } from '../../db/cluster-form.ts';
import { one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { tableOf } from './column.sql.ts';
import { forStorage } from '../cell/type.ts';
import { cellTypeOf, columnOf, fieldTypeOf } from '../cell/types.ts';

const historyOf = (table: TableSchema): Sql => sql.id(table.baseId, `__history_${table.id}`);

/** Nobody writes records of this table until the transaction ends. */
export const lockRecords = async (tx: Queryable, table: TableSchema): Promise<void> => {
  await tx.query(sql`lock table ${tableOf(table)} in access exclusive mode`);
};

export const insertConversion = async (
  tx: Queryable,
  table: TableSchema,
  operation: OperationFacts,
): Promise<number> => {
  const row = await one<{ id: number }>(
    tx,
    sql`insert into ${sql.id(table.baseId, '__operation')} (public_id, table_id, kind, actor, token_id, client_id)
        values (${operation.publicId}, ${table.id}, ${operation.kind}, ${operation.actor}, ${operation.tokenId}, ${operation.clientId}) returning id`,
  );
  return row.id;
};

/** Cells that are computed have no history: they count as empty. */
const cellJson = (field: FieldSchema): Sql | undefined =>
  fieldTypeOf(field).isComputed && fieldTypeOf(field).isOnlyKept !== true
    ? undefined
    : cellTypeOf(field).json(columnOf(field, 'r'), field, forStorage);

export const insertBefore = async (
  tx: Queryable,
  table: TableSchema,
  from: FieldSchema,
  opId: number,
  metaId: number,
): Promise<void> => {
  const json = cellJson(from);
  if (json === undefined) return;
  await tx.query(
    sql`insert into ${historyOf(table)} (op_id, seq, record_id, meta_id, before_meta_id, before)
        select ${opId}::bigint, row_number() over (order by r.__auto_number), r.__id, ${metaId}::int, ${metaId}::int, ${json} from ${tableOf(table)} r
        where ${columnOf(from, 'r')} is not null and ${byTheCoordinator}`,
  );
};

/**
 * Answers how many cells the conversion changed. There is an entry for each cell that was filled. An empty one stays empty, except
 * when the field was computed, or when old cells came back: then entries are added for cells that have none.
 */
export const completeConversion = async (
  tx: Queryable,
  table: TableSchema,
  conversion: { from: FieldSchema; to: FieldSchema; opId: number; metaId: number; fillsEmpty: boolean },
): Promise<number> => {
  const { from, to, opId, metaId, fillsEmpty } = conversion;
  const history = historyOf(table);
  const json = cellJson(to);
  if (json === undefined) {
    await tx.query(sql`update ${history} h set meta_id = ${metaId}::int where h.op_id = ${opId}::bigint`);
  } else {
    await tx.query(
      sql`update ${history} h set meta_id = ${metaId}::int, after = n.after from (select r.__id as id, ${json} as after from ${tableOf(table)} r offset 0) n where h.op_id = ${opId}::bigint and n.id = h.record_id`,
    );
    if (fillsEmpty || cellJson(from) === undefined) {
      await tx.query(
        sql`insert into ${history} (op_id, seq, record_id, meta_id, after)
            select ${opId}::bigint, (select coalesce(max(seq), 0) from ${history} where op_id = ${opId}::bigint) + row_number() over (order by r.__auto_number), r.__id, ${metaId}::int, ${json}
            from ${tableOf(table)} r
            where ${columnOf(to, 'r')} is not null and ${byTheCoordinator} and not exists (select 1 from ${history} h where h.op_id = ${opId}::bigint and h.record_id = r.__id)`,
      );
    }
  }
  await tx.query(sql`delete from ${history} where op_id = ${opId}::bigint and before is not distinct from after`);
  const { count } = await one<{ count: number }>(
    tx,
    sql`select count(*)::int as count from ${history} where op_id = ${opId}::bigint`,
  );
  if (count === 0) await tx.query(sql`delete from ${sql.id(table.baseId, '__operation')} where id = ${opId}::bigint`);
  return count;
};
