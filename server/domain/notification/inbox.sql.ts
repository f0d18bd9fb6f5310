// What the live feed of notifications reads.
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { isHidden, type NotificationRow } from './notification.sql.ts';

export interface InboxRow {
  userId: string;
  unread: number;
  lastSeq: number;
  version: number;
}

/** Inboxes that are not of the version they were; people without one were never told anything. */
export const selectChangedInboxes = (db: Queryable, known: ReadonlyMap<string, number>): Promise<InboxRow[]> =>
  many<InboxRow>(
    db,
    sql`select i.user_id as "userId", i.unread, i.last_seq as "lastSeq", i.version
        from unnest(${[...known.keys()]}::text[], ${[...known.values()]}::bigint[]) as k (user_id, version)
        join rowhouse.inboxes i on i.user_id = k.user_id and i.version <> k.version`,
  );

/** The newest notification; 0 for people who were never told anything. */
export const selectLastSeq = async (db: Queryable, userId: string): Promise<number> =>
  (await maybe<{ seq: number }>(db, sql`select last_seq as seq from rowhouse.inboxes where user_id = ${userId}`))
    ?.seq ?? 0;

/** In one snapshot: the inbox, and what came after `seq`, oldest first. */
export const selectInboxSince = async (
  db: Queryable,
  userId: string,
  seq: number,
  limit: number,
): Promise<InboxRow & { missed: (NotificationRow & { isOld: boolean })[] }> => {
  const rows = await many<InboxRow & { missed: (NotificationRow & { isOld: boolean })[] }>(
    db,
    sql`select ${userId} as "userId", coalesce(i.unread, 0) as unread, coalesce(i.last_seq, 0) as "lastSeq", coalesce(i.version, 0) as version,
               (select coalesce(json_agg(json_build_object(
                         'id', n.id, 'seq', n.seq, 'type', n.type, 'isHidden', ${isHidden}, 'message', n.message, 'path', n.path, 'isRead', n.is_read,
                         'createdTime', to_char(n.created_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                         'actorId', n.actor_id, 'actorName', a.name, 'actorAvatar', a.avatar,
                         'isOld', n.created_time < now() - interval '15 minutes') order by n.seq), '[]')
                from (select * from rowhouse.notifications where user_id = ${userId} and seq > ${seq} order by seq limit ${limit}) n
                left join rowhouse.users a on a.id = n.actor_id) as missed
        from (select 1) one left join rowhouse.inboxes i on i.user_id = ${userId}`,
  );
  return rows[0] as InboxRow & { missed: (NotificationRow & { isOld: boolean })[] };
};
