// The one writer of rowhouse.usage_samples: what spaces used at the end of each day.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { type Usage, usageOf } from './usage.sql.ts';

interface UsageSample extends Usage {
  /** `2030-12-31`, in UTC. */
  day: string;
}

/**
 * For every space without a sample of `day`: what it uses now. Days since its last sample on which no server ran get
 * the same, for nothing has changed meanwhile. Answers how many spaces there were.
 */
export const insertSamples = async (db: Queryable, day: string): Promise<number> => {
  const rows = await many<{ spaces: number }>(
    db,
    sql`with due as (
          select s.id, coalesce((select max(u.day) + 1 from rowhouse.usage_samples u where u.space_id = s.id), ${day}::date) as since
          from rowhouse.spaces s
          where s.deleted_time is null and s.created_time < (${day}::date + 1)::timestamp at time zone 'UTC'
            and not exists (select from rowhouse.usage_samples u where u.space_id = s.id and u.day >= ${day}::date)
          order by s.id
        ), counted as materialized (
          select due.id, due.since, used.* from due, lateral (select ${usageOf(sql`due.id`)}) used
        ), made as (
          insert into rowhouse.usage_samples (space_id, day, num_rows, attachment_size, num_database_connections, num_collaborators)
          select c.id, c.since + n, c."numRows", c."attachmentSize", c."numDatabaseConnections", c."numCollaborators"
          from counted c, generate_series(0, ${day}::date - c.since) n
          on conflict do nothing
        )
        select count(*) as spaces from due`,
  );
  return rows[0]?.spaces ?? 0;
};

export const deleteSamplesBefore = async (db: Queryable, day: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.usage_samples where day < ${day}::date`);
};

/** Oldest first. */
export const selectSamples = (db: Queryable, spaceId: string, since: string, before: string): Promise<UsageSample[]> =>
  many<UsageSample>(
    db,
    sql`select to_char(day, 'YYYY-MM-DD') as day, num_rows as "numRows", attachment_size as "attachmentSize",
               num_database_connections as "numDatabaseConnections", num_collaborators as "numCollaborators"
        from rowhouse.usage_samples where space_id = ${spaceId} and day >= ${since}::date and day < ${before}::date order by rowhouse.usage_samples.day`,
  );
