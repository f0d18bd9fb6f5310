// The one writer of rowhouse.organizations and rowhouse.organization_members.
import { hasRoleOn, roleGrants, spaceAndBases } from '../../catalog/role.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface Organization {
  id: string;
  name: string;
  autoSpaceType: 'all' | 'selected' | 'none';
  autoSpaceIds: string[];
  departmentScope: 'all' | 'related';
  onlyProviderId: string | null;
}

const columns = sql`o.id, o.name, o.auto_space_type as "autoSpaceType", o.auto_space_ids as "autoSpaceIds", o.department_scope as "departmentScope", o.only_provider_id as "onlyProviderId"`;
const text = (time: Sql): Sql => sql`to_json(${time}) #>> '{}'`;

export const selectOrganization = (db: Queryable, id: string): Promise<Organization | undefined> =>
  maybe(db, sql`select ${columns} from rowhouse.organizations o where o.id = ${id}`);

/** Keeps everyone else from changing it until the transaction ends. */
export const lockOrganization = (tx: Queryable, id: string): Promise<Organization | undefined> =>
  maybe(tx, sql`select ${columns} from rowhouse.organizations o where o.id = ${id} for no key update`);

/** Undefined when there is none, or more than one. */
export const selectOnlyOrganization = async (db: Queryable): Promise<{ id: string; name: string } | undefined> => {
  const found = await many<{ id: string; name: string }>(db, sql`select id, name from rowhouse.organizations limit 2`);
  return found.length === 1 ? found[0] : undefined;
};

export const insertOrganization = (
  db: Queryable,
  organization: { id: string; name: string; userId: string },
): Promise<{ id: string; name: string; createdTime: string; createdBy: string }> =>
  one(
    db,
    sql`insert into rowhouse.organizations (id, name, created_by) values (${organization.id}, ${organization.name}, ${organization.userId})
        returning id, name, ${text(sql`created_time`)} as "createdTime", created_by as "createdBy"`,
  );

/** With its departments and their roles, domains and providers. */
export const deleteOrganizationRow = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.organizations where id = ${id}`);
};

export const saveOrganization = async (db: Queryable, organization: Organization): Promise<void> => {
  await db.query(
    sql`update rowhouse.organizations set name = ${organization.name}, auto_space_type = ${organization.autoSpaceType}, auto_space_ids = ${organization.autoSpaceIds}::text[],
          department_scope = ${organization.departmentScope}, only_provider_id = ${organization.onlyProviderId}
        where id = ${organization.id}`,
  );
};

interface ListedOrganization {
  id: string;
  name: string;
  createdTime: string;
  createdBy: string;
  userCount: number;
  spaceCount: number;
  adminCount: number;
  admins: Person[];
}

export interface Person {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
}

const named = (search: string): Sql =>
  search === '' ? sql.empty : sql`and strpos(lower(o.name), lower(${search})) > 0`;

export const selectOrganizations = async (
  db: Queryable,
  { search, skip, take }: { search: string; skip: number; take: number },
): Promise<{ data: ListedOrganization[]; total: number }> => {
  const data = await many<ListedOrganization>(
    db,
    sql`select o.id, o.name, ${text(sql`o.created_time`)} as "createdTime", coalesce(o.created_by, '') as "createdBy",
               (select count(*)::int from rowhouse.organization_members m where m.organization_id = o.id) as "userCount",
               (select count(*)::int from rowhouse.spaces s where s.organization_id = o.id and s.deleted_time is null) as "spaceCount",
               (select count(*)::int from rowhouse.organization_members m where m.organization_id = o.id and m.is_admin) as "adminCount",
               coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'avatar', u.avatar) order by lower(u.name), u.id)
                         from rowhouse.organization_members m join rowhouse.users u on u.id = m.user_id where m.organization_id = o.id and m.is_admin), '[]') as admins
        from rowhouse.organizations o where true ${named(search)} order by lower(o.name), o.id offset ${skip} limit ${take}`,
  );
  const { total } = await one<{ total: number }>(
    db,
    sql`select count(*)::int as total from rowhouse.organizations o where true ${named(search)}`,
  );
  return { data, total };
};

export const selectAdmins = (db: Queryable, organizationId: string): Promise<Person[]> =>
  many(
    db,
    sql`select u.id, u.name, u.email, u.avatar from rowhouse.organization_members m join rowhouse.users u on u.id = m.user_id
        where m.organization_id = ${organizationId} and m.is_admin order by lower(u.name), u.id`,
  );

/** False when they are in an organisation already. */
export const insertMember = async (
  db: Queryable,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`insert into rowhouse.organization_members (organization_id, user_id) values (${organizationId}, ${userId}) on conflict (user_id) do nothing returning user_id`,
  )) !== undefined;

/** False when they are no member. */
export const saveAdmin = async (
  db: Queryable,
  { organizationId, userId, isAdmin }: { organizationId: string; userId: string; isAdmin: boolean },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.organization_members set is_admin = ${isAdmin} where organization_id = ${organizationId} and user_id = ${userId} returning user_id`,
  )) !== undefined;

/** Answers who was a member. */
export const deleteMembersOf = async (
  db: Queryable,
  organizationId: string,
  userIds: readonly string[],
): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`delete from rowhouse.organization_members where organization_id = ${organizationId} and user_id = any(${userIds}::text[]) returning user_id as id`,
    )
  ).map(({ id }) => id);

export const countAdmins = async (db: Queryable, organizationId: string): Promise<number> =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from rowhouse.organization_members m join rowhouse.users u on u.id = m.user_id and u.deactivated_time is null
          where m.organization_id = ${organizationId} and m.is_admin`,
    )
  ).n;

interface Member extends Person {
  createdTime: string;
  isAdmin: boolean;
  isExternal: boolean;
  deactivatedTime: string | null;
}

const memberColumns = sql`u.id, u.name, u.email, u.avatar, ${text(sql`m.created_time`)} as "createdTime", m.is_admin as "isAdmin",
  not exists (select from rowhouse.organization_domains d where d.organization_id = m.organization_id and d.verified_time is not null
              and d.domain = lower(split_part(u.email, '@', 2))) as "isExternal", ${text(sql`u.deactivated_time`)} as "deactivatedTime"`;
const members = sql`rowhouse.organization_members m join rowhouse.users u on u.id = m.user_id`;

export const selectMembers = async (
  db: Queryable,
  organizationId: string,
  { search, skip, take }: { search: string; skip: number; take: number },
): Promise<{ users: Member[]; total: number }> => {
  const which = sql`where m.organization_id = ${organizationId}
    ${search === '' ? sql.empty : sql`and (strpos(lower(u.name), lower(${search})) > 0 or strpos(lower(u.email), lower(${search})) > 0)`}`;
  const users = await many<Member>(
    db,
    sql`select ${memberColumns} from ${members} ${which} order by lower(u.name), u.id offset ${skip} limit ${take}`,
  );
  const { total } = await one<{ total: number }>(db, sql`select count(*)::int as total from ${members} ${which}`);
  return { users, total };
};

export const selectMember = (db: Queryable, organizationId: string, userId: string): Promise<Member | undefined> =>
  maybe(
    db,
    sql`select ${memberColumns} from ${members} where m.organization_id = ${organizationId} and m.user_id = ${userId}`,
  );

export const selectMemberIds = async (
  db: Queryable,
  organizationId: string,
  among: readonly string[],
): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select user_id as id from rowhouse.organization_members where organization_id = ${organizationId} and user_id = any(${among}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
};

interface Candidate {
  id: string;
  email: string;
  isActive: boolean;
  isVerified: boolean;
  organizationId: string | null;
  /** They have a role in one of the spaces of the organisation. */
  isCollaborator: boolean;
}

export const selectCandidates = (
  db: Queryable,
  organizationId: string,
  emails: readonly string[],
): Promise<Candidate[]> =>
  many(
    db,
    sql`select u.id, lower(u.email) as email, u.deactivated_time is null as "isActive", u.email_verified_time is not null as "isVerified",
               (select m.organization_id from rowhouse.organization_members m where m.user_id = u.id) as "organizationId",
               exists (select from rowhouse.spaces s where s.organization_id = ${organizationId} and s.deleted_time is null
                       and ${hasRoleOn(sql`u.id`, spaceAndBases(sql`s.id`))}) as "isCollaborator"
        from rowhouse.users u where lower(u.email) = any(${emails}::text[])`,
  );

interface OwnedSpace {
  id: string;
  name: string;
  baseCount: number;
  collaboratorCount: number;
}

const peopleThere = sql`(select distinct held.user_id from ${roleGrants} held join rowhouse.users p on p.id = held.user_id and p.deactivated_time is null where held.resource_id in (${spaceAndBases(sql`s.id`)}))`;

export const selectSpacesOf = (
  db: Queryable,
  organizationId: string,
  { search, skip, take }: { search: string; skip: number; take: number | null },
): Promise<OwnedSpace[]> =>
  many(
    db,
    sql`select s.id, s.name, (select count(*)::int from rowhouse.bases b where b.space_id = s.id and b.deleted_time is null) as "baseCount",
               (select count(*)::int from ${peopleThere} people) as "collaboratorCount"
        from rowhouse.spaces s where s.organization_id = ${organizationId} and s.deleted_time is null
          ${search === '' ? sql.empty : sql`and strpos(lower(s.name), lower(${search})) > 0`}
        order by lower(s.name), s.id offset ${skip} limit ${take}`,
  );

export const selectSpaceIdsOf = async (db: Queryable, organizationId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select id from rowhouse.spaces where organization_id = ${organizationId} and deleted_time is null order by id`,
    )
  ).map(({ id }) => id);

export const selectSpaceDetail = (
  db: Queryable,
  organizationId: string,
  spaceId: string,
): Promise<
  | (Omit<OwnedSpace, 'baseCount'> & {
      externalUserCount: number;
      base: { id: string; name: string; icon: string | null }[];
    })
  | undefined
> =>
  maybe(
    db,
    sql`select s.id, s.name, (select count(*)::int from ${peopleThere} people) as "collaboratorCount",
               (select count(*)::int from ${peopleThere} people where not exists (
                  select from rowhouse.organization_members m where m.user_id = people.user_id and m.organization_id = ${organizationId})) as "externalUserCount",
               coalesce((select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'icon', b.icon) order by b.position, b.id)
                         from rowhouse.bases b where b.space_id = s.id and b.deleted_time is null), '[]') as base
        from rowhouse.spaces s where s.id = ${spaceId} and s.organization_id = ${organizationId} and s.deleted_time is null`,
  );
