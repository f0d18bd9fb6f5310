// Deletes records: rows locked in id order, removed, and the operation written, in one statement.
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Guard, holds } from './guard.sql.ts';
import { insertOperation, type OperationFacts } from '../../catalog/operation.sql.ts';

export const deleteRows = (db: Queryable, guard: Guard, ids: readonly string[], json: Sql, operation: OperationFacts): Promise<{ id: string; json: string }[]> => {
  const { table } = guard;
  const target = sql.id(table.baseId, table.dbTableName);
  const count = sql`(select count(*)::int / (case when count(*) in (0, ${ids.length}) then 1 else 0 end) from del)`;
  return db.query(
    sql`with del as (
          delete from ${target} p
          using (select __id as old_id from ${target} where __id = any(${ids}::text[]) order by __id for update) o
          where o.old_id = p.__id and ${holds(guard)}
            and (select count(*) from ${target} where __id = any(${ids}::text[])) = ${ids.length}
          returning p.*
        ), op as (
          ${insertOperation(table, operation, count, sql`-(select count(*)::int from del)`, sql`${ids}::text[]`)}
        )
        select del.__id as id, ${json} as json from del`,
    { prepare: true },
  );
};
