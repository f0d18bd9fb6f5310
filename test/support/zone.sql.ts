// What PostgreSQL knows of time zones. Wall times are milliseconds, as in contract/zone.ts.
import { many, type Queryable } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { zoneName } from '@rowhouse/contract/zone.ts';

export const zonesOfPostgres = async (db: Queryable): Promise<string[]> =>
  (await many<{ name: string }>(db, sql`select name from pg_timezone_names order by name`)).map(({ name }) => name);

const epoch = sql`timestamptz '1970-01-01 00:00:00Z'`;
const face = sql`timestamp '1970-01-01 00:00:00'`;

/** Exact, unlike to_timestamp, which takes a double. */
const span = (ms: ReturnType<typeof sql>) =>
  sql`make_interval(days => (${ms} / 86400000)::int, secs => (${ms} % 86400000)::numeric::float8 / 1000)`;

const numbers = async (db: Queryable, statement: ReturnType<typeof sql>): Promise<number[]> =>
  (await many<{ ms: string }>(db, statement)).map(({ ms }) => Math.round(Number(ms)));

export const wallsIn = (db: Queryable, zone: string, instants: readonly number[]): Promise<number[]> =>
  numbers(
    db,
    sql`select extract(epoch from (((${epoch} at time zone 'UTC') + ${span(sql`i`)}) at time zone 'UTC') at time zone ${zoneName(zone)}::text)::numeric * 1000 as ms
                  from unnest(${instants}::bigint[]) with ordinality as given (i, at) order by at`,
  );

export const instantsIn = (db: Queryable, zone: string, walls: readonly number[]): Promise<number[]> =>
  numbers(
    db,
    sql`select extract(epoch from (${face} + ${span(sql`w`)}) at time zone ${zoneName(zone)}::text)::numeric * 1000 as ms
                  from unnest(${walls}::bigint[]) with ordinality as given (w, at) order by at`,
  );
