// Which time zones PostgreSQL knows: its time zone database and that of Node are of different years, and some systems leave
// old names out. A name that it does not know fails every statement it is in.
import { zoneName } from '@rowhouse/contract/zone.ts';
import { many, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

let known: Promise<ReadonlySet<string>> | undefined;

/** Asked once per process: PostgreSQL reads some 600 files for it, which takes 30 to 80 ms. */
const knownZones = (db: Queryable): Promise<ReadonlySet<string>> => {
  known ??= many<{ name: string }>(db, sql`select lower(name) as name from pg_timezone_names`).then(
    (rows) => new Set(rows.map(({ name }) => name)),
    (error: unknown) => {
      known = undefined;
      throw error;
    },
  );
  return known;
};

export const knowsZone = async (db: Queryable, timeZone: string): Promise<boolean> =>
  timeZone.toLowerCase() === 'utc' || (await knownZones(db)).has(zoneName(timeZone).toLowerCase());
