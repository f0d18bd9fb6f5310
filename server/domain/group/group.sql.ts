// The one writer of rowhouse.groups and rowhouse.group_members.
import type { Role } from '@rowhouse/contract/permission.ts';
import { givenRoles } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable, type Tx } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';

export interface UserGroup {
  id: string;
  name: string;
  parentId: string | null;
  /** Ids from the top down to this group. */
  path: string[];
  pathName: string[];
  hasChildren: boolean;
  /** Null: of an organisation, whose spaces all know it. */
  spaceId: string | null;
  organizationId: string | null;
  memberCount: number;
}

/** What groups belong to. */
export interface Home {
  type: 'space' | 'organization';
  id: string;
}

/** A source of members: people, as against providers. */
const byHand = 'hand';

/** Of these spaces and organisations: `id`, `space_id`, `organization_id`, `home_id`, `parent_id`, `name`, `path`, `path_name`. */
const tree = (homeIds: readonly string[]): Sql => sql`
  tree as (
    select id, space_id, organization_id, home_id, parent_id, name, array[id] as path, array[name] as path_name from rowhouse.groups
    where home_id = any(${homeIds}::text[]) and parent_id is null
    union all
    select g.id, g.space_id, g.organization_id, g.home_id, g.parent_id, g.name, t.path || g.id, t.path_name || g.name
    from rowhouse.groups g join tree t on t.id = g.parent_id)`;

/** In the order of their paths: a group, then what is inside of it. */
export const selectGroups = (db: Queryable, homeIds: readonly string[]): Promise<UserGroup[]> =>
  many<UserGroup>(
    db,
    sql`with recursive ${tree(homeIds)}
        select t.id, t.name, t.parent_id as "parentId", t.path, t.path_name as "pathName", t.space_id as "spaceId", t.organization_id as "organizationId",
               exists (select from rowhouse.groups below where below.parent_id = t.id) as "hasChildren",
               (select count(*)::int from rowhouse.group_members m where m.group_id = t.id) as "memberCount"
        from tree t order by t.home_id, t.path_name, t.id`,
  );

export const insertGroup = async (
  db: Queryable,
  group: { id: string; home: Home; parentId: string | null; name: string; userId: string },
): Promise<void> => {
  const { type, id } = group.home;
  await db.query(
    sql`insert into rowhouse.groups (id, space_id, organization_id, parent_id, name, created_by)
        values (${group.id}, ${type === 'space' ? id : null}, ${type === 'organization' ? id : null}, ${group.parentId}, ${group.name}, ${group.userId})`,
  );
};

export const saveGroup = async (
  db: Queryable,
  { id, name, parentId }: Pick<UserGroup, 'id' | 'name' | 'parentId'>,
): Promise<void> => {
  await db.query(sql`update rowhouse.groups set name = ${name}, parent_id = ${parentId} where id = ${id}`);
};

/** With its members and roles. */
export const deleteGroupRow = async (db: Queryable, groupId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.groups where id = ${groupId}`);
};

/** Everybody in it, also by a group below. */
export const selectMemberIds = async (db: Queryable, groupId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select user_id as id from rowhouse.group_members where group_id = ${groupId} order by 1`,
    )
  ).map(({ id }) => id);

const selectDirect = async (
  db: Queryable,
  groupId: string,
  among: readonly string[],
  by: Sql,
): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select user_id as id from rowhouse.group_members where group_id = ${groupId} and is_direct ${by} and user_id = any(${among}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
};

/** Those whom people or providers have put into it. */
export const selectDirectIds = (db: Queryable, groupId: string, among: readonly string[]): Promise<Set<string>> =>
  selectDirect(db, groupId, among, sql.empty);

export const selectIdsByHand = (db: Queryable, groupId: string, among: readonly string[]): Promise<Set<string>> =>
  selectDirect(db, groupId, among, sql`and sources @> array[${byHand}]::text[]`);

export const selectIdsBySource = async (db: Queryable, groupId: string, source: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select user_id as id from rowhouse.group_members where group_id = ${groupId} and sources @> array[${source}]::text[] order by 1`,
    )
  ).map(({ id }) => id);

/** Of these ids those of people who can sign in. */
export const selectActiveIds = async (db: Queryable, userIds: readonly string[]): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select id from rowhouse.users where id = any(${userIds}::text[]) and deactivated_time is null`,
  );
  return new Set(rows.map(({ id }) => id));
};

export const insertMembers = async (
  db: Queryable,
  groupId: string,
  userIds: readonly string[],
  source: string = byHand,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.group_members (user_id, group_id, is_direct, sources)
        select distinct id, ${groupId}, true, array[${source}]::text[] from unnest(${userIds}::text[]) as given (id) order by 1
        on conflict (user_id, group_id) do update
          set is_direct = true, sources = array_append(array_remove(group_members.sources, ${source}), ${source})`,
  );
};

/** Takes away what the source has given, all without one; `spreadMembers` then removes those whom nothing keeps. */
export const deleteMembers = async (
  db: Queryable,
  groupId: string,
  userIds: readonly string[],
  source: string | null = null,
): Promise<void> => {
  const left = source === null ? sql`'{}'::text[]` : sql`array_remove(sources, ${source})`;
  await db.query(
    sql`update rowhouse.group_members set sources = ${left}, is_direct = cardinality(${left}) > 0
        where group_id = ${groupId} and is_direct and user_id = any(${userIds}::text[])`,
  );
};

/** Takes people out of all groups there, by all sources. */
export const deleteMembersOfHome = async (db: Queryable, homeId: string, userIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.group_members m using rowhouse.groups g
        where g.id = m.group_id and g.home_id = ${homeId} and m.user_id = any(${userIds}::text[])`,
  );
};

/** Takes away all that the source has given there. Answers whom that concerns. */
export const deleteSourceOfHome = async (db: Queryable, homeId: string, source: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`update rowhouse.group_members m set sources = array_remove(m.sources, ${source}), is_direct = cardinality(array_remove(m.sources, ${source})) > 0
          from rowhouse.groups g where g.id = m.group_id and g.home_id = ${homeId} and m.sources @> array[${source}]::text[] returning m.user_id as id`,
    )
  ).map(({ id }) => id);

/** Groups that the source has put the person into. */
export const selectGroupIdsBySource = async (db: Queryable, userId: string, source: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select group_id as id from rowhouse.group_members where user_id = ${userId} and sources @> array[${source}]::text[] order by 1`,
    )
  ).map(({ id }) => id);

/**
 * After a change of groups or members: writes out who is in which group by one below. Answers whom that concerned. It looks at all
 * groups of the space or organisation, so nothing has to know what a change may have moved.
 */
export const spreadMembers = async (db: Queryable, homeId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`with recursive ${tree([homeId])},
          wanted as (
            select distinct m.user_id, above.id as group_id from rowhouse.group_members m
            join tree t on t.id = m.group_id cross join unnest(t.path) as above (id) where m.is_direct),
          gone as (
            delete from rowhouse.group_members m using tree t where t.id = m.group_id and not m.is_direct
              and not exists (select from wanted w where w.user_id = m.user_id and w.group_id = m.group_id) returning m.user_id),
          come as (
            insert into rowhouse.group_members (user_id, group_id, is_direct) select user_id, group_id, false from wanted order by 1, 2
            on conflict do nothing returning user_id)
          select user_id as id from gone union select user_id from come`,
    )
  ).map(({ id }) => id);

interface RoleOfGroup {
  type: 'space' | 'base';
  id: string;
  role: Role;
}

/** Roles of these groups on places that are not in the trash. */
export const selectRolesOf = (db: Queryable, groupIds: readonly string[]): Promise<RoleOfGroup[]> =>
  many<RoleOfGroup>(
    db,
    sql`select c.resource_type as type, c.resource_id as id, c.role from ${givenRoles} c left join rowhouse.bases b on b.id = c.resource_id
        where c.group_id = any(${groupIds}::text[]) and b.deleted_time is null order by c.resource_id, c.role`,
  );

interface GroupUser {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
  departments: { id: string; name: string; path: string[]; pathName: string[] }[];
}

interface PeopleQuery {
  homeIds: readonly string[];
  /** Those that the caller may know. */
  groupIds: readonly string[];
  groupId: string | undefined;
  includeBelow: boolean;
  search: string;
  skip: number;
  take: number;
}

const peopleIn = ({ homeIds, groupIds, groupId, includeBelow, search }: PeopleQuery): Sql =>
  sql`from rowhouse.users u where u.deactivated_time is null
        and exists (select from rowhouse.group_members m join rowhouse.groups g on g.id = m.group_id where m.user_id = u.id and g.home_id = any(${homeIds}::text[]) and g.id = any(${groupIds}::text[])
                    ${groupId === undefined ? sql.empty : sql`and m.group_id = ${groupId}`} ${includeBelow ? sql.empty : sql`and m.is_direct`})
        ${search === '' ? sql.empty : sql`and strpos(lower(u.name), lower(${search})) > 0`}`;

export const selectGroupUsers = (db: Queryable, query: PeopleQuery): Promise<GroupUser[]> =>
  many<GroupUser>(
    db,
    sql`with recursive ${tree(query.homeIds)}
        select u.id, u.name, u.email, u.avatar,
               (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'path', t.path, 'pathName', t.path_name) order by t.path_name), '[]')
                from tree t join rowhouse.group_members m on m.group_id = t.id and m.user_id = u.id and m.is_direct where t.id = any(${query.groupIds}::text[])) as departments
        ${peopleIn(query)} order by lower(u.name), u.id offset ${query.skip} limit ${query.take}`,
  );

export const countGroupUsers = async (db: Queryable, query: PeopleQuery): Promise<number> =>
  (await maybe<{ n: number }>(db, sql`select count(*)::int as n ${peopleIn(query)}`))?.n ?? 0;

/** Where these groups belong, as far as they exist. */
export const selectHomes = (db: Queryable, groupIds: readonly string[]): Promise<(Home & { groupId: string })[]> =>
  many<Home & { groupId: string }>(
    db,
    sql`select id as "groupId", case when space_id is null then 'organization' else 'space' end as type, home_id as id
        from rowhouse.groups where id = any(${groupIds}::text[])`,
  );

/** Keeps everyone else from changing groups and roles there until the transaction ends. Answers the spaces in which groups of each home may have roles. */
export const lockHomes = async (db: Queryable, homes: readonly Home[]): Promise<Map<string, string[]>> => {
  const organizationIds = homes.filter(({ type }) => type === 'organization').map(({ id }) => id);
  await db.query(
    sql`select id from rowhouse.organizations where id = any(${organizationIds}::text[]) order by id for no key update`,
  );
  const spaces = await many<{ id: string; organizationId: string | null }>(
    db,
    sql`select id, organization_id as "organizationId" from rowhouse.spaces
        where (id = any(${homes.map(({ id }) => id)}::text[]) or organization_id = any(${organizationIds}::text[])) and deleted_time is null
        order by id for no key update`,
  );
  return new Map(
    homes.map(({ id }) => [
      id,
      spaces.filter((space) => space.id === id || space.organizationId === id).map((space) => space.id),
    ]),
  );
};

/** Levels of the plans of these spaces. */
export const selectLevels = async (db: Queryable, spaceIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await many<{ id: string; level: string }>(
    db,
    sql`select space_id as id, effective_level as level from rowhouse.subscriptions where space_id = any(${spaceIds}::text[])`,
  );
  return new Map(rows.map(({ id, level }) => [id, level]));
};

export const beginAttempt = async (tx: Tx): Promise<void> => {
  await tx.query(sql`savepoint attempt`);
};

export const undoAttempt = async (tx: Tx): Promise<void> => {
  await tx.query(sql`rollback to savepoint attempt`);
};

/** The organisation of a person, as far as it says which departments they know; undefined for none. */
export const selectOwnHome = (
  db: Queryable,
  userId: string,
): Promise<{ id: string; seesAll: boolean; groupIds: string[] } | undefined> =>
  maybe(
    db,
    sql`select o.id, m.is_admin or o.department_scope = 'all' as "seesAll",
               array(select own.group_id from rowhouse.group_members own where own.user_id = ${userId} and own.is_direct) as "groupIds"
        from rowhouse.organization_members m join rowhouse.organizations o on o.id = m.organization_id where m.user_id = ${userId}`,
  );

/** Which organisation owns the space. */
export const selectOrganizationOf = async (db: Queryable, spaceId: string): Promise<string | null> =>
  (await maybe<{ id: string | null }>(db, sql`select organization_id as id from rowhouse.spaces where id = ${spaceId}`))
    ?.id ?? null;

/** Of these spaces those in which a group of the home has a role, on the space or on one of its bases. */
export const selectSpacesWithRoles = async (
  db: Queryable,
  homeId: string,
  spaceIds: readonly string[],
): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select distinct coalesce(b.space_id, c.resource_id) as id from ${givenRoles} c
          join rowhouse.groups g on g.id = c.group_id and g.home_id = ${homeId} left join rowhouse.bases b on b.id = c.resource_id
          where coalesce(b.space_id, c.resource_id) = any(${spaceIds}::text[]) order by 1`,
    )
  ).map(({ id }) => id);
