// The one writer of rowhouse.notifications and rowhouse.inboxes. Everything that changes what is unread holds the
// inbox of its user, so the count beside it is exact.
import { hasRoleOn } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { insertJobs } from '../../work/job.sql.ts';
import type { NotificationType } from './message.ts';

export interface NotificationRow {
  id: string;
  seq: number;
  type: NotificationType;
  /** It is about records of a base that its reader does not see, or not any more. */
  isHidden: boolean;
  message: string;
  path: string;
  isRead: boolean;
  createdTime: string;
  actorId: string | null;
  actorName: string | null;
  actorAvatar: string | null;
}

/** Of the row `n`: those that name records, for people who have lost their role on the base since. What they were told is rendered when they read it, as everything is. */
export const isHidden: Sql = sql`(n.type in ('comment', 'collaboratorCellTag', 'collaboratorMultiRowTag') and not exists (
  select from rowhouse.bases place
  where place.id = split_part(n.path, '/', 3) and place.deleted_time is null and ${hasRoleOn(sql`n.user_id`, sql`place.id, place.space_id`)}))`;

const columns: Sql = sql`n.id, n.seq, n.type, ${isHidden} as "isHidden", n.message, n.path, n.is_read as "isRead", n.created_time as "createdTime",
  n.actor_id as "actorId", a.name as "actorName", a.avatar as "actorAvatar"`;

export const emailKind = 'send-email';

export interface NewNotification {
  id: string;
  userId: string;
  type: NotificationRow['type'];
  message: string;
  path: string;
  actorId: string | null;
  /** The cause, where it could come twice: the second is left out. */
  source: string | null;
}

/**
 * One statement for many people; inboxes are locked in the order of user ids. `given` is oldest first, and so are their
 * numbers and times. Anyone who is gone or deactivated is left out. `byEmail`: also an e-mail to those who want one.
 */
export const insertNotifications = async (
  db: Queryable,
  given: readonly NewNotification[],
  byEmail: boolean,
): Promise<void> => {
  if (given.length === 0) return;
  const json = JSON.stringify(given);
  const wanted = sql`select n.*, u.notify_meta
    from rows from (jsonb_to_recordset(${json}::jsonb) as (id text, "userId" text, type text, message text, path text, "actorId" text, source text)) with ordinality
      as n (id, "userId", type, message, path, "actorId", source, at)
    join rowhouse.users u on u.id = n."userId" and u.deactivated_time is null
    where n.source is null or not exists (select from rowhouse.notifications known where known.source = n.source)`;
  const emails = sql`select 'job' || right(id, 16), ${emailKind}::text, jsonb_build_object('notificationId', id) from wanted
    where ${byEmail} and coalesce((notify_meta ->> 'email')::boolean, true)`;
  await db.query(
    sql`with wanted as (${wanted}),
        boxes as (
          insert into rowhouse.inboxes as i (user_id, unread, last_seq, version)
          select "userId", count(*), count(*), 1 from wanted group by "userId" order by "userId"
          on conflict (user_id) do update
          set unread = i.unread + excluded.unread, last_seq = i.last_seq + excluded.last_seq, version = i.version + 1
          returning user_id, last_seq
        ), emails as (${insertJobs(emails)})
        insert into rowhouse.notifications (id, user_id, seq, type, message, path, actor_id, source)
        select w.id, w."userId",
               b.last_seq - row_number() over (partition by w."userId" order by w.at desc) + 1,
               w.type, w.message, w.path, w."actorId", w.source
        from wanted w join boxes b on b.user_id = w."userId" order by w.at`,
  );
};

/** The page begins with `from`, the `seq` of a notification; newest first. */
export const selectNotifications = (
  db: Queryable,
  userId: string,
  page: { isRead: boolean; from: number | null; take: number },
): Promise<NotificationRow[]> =>
  many<NotificationRow>(
    db,
    sql`select ${columns} from rowhouse.notifications n left join rowhouse.users a on a.id = n.actor_id
        where n.user_id = ${userId} and ${page.isRead ? sql`n.is_read` : sql`not n.is_read`}
          ${page.from === null ? sql.empty : sql`and n.seq <= ${page.from}`}
        order by n.seq desc limit ${page.take}`,
  );

export const selectSeq = async (db: Queryable, userId: string, id: string): Promise<number | undefined> =>
  (
    await maybe<{ seq: number }>(
      db,
      sql`select seq from rowhouse.notifications where id = ${id} and user_id = ${userId}`,
    )
  )?.seq;

export const selectUnread = async (db: Queryable, userId: string): Promise<number> =>
  (
    await db.query<{ unread: number }>(sql`select unread from rowhouse.inboxes where user_id = ${userId}`, {
      prepare: true,
    })
  )[0]?.unread ?? 0;

export const lockInbox = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(sql`select from rowhouse.inboxes where user_id = ${userId} for no key update`);
};

/** Behind `lockInbox`. Undefined when the user has no such notification. */
export const updateRead = async (
  db: Queryable,
  userId: string,
  id: string,
  isRead: boolean,
): Promise<NotificationRow | undefined> => {
  await db.query(
    sql`with marked as (
          update rowhouse.notifications set is_read = ${isRead} where id = ${id} and user_id = ${userId} and is_read <> ${isRead} returning id
        )
        update rowhouse.inboxes set unread = unread ${sql.raw(isRead ? '-' : '+')} 1, version = version + 1
        where user_id = ${userId} and exists (select from marked)`,
  );
  return maybe<NotificationRow>(
    db,
    sql`select ${columns} from rowhouse.notifications n left join rowhouse.users a on a.id = n.actor_id where n.id = ${id} and n.user_id = ${userId}`,
  );
};

/** Behind `lockInbox`. */
export const updateAllRead = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(
    sql`with marked as (
          update rowhouse.notifications set is_read = true where user_id = ${userId} and not is_read returning id
        )
        update rowhouse.inboxes set unread = unread - (select count(*) from marked), version = version + 1
        where user_id = ${userId} and exists (select from marked)`,
  );
};

/** Answers how many went; call it until that is none. */
export const deleteOldRead = async (db: Queryable, days: number, limit: number): Promise<number> =>
  (
    await many(
      db,
      sql`delete from rowhouse.notifications where id in (
            select id from rowhouse.notifications where is_read and created_time < now() - ${days}::int * interval '1 day'
            order by created_time limit ${limit} for update skip locked)
          returning id`,
    )
  ).length;
