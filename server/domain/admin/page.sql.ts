// A page of a list, and how many there are in all, in one statement. What is costly is asked for the rows of the page alone.
import { one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface Page {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface Paged<Row> {
  data: Row[];
  total: number;
  page: number;
  pageSize: number;
}

/** What a text to search for means in `ilike`: itself, anywhere. */
export const anywhere = (search: string): string => `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** `found`: a select; `order`: by its columns; `shown`: the columns of a row, of `p`. Times are those of JSON. */
export const selectPage = async <Row>(
  db: Queryable,
  { found, order, shown }: { found: Sql; order: Sql; shown: Sql },
  { page = 1, pageSize = 10 }: Page,
): Promise<Paged<Row>> => {
  const { data, total } = await one<{ data: Row[]; total: number }>(
    db,
    sql`with found as materialized (${found}),
        page as (select f.*, row_number() over (order by ${order}) as place from found f order by place limit ${pageSize} offset ${(page - 1) * pageSize}::bigint),
        shown as (select p.place, to_jsonb(details) as details from page p cross join lateral (select ${shown}) details)
        select (select count(*)::int from found) as total, coalesce((select jsonb_agg(details order by place) from shown), '[]'::jsonb) as data`,
  );
  return { data, total, page, pageSize };
};

/** As the API writes times; those that PostgreSQL puts into JSON have another form. */
export const timeOf = (time: string): string => new Date(time).toISOString();
export const timeOrNull = (time: string | null): string | null => (time === null ? null : timeOf(time));
