import type { ChartDataOf } from '@rowhouse/contract/chart-data.ts';
import type { Sight } from '../../catalog/sight.ts';
import { one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { whereSql } from '../query/filter.sql.ts';
import { orderSql, type SortKey } from '../query/sort-key.sql.ts';
import { largeCellBytes, recordJson, type Shape, unlessTooLarge } from '../record/read/json.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

type Listed = ChartDataOf<'records'>['records'];

/** The first records, and how many there are. */
export const selectListed = async (
  db: Queryable,
  sight: Sight,
  shape: Shape,
  where: Sql | null,
  keys: readonly SortKey[],
  take: number,
): Promise<{ records: Listed; total: number }> => {
  const order = orderSql(keys);
  const ofEach = largeCellBytes(shape.fields, 'r');
  const bytes = ofEach === null ? null : sql`(sum(${ofEach}) over ())::bigint`;
  const { records, total } = await one<{ records: string | null; total: number }>(
    db,
    sql`select (select count(*) from ${seenRows(sight)} r ${whereSql(where)}) as total,
               (select string_agg(p.json || '}', ',' order by p.at) from (
                  select ${unlessTooLarge(bytes, recordJson(sight, 'r', shape))} as json, row_number() over (order by ${order}) as at
                  from (select r.* from ${seenRows(sight)} r ${whereSql(where)} order by ${order} limit ${sql.integer(take)}) r
                ) p) as records`,
    { base: sight.table.baseId },
  );
  return { records: JSON.parse(`[${records ?? ''}]`) as Listed, total };
};
