import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { isHidden, type NotificationRow } from './notification.sql.ts';

export interface Email extends Pick<NotificationRow, 'type' | 'isHidden' | 'message' | 'actorName'> {
  notificationId: string;
  address: string;
  name: string;
  path: string;
}

/** Undefined when the notification, or the person it is for, is gone. */
export const selectEmail = (db: Queryable, notificationId: string): Promise<Email | undefined> =>
  maybe<Email>(
    db,
    sql`select n.id as "notificationId", u.email as address, u.name, n.type, ${isHidden} as "isHidden", n.message, n.path, a.name as "actorName"
        from rowhouse.notifications n join rowhouse.users u on u.id = n.user_id left join rowhouse.users a on a.id = n.actor_id where n.id = ${notificationId} and u.deactivated_time is null`,
  );
