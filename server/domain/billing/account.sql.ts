// The one writer of rowhouse.billing_accounts: whom bills of a space go to.
import { roleGrants } from '../../catalog/role.sql.ts';
import { maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** As it is stored. */
export interface Detail {
  name: string;
  email: string;
}

/** The owner who was there first stands in for what nobody has set. */
export const selectDetail = (db: Queryable, spaceId: string): Promise<Detail> =>
  one<Detail>(
    db,
    sql`select coalesce(a.name, o.name, '') as name, coalesce(a.email, o.email, '') as email
        from (values (1)) one
        left join rowhouse.billing_accounts a on a.space_id = ${spaceId}
        left join lateral (
          select u.name, u.email from ${roleGrants} c join rowhouse.users u on u.id = c.user_id
          where c.resource_id = ${spaceId} and c.role = 'owner' and u.deactivated_time is null order by c.created_time, u.id limit 1
        ) o on true`,
  );

/** What is left out stays as it is. */
export const saveDetail = async (db: Queryable, spaceId: string, { name, email }: Partial<Detail>): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.billing_accounts (space_id, name, email) values (${spaceId}, ${name ?? null}, ${email ?? null})
        on conflict (space_id) do update set name = coalesce(excluded.name, billing_accounts.name), email = coalesce(excluded.email, billing_accounts.email)`,
  );
};

export const selectStripeCustomer = async (db: Queryable, spaceId: string): Promise<string | null> =>
  (
    await maybe<{ id: string | null }>(
      db,
      sql`select stripe_customer_id as id from rowhouse.billing_accounts where space_id = ${spaceId}`,
    )
  )?.id ?? null;

export const saveStripeCustomer = async (db: Queryable, spaceId: string, customerId: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.billing_accounts (space_id, stripe_customer_id) values (${spaceId}, ${customerId})
        on conflict (space_id) do update set stripe_customer_id = excluded.stripe_customer_id`,
  );
};
