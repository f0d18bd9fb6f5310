import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Letter {
  id: string;
  email: string;
  name: string;
  message: string;
  path: string;
  tries: number;
}

/** Marked before anything is sent: a crash in between loses a letter rather than sending it twice. */
export const takeLetters = (db: Queryable, limit: number): Promise<Letter[]> =>
  many<Letter>(
    db,
    sql`update rowhouse.notifications n set mail = 'sending', mail_tries = mail_tries + 1
        from rowhouse.users u
        where u.id = n.user_id and n.id in (
          select id from rowhouse.notifications where mail = 'pending' and mail_time <= now() order by mail_time limit ${limit} for update skip locked)
        returning n.id, u.email, u.name, n.message, n.path, n.mail_tries as tries`,
  );

export const markSent = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`update rowhouse.notifications set mail = 'sent', mail_time = now() where id = ${id}`);
};

/** To be tried again after `seconds`, or never with null. */
export const markUnsent = async (db: Queryable, id: string, seconds: number | null): Promise<void> => {
  await db.query(
    seconds === null
      ? sql`update rowhouse.notifications set mail = 'failed', mail_time = now() where id = ${id}`
      : sql`update rowhouse.notifications set mail = 'pending', mail_time = now() + ${seconds}::int * interval '1 second' where id = ${id}`,
  );
};
