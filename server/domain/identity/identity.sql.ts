// The one writer of rowhouse.identities.
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface IdentityRow {
  id: string;
  issuer: string;
  email: string | null;
  createdTime: string;
  lastUsedTime: string | null;
}

export const selectIdentities = (db: Queryable, userId: string): Promise<IdentityRow[]> =>
  many<IdentityRow>(
    db,
    sql`select id, issuer, email, to_json(created_time) #>> '{}' as "createdTime", to_json(last_used_time) #>> '{}' as "lastUsedTime"
        from rowhouse.identities where user_id = ${userId} order by created_time, id`,
  );

export const selectIdentityHolder = async (
  db: Queryable,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | undefined> =>
  (
    await maybe<{ userId: string }>(
      db,
      sql`select user_id as "userId" from rowhouse.identities where issuer = ${issuer} and subject = ${subject}`,
    )
  )?.userId;

/** False when somebody has it. */
export const insertIdentity = async (
  db: Queryable,
  identity: { id: string; userId: string; issuer: string; subject: string; email: string | null },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`insert into rowhouse.identities (id, user_id, issuer, subject, email)
        values (${identity.id}, ${identity.userId}, ${identity.issuer}, ${identity.subject}, ${identity.email})
        on conflict (issuer, subject) do nothing returning id`,
  )) !== undefined;

/** False when it is no longer the user's. */
export const useIdentity = async (
  db: Queryable,
  identity: { userId: string; issuer: string; subject: string; email: string | null },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.identities set last_used_time = now(), email = ${identity.email}
        where issuer = ${identity.issuer} and subject = ${identity.subject} and user_id = ${identity.userId} returning id`,
  )) !== undefined;

export const deleteIdentity = async (db: Queryable, userId: string, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.identities where id = ${id} and user_id = ${userId}`);
};
