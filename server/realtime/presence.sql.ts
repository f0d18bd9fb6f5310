// The one writer of rowhouse.presence. Rows that were not renewed are those of a process that died: they do not count.
import { many, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

/** Several renewals may be missed before a process counts as dead. */
const goodFor = sql`interval '20 seconds'`;

export interface Visit {
  tableId: string;
  userId: string;
}

const given = (visits: readonly Visit[]) =>
  sql`unnest(${visits.map(({ tableId }) => tableId)}::text[], ${visits.map(({ userId }) => userId)}::text[]) as given (table_id, user_id)`;

export const enterVisits = async (db: Queryable, process: string, visits: readonly Visit[]): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.presence (process, table_id, user_id) select ${process}, table_id, user_id from ${given(visits)} order by table_id, user_id
        on conflict (table_id, user_id, process) do update set renewed_time = clock_timestamp()`,
  );
};

export const leaveVisits = async (db: Queryable, process: string, visits: readonly Visit[]): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.presence p using ${given(visits)} where p.process = ${process} and p.table_id = given.table_id and p.user_id = given.user_id`,
  );
};

export const leaveEverywhere = async (db: Queryable, process: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.presence where process = ${process}`);
};

export const removeDead = async (db: Queryable): Promise<void> => {
  await db.query(sql`delete from rowhouse.presence where renewed_time < clock_timestamp() - ${goodFor}`);
};

/** Who has each table open, through whichever process, as the JSON of a list; tables that nobody has open are left out. */
export const selectPresent = async (db: Queryable, tableIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ tableId: string; users: string }>(
    db,
    sql`select here.table_id as "tableId", json_agg(json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar) order by u.name, u.id)::text as users
        from (select distinct table_id, user_id from rowhouse.presence
              where table_id = any(${tableIds}::text[]) and renewed_time >= clock_timestamp() - ${goodFor}) here
        join rowhouse.users u on u.id = here.user_id and u.deactivated_time is null
        group by here.table_id`,
  );
  return new Map(rows.map(({ tableId, users }) => [tableId, users]));
};
