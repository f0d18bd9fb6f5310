// The one writer of __comment_subscription.
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { pushedInsert } from '../../db/cluster-form.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { factsSql, type Guard, holds, type ReadFacts } from '../../pipeline/guard.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

const subscriptionsOf = ({ baseId }: Pick<TableSchema, 'baseId'>): Sql => sql.id(baseId, '__comment_subscription');

const isSeen = (sight: Sight, recordId: string): Sql =>
  sql`exists (select 1 from ${seenRows(sight)} r where r.__id = ${recordId})`;

export const selectSubscription = (
  db: Queryable,
  sight: Sight,
  recordId: string,
): Promise<ReadFacts & { isSeen: boolean; isSubscribed: boolean }> =>
  one(
    db,
    sql`select ${factsSql(sight.table, { userId: sight.asker.userId, spaceId: sight.spaceId })}, ${isSeen(sight, recordId)} as "isSeen",
               exists (select 1 from ${subscriptionsOf(sight.table)} s where s.table_id = ${sight.table.id} and s.record_id = ${recordId} and s.user_id = ${sight.asker.userId}) as "isSubscribed"`,
  );

/** False: the guard does not hold, or the caller sees no such record. */
export const insertSubscription = async (
  db: Queryable,
  sight: Sight,
  guard: Guard,
  recordId: string,
): Promise<boolean> => {
  const added = pushedInsert(
    guard.table.baseId,
    'added',
    sql`select ${guard.table.id}, ${recordId}, ${guard.userId} from here`,
    3,
  );
  const { may } = await one<{ may: boolean }>(
    db,
    sql`with here as materialized (
          select 1 where ${holds(guard)} and ${isSeen(sight, recordId)}
        ), ${added.before}added as (
          insert into ${subscriptionsOf(guard.table)} (table_id, record_id, user_id) ${added.select} on conflict do nothing
        )
        select exists (select from here) as may`,
  );
  return may;
};

/** False: the guard does not hold, or the caller sees no such record. */
export const deleteSubscription = async (
  db: Queryable,
  sight: Sight,
  guard: Guard,
  recordId: string,
): Promise<boolean> => {
  const { may } = await one<{ may: boolean }>(
    db,
    sql`with here as materialized (
          select 1 where ${holds(guard)} and ${isSeen(sight, recordId)}
        ), removed as (
          delete from ${subscriptionsOf(guard.table)} s using here where s.table_id = ${guard.table.id} and s.record_id = ${recordId} and s.user_id = ${guard.userId}
        )
        select exists (select from here) as may`,
  );
  return may;
};

export const selectSubscribers = async (
  db: Queryable,
  baseId: string,
  tableId: string,
  recordId: string,
): Promise<string[]> =>
  (
    await many<{ userId: string }>(
      db,
      sql`select user_id as "userId" from ${subscriptionsOf({ baseId })} where table_id = ${tableId} and record_id = ${recordId} order by user_id`,
    )
  ).map(({ userId }) => userId);
