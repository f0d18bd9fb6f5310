// Deletes records: rows locked in id order, removed, kept for whoever wants them back, and the operation written, in one
// statement.
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { giveRows } from '../plan/quota.sql.ts';
import { type CountedGuard, holds } from './guard.sql.ts';
import { insertOperation, type OperationFacts } from '../../catalog/operation.sql.ts';
import { keepRows, rowJson } from './kept.sql.ts';

export const deleteRows = (db: Queryable, guard: CountedGuard, ids: readonly string[], json: Sql, operation: OperationFacts): Promise<{ id: string; json: string }[]> => {
  const { table } = guard;
  const target = sql.id(table.baseId, table.dbTableName);
  // Behind a subselect the planner does not see how many there are, and plans once for all requests.
  const wanted = sql`(select ${ids}::text[])::text[]`;
  const allThere = sql`(select count(*) from ${target} where __id = any(${wanted})) = ${ids.length}`;
  // Rows that somebody else deleted while this statement waited for them: it must not give back what is not deleted.
  const count = sql`(select count(*)::int / (case when count(*) = ${ids.length} * (select count(*) from quota) then 1 else 0 end) from del)`;
  return db.query(
    sql`with quota as (
          ${giveRows(guard.spaceId, ids.length, sql`${holds(guard)} and ${allThere}`)}
        ), del as (
          delete from ${target} p
          using (select __id as old_id from ${target} where __id = any(${wanted}) order by __id for update) o
          where o.old_id = p.__id and exists (select from quota)
          returning p.*
        ), op as (
          ${insertOperation(table, operation, count, sql`-(select count(*)::int from del)`, sql`${ids}::text[]`)}
        ), shown as materialized (
          select del.__id as id, del.__auto_number as number, ${json} as json, ${rowJson(table, 'del')} as rest from del
        ), kept as (
          ${keepRows(table)}
        )
        select id, json from shown`,
    { prepare: true },
  );
};
