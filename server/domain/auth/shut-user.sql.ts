// The one writer of rowhouse.organization_shut_users.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const rememberShut = async (tx: Queryable, userId: string, organizationId: string): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.organization_shut_users (user_id, organization_id) values (${userId}, ${organizationId})
        on conflict (user_id) do update set organization_id = excluded.organization_id`,
  );
};

/** True when this organisation has shut the account; null: any of them. */
export const forgetShut = async (tx: Queryable, userId: string, organizationId: string | null): Promise<boolean> =>
  (await maybe(
    tx,
    sql`delete from rowhouse.organization_shut_users where user_id = ${userId} and (${organizationId}::text is null or organization_id = ${organizationId}) returning user_id`,
  )) !== undefined;
