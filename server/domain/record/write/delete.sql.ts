// Deletes records: rows locked in id order, removed, kept for anyone who wants them back, and the operation written, in one
// statement.
import { inTwoPhases } from '../../../db/cluster-form.ts';
import { one, type Queryable } from '../../../db/db.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { sql } from '../../../db/sql.ts';
import { isLink } from '../../cell/linked.sql.ts';
import { maskedRows, seenSql } from '../../query/condition.sql.ts';
import { all } from '../../query/filter.sql.ts';
import { recordJson, storedRecordJson } from '../read/json.sql.ts';
import { giveRows } from '../../plan/quota.sql.ts';
import { countOrTakeBack, type Guard, holds } from '../../../pipeline/guard.sql.ts';
import { insertOperation, type OperationFacts, operationPart } from '../../../catalog/operation.sql.ts';
import { permitted } from './permits.sql.ts';
import { deletedRowsPart, insertDeletedRows, rowJson } from './deleted-record.sql.ts';

export interface DeletedRow {
  id: string;
  /** The record without its closing brace. */
  json: string;
}

/** Records that the caller sees and may delete; null for all. */
const deletable = (sight: Sight) => all([seenSql(sight), permitted(sight, 'delete')]);

/** The whole record is kept; the answer shows what the caller sees of it, or only its id. */
export const deleteRows = (
  db: Queryable,
  sight: Sight,
  guard: Guard,
  ids: readonly string[],
  operation: OperationFacts,
  answered: 'records' | 'ids' = 'records',
): Promise<DeletedRow[]> => {
  const { table } = guard;
  const target = sql.id(table.baseId, table.dbTableName);
  // Behind a subselect the planner does not see how many there are, and plans once for all requests.
  const wanted = sql`(select ${ids}::text[])::text[]`;
  const condition = deletable(sight);
  // What the caller does not see is not there. As a `case`, as in updates.
  const [oldId, isSeen] =
    condition === null
      ? [sql`__id`, sql.empty]
      : [sql`case when ${condition} then __id end`, sql` filter (where ${condition})`];
  const stored = storedRecordJson(table, 'del');
  // Links to a table in the trash are kept with the record; nobody is shown what they led to.
  const isAsKept =
    sight.hasAllFields &&
    sight.seesCells &&
    sight.seesEmails &&
    !table.fields.some((field) => isLink(field) && field.computed?.state === 'broken');
  const shown = isAsKept ? sql`json` : sql`answer`;
  const json = recordJson(sight, 'del', { fields: sight.fields, keyType: 'id', format: 'json' });
  const seen = sight.isMasked ? sql`(select ${json} from ${maskedRows(sight, sql`(select del.*)`, 'del')})` : json;
  const answer = isAsKept ? sql.empty : sql`, ${seen} as answer`;
  const allThere = sql`(select count(*)${isSeen} from ${target} r where __id = any(${wanted}) ) = ${ids.length}`;
  // Rows that somebody else deleted while this statement waited for them: it must not give back what is not deleted.
  const count = sql`(select ${countOrTakeBack(sql`count(*)`, sql`count(*) = ${ids.length} * (select count(*) from quota)`)} from del)`;
  const op = operationPart(table, operation, count, sql`-(select count(*)::int from del)`, sql`${ids}::text[]`);
  const kept = deletedRowsPart(table);
  return db.query(
    sql`with quota as (
          ${giveRows(guard.spaceId, ids.length, sql`${holds(guard)} and ${allThere}`)}
        ), ${inTwoPhases(table.baseId)}del as (
          delete from ${target} p
          using (select ${oldId} as old_id from ${target} r where __id = any(${wanted})  order by __id for update) o
          where o.old_id = p.__id and exists (select from quota)
          returning p.*
        ), ${op.before}op as (
          ${op.insert}
        ), shown as materialized (
          select del.__id as id, del.__auto_number as number, ${stored} as json, ${rowJson(table, 'del')} as rest${answer} from del
        ), ${kept.before}kept as (
          ${kept.insert}
        )
        select id, ${answered === 'ids' ? sql`''` : shown} as json from shown`,
    { prepare: condition === null && sight.isWhole },
  );
};

/** For one transaction: its statements may take as long as those of a change of the schema. */
export const allowLong = async (tx: Queryable): Promise<void> => {
  await tx.query(
    sql`select set_config('statement_timeout', coalesce(current_setting('rowhouse.long_statement_timeout', true), '0'), true)`,
  );
};

interface Locked {
  /** False: the guard does not hold, or not all of them are there. Nothing was written. */
  isBegun: boolean;
  /** In the order of their numbers. Fewer than asked for when somebody deleted one while this waited for its row. */
  ids: string[];
}

/** The beginning of a deletion in parts: the rows give back their quota and are locked in id order. */
export const lockForDeletion = (tx: Queryable, sight: Sight, guard: Guard, ids: readonly string[]): Promise<Locked> => {
  const condition = deletable(sight);
  const meant = sql`from ${sql.id(guard.table.baseId, guard.table.dbTableName)} r where __id = any((select ids from wanted)::text[]) ${condition === null ? sql.empty : sql`and ${condition}`}`;
  return one<Locked>(
    tx,
    sql`with wanted as materialized (
          select ${ids}::text[] as ids
        ), quota as (
          ${giveRows(guard.spaceId, ids.length, sql`${holds(guard)} and (select count(*) ${meant}) = ${ids.length}`)}
        ), ${inTwoPhases(guard.table.baseId)}locked as materialized (
          select __id as id, __auto_number as number ${meant} and exists (select from quota) order by __id for update of r
        )
        select exists (select from quota) as "isBegun", array(select id from locked order by number) as ids`,
  );
};

/** After all rows are locked, as everywhere. Answers its number. */
export const beginDeletion = async (
  tx: Queryable,
  { table }: Guard,
  ids: readonly string[],
  operation: OperationFacts,
): Promise<number> =>
  (
    await one<{ id: number }>(
      tx,
      insertOperation(table, operation, ids.length, sql`-${ids.length}::int`, sql`${ids}::text[]`),
    )
  ).id;

/** Some of the rows that are locked; `before` them others were deleted by the same operation. */
export const deletePart = async (
  tx: Queryable,
  { table }: Guard,
  opId: number,
  ids: readonly string[],
  before: number,
): Promise<void> => {
  await tx.query(
    sql`with del as (
          delete from ${sql.id(table.baseId, table.dbTableName)} p where p.__id = any(${ids}::text[]) returning p.*
        ), op as (
          select ${opId}::bigint as id
        ), shown as materialized (
          select del.__id as id, del.__auto_number as number, ${storedRecordJson(table, 'del')} as json, ${rowJson(table, 'del')} as rest from del
        )
        ${insertDeletedRows(table, before)}`,
  );
};
