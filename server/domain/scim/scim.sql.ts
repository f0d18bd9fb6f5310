// The one writer of rowhouse.scim_tokens, rowhouse.scim_users and rowhouse.scim_groups.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Comparison } from './read-filter.ts';

const text = (time: Sql): Sql => sql`to_json(${time}) #>> '{}'`;

interface TokenRow {
  id: string;
  name: string;
  createdTime: string;
  lastUsedTime: string | null;
}

export const insertToken = async (
  db: Queryable,
  token: { id: string; organizationId: string; name: string; hash: Buffer; userId: string },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.scim_tokens (id, organization_id, name, secret_hash, created_by)
        values (${token.id}, ${token.organizationId}, ${token.name}, ${token.hash}, ${token.userId})`,
  );
};

export const selectTokens = (db: Queryable, organizationId: string): Promise<TokenRow[]> =>
  many(
    db,
    sql`select id, name, ${text(sql`created_time`)} as "createdTime", ${text(sql`last_used_time`)} as "lastUsedTime"
        from rowhouse.scim_tokens where organization_id = ${organizationId} order by created_time, id`,
  );

export const deleteToken = async (db: Queryable, organizationId: string, id: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`delete from rowhouse.scim_tokens where organization_id = ${organizationId} and id = ${id} returning id`,
  )) !== undefined;

/** Noted once a minute. */
export const useToken = async (db: Queryable, id: string, hash: Buffer): Promise<string | undefined> => {
  const found = await maybe<{ organizationId: string; isOld: boolean }>(
    db,
    sql`select organization_id as "organizationId", coalesce(last_used_time < now() - interval '1 minute', true) as "isOld"
        from rowhouse.scim_tokens where id = ${id} and secret_hash = ${hash}`,
  );
  if (found?.isOld === true)
    await db.query(sql`update rowhouse.scim_tokens set last_used_time = now() where id = ${id}`);
  return found?.organizationId;
};

export interface ScimUserRow {
  id: string;
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  name: string;
  email: string;
  isActive: boolean;
  isAdmin: boolean;
  createdTime: string;
  changedTime: string;
  /** The address is of a verified domain of the organisation. */
  isOwn: boolean;
  groups: { value: string; display: string }[];
}

const userColumns = sql`u.id, coalesce(s.user_name, u.email) as "userName", s.external_id as "externalId", s.given_name as "givenName", s.family_name as "familyName",
  u.name, u.email, u.deactivated_time is null as "isActive", u.is_admin as "isAdmin", ${text(sql`m.created_time`)} as "createdTime",
  ${text(sql`coalesce(s.changed_time, m.created_time)`)} as "changedTime",
  exists (select from rowhouse.organization_domains d where d.organization_id = m.organization_id and d.verified_time is not null
          and d.domain = lower(split_part(u.email, '@', 2))) as "isOwn",
  coalesce((select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.name) order by g.name, g.id) from rowhouse.group_members gm
            join rowhouse.groups g on g.id = gm.group_id and g.organization_id = m.organization_id where gm.user_id = u.id and gm.is_direct), '[]') as groups`;
const users = sql`rowhouse.organization_members m join rowhouse.users u on u.id = m.user_id
  left join rowhouse.scim_users s on s.user_id = u.id and s.organization_id = m.organization_id`;

const userColumn: Record<string, Sql> = {
  id: sql`u.id`,
  username: sql`lower(coalesce(s.user_name, u.email))`,
  'emails.value': sql`lower(u.email)`,
  externalid: sql`s.external_id`,
  displayname: sql`u.name`,
  active: sql`(u.deactivated_time is null)`,
};
export const userAttributes = Object.keys(userColumn);

/** User names and addresses do not know case. */
const fits = (columns: Record<string, Sql>, { attribute, value }: Comparison): Sql => {
  const column = columns[attribute] as Sql;
  if (value === null) return sql`and ${column} is null`;
  if (typeof value === 'boolean') return attribute === 'active' ? sql`and ${column} = ${value}` : sql`and false`;
  if (attribute === 'active') return sql`and false`;
  return sql`and ${column} = ${['username', 'emails.value'].includes(attribute) ? value.toLowerCase() : value}`;
};

export interface Page {
  filter: readonly Comparison[];
  skip: number;
  take: number;
}

export const selectUsers = async (
  db: Queryable,
  organizationId: string,
  { filter, skip, take }: Page,
): Promise<{ rows: ScimUserRow[]; total: number }> => {
  const which = sql`where m.organization_id = ${organizationId} ${sql.join(
    filter.map((one) => fits(userColumn, one)),
    ' ',
  )}`;
  const { total } = await one<{ total: number }>(db, sql`select count(*)::int as total from ${users} ${which}`);
  const rows = await many<ScimUserRow>(
    db,
    sql`select ${userColumns} from ${users} ${which} order by m.created_time, u.id offset ${skip} limit ${take}`,
  );
  return { rows, total };
};

export const selectUser = (db: Queryable, organizationId: string, id: string): Promise<ScimUserRow | undefined> =>
  maybe(db, sql`select ${userColumns} from ${users} where m.organization_id = ${organizationId} and u.id = ${id}`);

interface StoredUser {
  organizationId: string;
  userId: string;
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
}

/** False when somebody else there has the name. */
export const saveUser = async (db: Queryable, user: StoredUser): Promise<boolean> => {
  const { organizationId, userId, userName, externalId, givenName, familyName } = user;
  const taken = await maybe(
    db,
    sql`select user_id from rowhouse.scim_users where organization_id = ${organizationId} and lower(user_name) = lower(${userName}) and user_id <> ${userId}`,
  );
  if (taken !== undefined) return false;
  await db.query(
    sql`insert into rowhouse.scim_users (organization_id, user_id, user_name, external_id, given_name, family_name)
        values (${organizationId}, ${userId}, ${userName}, ${externalId}, ${givenName}, ${familyName})
        on conflict (user_id) do update set organization_id = excluded.organization_id, user_name = excluded.user_name, external_id = excluded.external_id,
          given_name = excluded.given_name, family_name = excluded.family_name, changed_time = now()`,
  );
  return true;
};

export const forgetUser = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.scim_users where user_id = ${userId}`);
};

export interface ScimGroupRow {
  id: string;
  name: string;
  externalId: string | null;
  createdTime: string;
  changedTime: string;
  members: { value: string; display: string }[];
}

const groupColumns = (source: string, withMembers: boolean): Sql => sql`g.id, g.name, s.external_id as "externalId",
  ${text(sql`g.created_time`)} as "createdTime", ${text(sql`s.changed_time`)} as "changedTime",
  ${
    withMembers
      ? sql`coalesce((select jsonb_agg(jsonb_build_object('value', u.id, 'display', u.name) order by u.id) from rowhouse.group_members m
               join rowhouse.users u on u.id = m.user_id where m.group_id = g.id and m.sources @> array[${source}]::text[]), '[]')`
      : sql`'[]'::jsonb`
  } as members`;
const groups = sql`rowhouse.scim_groups s join rowhouse.groups g on g.id = s.group_id`;

const groupColumn: Record<string, Sql> = { id: sql`g.id`, displayname: sql`g.name`, externalid: sql`s.external_id` };
export const groupAttributes = Object.keys(groupColumn);

export const selectGroups = async (
  db: Queryable,
  { organizationId, source, withMembers }: { organizationId: string; source: string; withMembers: boolean },
  { filter, skip, take }: Page,
): Promise<{ rows: ScimGroupRow[]; total: number }> => {
  const which = sql`where s.organization_id = ${organizationId} ${sql.join(
    filter.map((one) => fits(groupColumn, one)),
    ' ',
  )}`;
  const { total } = await one<{ total: number }>(db, sql`select count(*)::int as total from ${groups} ${which}`);
  const rows = await many<ScimGroupRow>(
    db,
    sql`select ${groupColumns(source, withMembers)} from ${groups} ${which} order by g.created_time, g.id offset ${skip} limit ${take}`,
  );
  return { rows, total };
};

export const saveGroupLink = async (
  db: Queryable,
  { groupId, organizationId, externalId }: { groupId: string; organizationId: string; externalId: string | null },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.scim_groups (group_id, organization_id, external_id) values (${groupId}, ${organizationId}, ${externalId})
        on conflict (group_id) do update set external_id = excluded.external_id, changed_time = now()`,
  );
};
