// Days of a calendar: how many records each has.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { columnOf } from '../cell/types.ts';
import { whereSql } from '../query/filter.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

export interface Days {
  start: FieldSchema;
  end: FieldSchema;
  zone: string;
  from: string;
  until: string;
}

const dayOf = (moment: Sql, zone: string): Sql => sql`timezone(${zone}, ${moment})::date`;

/** Records that touch the days, with their first and last day there. */
const spans = (sight: Sight, { start, end, zone, from, until }: Days, where: Sql | null): Sql => {
  const [first, last] = [columnOf(start, 'r'), columnOf(end, 'r')];
  return sql`select r.__id as id, r.__auto_number as place, greatest(${dayOf(first, zone)}, ${dayOf(sql`${from}::timestamptz`, zone)}) as first,
                    least(${dayOf(sql`coalesce(${last}, ${first})`, zone)}, ${dayOf(sql`${until}::timestamptz`, zone)}) as last
             from ${seenRows(sight)} r ${whereSql(where, sql`${first} is not null`)}`;
};

export const countDays = (db: Queryable, sight: Sight, days: Days, where: Sql | null): Promise<{ day: string; count: number }[]> =>
  many(
    db,
    sql`select to_char(day, 'YYYY-MM-DD') as day, count(*) as count from (${spans(sight, days, where)}) found, generate_series(found.first, found.last, interval '1 day') day group by 1 order by 1`,
  );

export const selectInDays = async (db: Queryable, sight: Sight, days: Days, where: Sql | null, most: number): Promise<string[]> =>
  (await many<{ id: string }>(db, sql`select id from (${spans(sight, days, where)}) found where first <= last order by first, place limit ${most}`)).map(({ id }) => id);
