// The one writer of rowhouse.begun_sign_ins: people who were sent to a provider and are expected back.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface BegunKey {
  hash: Buffer;
  browserHash: Buffer;
  providerId: string;
}

interface Begun {
  redirect: string;
  /** Who links an identity; null: somebody signs in. */
  userId: string | null;
}

/** Those that have ended go. */
export const insertBegun = async (db: Queryable, begun: BegunKey & Begun & { minutes: number }): Promise<void> => {
  await db.query(
    sql`with ended as (
          delete from rowhouse.begun_sign_ins where hash in (select hash from rowhouse.begun_sign_ins where expires_time <= now() limit 100 for update skip locked)
        )
        insert into rowhouse.begun_sign_ins (hash, browser_hash, provider_id, redirect, user_id, expires_time)
        values (${begun.hash}, ${begun.browserHash}, ${begun.providerId}, ${begun.redirect}, ${begun.userId}, now() + make_interval(mins => ${begun.minutes}))`,
  );
};

/** Once, and only in the browser in which it began. */
export const takeBegun = (db: Queryable, { hash, browserHash, providerId }: BegunKey): Promise<Begun | undefined> =>
  maybe<Begun>(
    db,
    sql`delete from rowhouse.begun_sign_ins
        where hash = ${hash} and browser_hash = ${browserHash} and provider_id = ${providerId} and expires_time > now()
        returning redirect, user_id as "userId"`,
  );
