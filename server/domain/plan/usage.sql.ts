// What a space uses, exactly, at the moment of the question.
import { peopleOfSpace, seatRoles } from '../../catalog/role.sql.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface Usage {
  numRows: number;
  attachmentSize: number;
  numDatabaseConnections: number;
  numCollaborators: number;
}

/** Bytes of the files that the bases of a space mention, in cells or in what can be brought back: each file once. */
export const fileBytes = (spaceId: Sql): Sql =>
  sql`(select coalesce(sum(f.size), 0)::bigint from rowhouse.files f
       where f.token in (select u.token from rowhouse.file_uses u join rowhouse.bases b on b.id = u.base_id where b.space_id = ${spaceId}))`;

/** The columns of `Usage`. */
export const usageOf = (spaceId: Sql): Sql =>
  sql`(select coalesce(sum(used), 0)::bigint from rowhouse.row_quota where space_id = ${spaceId}) as "numRows",
      ${fileBytes(spaceId)} as "attachmentSize",
      (select count(*) from rowhouse.base_connections c join rowhouse.bases b on b.id = c.base_id
       where b.space_id = ${spaceId} and b.deleted_time is null) as "numDatabaseConnections",
      (select count(distinct user_id) from (${peopleOfSpace(spaceId)}) p) as "numCollaborators"`;

export const selectUsage = (db: Queryable, spaceId: string): Promise<Usage> =>
  one<Usage>(db, sql`select ${usageOf(sql`${spaceId}`)}`);

/** People whose role takes a seat: owners, creators and editors, as `billable` of a collaborator says. */
export const selectSeats = async (db: Queryable, spaceId: string): Promise<number> =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(distinct user_id) as n from (${peopleOfSpace(sql`${spaceId}`)}) p where role in ${seatRoles}`,
    )
  ).n;

export const selectSeatsOf = async (db: Queryable, spaceIds: readonly string[]): Promise<Map<string, number>> => {
  const rows = await many<{ spaceId: string; n: number }>(
    db,
    sql`select s.id as "spaceId", (select count(distinct user_id) from (${peopleOfSpace(sql`s.id`)}) p where role in ${seatRoles}) as n
        from rowhouse.spaces s where s.id = any(${spaceIds}::text[])`,
  );
  return new Map(rows.map(({ spaceId, n }) => [spaceId, n]));
};
