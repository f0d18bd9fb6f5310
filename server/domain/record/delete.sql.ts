// Deletes records: rows locked in id order, removed, and the operation written, in one statement.
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { giveRows } from '../plan/quota.sql.ts';
import { type CountedGuard, holds } from './guard.sql.ts';
import { insertOperation, type OperationFacts } from '../../catalog/operation.sql.ts';

export const deleteRows = (db: Queryable, guard: CountedGuard, ids: readonly string[], json: Sql, operation: OperationFacts): Promise<{ id: string; json: string }[]> => {
  const { table } = guard;
  const target = sql.id(table.baseId, table.dbTableName);
  const allThere = sql`(select count(*) from ${target} where __id = any(${ids}::text[])) = ${ids.length}`;
  // Rows that somebody else deleted while this statement waited for them: it must not give back what is not deleted.
  const count = sql`(select count(*)::int / (case when count(*) = ${ids.length} * (select count(*) from quota) then 1 else 0 end) from del)`;
  return db.query(
    sql`with quota as (
          ${giveRows(guard.spaceId, ids.length, sql`${holds(guard)} and ${allThere}`)}
        ), del as (
          delete from ${target} p
          using (select __id as old_id from ${target} where __id = any(${ids}::text[]) order by __id for update) o
          where o.old_id = p.__id and exists (select from quota)
          returning p.*
        ), op as (
          ${insertOperation(table, operation, count, sql`-(select count(*)::int from del)`, sql`${ids}::text[]`)}
        )
        select del.__id as id, ${json} as json from del`,
    { prepare: true },
  );
};
