import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Email {
  notificationId: string;
  address: string;
  name: string;
  message: string;
  path: string;
}

/** Undefined when the notification, or the person it is for, is gone. */
export const selectEmail = (db: Queryable, notificationId: string): Promise<Email | undefined> =>
  maybe<Email>(
    db,
    sql`select n.id as "notificationId", u.email as address, u.name, n.message, n.path
        from rowhouse.notifications n join rowhouse.users u on u.id = n.user_id where n.id = ${notificationId} and u.deactivated_time is null`,
  );
