// What administrators see of accounts. They are written by the domains that own them.
import type { userStates } from '@rowhouse/contract/admin-user.ts';
import { placesOf, roleGrants, seatRoles } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isErased } from '../user/user.sql.ts';
import { anywhere, type Page, type Paged, selectPage } from './page.sql.ts';

export interface PersonRow {
  id: string;
  name: string;
  email: string;
  hasAvatar: boolean;
  createdTime: string;
  lastSignTime: string | null;
  deactivatedTime: string | null;
  deletedTime: string | null;
  isAdmin: boolean;
  billable: boolean;
  isEmailVerified: boolean;
  hasPassword: boolean;
  hasSecondFactor: boolean;
}

/** Somebody who signs up is signed in without having signed in. */
const lastSeenWith = (u: Sql): Sql =>
  sql`coalesce(${u}.last_sign_in_time, (select max(d.last_time) from rowhouse.known_devices d where d.user_id = ${u}.id))`;

const personColumns = (u: Sql): Sql =>
  sql`${u}.id, ${u}.name, ${u}.email, ${u}.avatar is not null as "hasAvatar", ${u}.created_time as "createdTime", ${lastSeenWith(u)} as "lastSignTime",
      ${u}.deactivated_time as "deactivatedTime", ${u}.deleted_time as "deletedTime", ${u}.is_admin as "isAdmin", ${u}.email_verified_time is not null as "isEmailVerified",
      ${u}.password_hash is not null as "hasPassword", ${u}.second_factor_time is not null as "hasSecondFactor",
      ${u}.deactivated_time is null and exists (select from ${roleGrants} held where held.user_id = ${u}.id and held.role in ${seatRoles}) as billable`;

type UserState = (typeof userStates)[number];

const inState: Record<UserState, Sql> = {
  active: sql`u.deactivated_time is null`,
  deactivated: sql`u.deactivated_time is not null and u.deleted_time is null`,
  deleted: sql`u.deleted_time is not null`,
  admin: sql`u.is_admin and u.deactivated_time is null`,
  neverSignedIn: sql`${lastSeenWith(sql`u`)} is null and u.deactivated_time is null`,
};

interface PeopleFilter extends Page {
  search?: string | undefined;
  includeDeleted?: boolean | undefined;
  state?: UserState | undefined;
}

export const selectPeople = (
  db: Queryable,
  { search, includeDeleted = false, state, ...page }: PeopleFilter,
): Promise<Paged<PersonRow>> =>
  selectPage<PersonRow>(
    db,
    {
      found: sql`select u.* from rowhouse.users u where not ${isErased}
        and ${state === undefined ? (includeDeleted ? sql`true` : sql`u.deleted_time is null`) : inState[state]}
        ${search === undefined || search === '' ? sql.empty : sql`and (u.name ilike ${anywhere(search)} or u.email ilike ${anywhere(search)} or u.id = ${search})`}`,
      order: sql`f.created_time desc, f.id`,
      shown: personColumns(sql`p`),
    },
    page,
  );

export const selectPerson = (db: Queryable, userId: string): Promise<PersonRow | undefined> =>
  maybe<PersonRow>(
    db,
    sql`select ${personColumns(sql`u`)} from rowhouse.users u where u.id = ${userId} and not ${isErased}`,
  );

/** The row of the account until the transaction ends: two administrators act on it one after the other. */
export const lockPerson = (
  tx: Queryable,
  userId: string,
): Promise<
  { id: string; name: string; email: string; isAdmin: boolean; isActive: boolean; isDeleted: boolean } | undefined
> =>
  maybe(
    tx,
    sql`select u.id, u.name, u.email, u.is_admin as "isAdmin", u.deactivated_time is null as "isActive", u.deleted_time is not null as "isDeleted"
        from rowhouse.users u where u.id = ${userId} and not ${isErased} for no key update`,
  );

interface TokenRow {
  id: string;
  name: string;
  createdTime: string;
  lastUsedTime: string | null;
  expiredTime: string;
  isUnlimited: boolean;
}

/** Personal ones; those of applications are not theirs to name. */
export const selectTokensOf = (db: Queryable, userId: string): Promise<TokenRow[]> =>
  many<TokenRow>(
    db,
    sql`select id, name, created_time as "createdTime", last_used_time as "lastUsedTime", expired_time as "expiredTime", may_do_all as "isUnlimited"
        from rowhouse.access_tokens where user_id = ${userId} and client_id is null and expired_time > now() order by created_time desc, id limit 200`,
  );

export const hasTokenOf = async (db: Queryable, userId: string, tokenId: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`select id from rowhouse.access_tokens where id = ${tokenId} and user_id = ${userId} and client_id is null`,
  )) !== undefined;

export const selectSpacesOf = (
  db: Queryable,
  userId: string,
): Promise<{ id: string; name: string; role: string; isOnlyOwner: boolean }[]> =>
  many(
    db,
    sql`select s.id, s.name, held.role,
               held.role = 'owner' and not exists (
                 select from ${roleGrants} o join rowhouse.users other on other.id = o.user_id
                 where o.resource_id = s.id and o.role = 'owner' and o.user_id <> ${userId} and other.deactivated_time is null) as "isOnlyOwner"
        from rowhouse.spaces s
        cross join lateral (select g.role from ${roleGrants} g where g.resource_id = s.id and g.user_id = ${userId} order by array_position(array['owner', 'creator', 'editor', 'commenter', 'viewer'], g.role) limit 1) held
        where s.deleted_time is null and s.id in ${placesOf(sql`${userId}`)} order by s.name, s.id limit 500`,
  );

export const countIdentities = async (db: Queryable, userId: string): Promise<number> =>
  (await many(db, sql`select id from rowhouse.identities where user_id = ${userId}`)).length;
