// Links to records that the writer does not see: they stay where they are, and nobody learns of them.
import type { Sight } from '../../../catalog/sight.ts';
import { rowsBeside } from '../../../catalog/sight.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { type Linked, linkedRows, recordsOf } from '../../cell/linked.sql.ts';
import { conditionSql } from '../../query/condition.sql.ts';

/** Of these records of the other side those that the caller does not see. */
export const selectUnseen = async (
  tx: Queryable,
  sight: Sight,
  { foreign }: Linked,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = rowsBeside(sight, foreign.id);
  if (rows === true || ids.length === 0) return [];
  const found = await many<{ id: string }>(
    tx,
    sql`select r.__id as id from ${recordsOf(foreign)} r where r.__id = any(${ids}::text[]) and (${conditionSql(rows, foreign, sight.asker)}) is not true`,
  );
  return found.map(({ id }) => id);
};

/** The links of records of this side that lead to what the caller does not see, in their order. */
export const selectHiddenLinks = async (
  tx: Queryable,
  sight: Sight,
  linked: Linked,
  own: readonly string[],
): Promise<{ own: string; foreign: string }[]> => {
  const rows = rowsBeside(sight, linked.foreign.id);
  if (rows === true || own.length === 0) return [];
  const { from, where, order } = linkedRows(linked, (column) => sql.id('p', column), 't');
  return many(
    tx,
    sql`select p.__id as own, t.__id as foreign from ${recordsOf(linked.own)} p, ${from}
        where p.__id = any(${own}::text[]) and ${where} and (${conditionSql(rows, linked.foreign, sight.asker, 't')}) is not true
        order by p.__id, ${order}`,
  );
};
