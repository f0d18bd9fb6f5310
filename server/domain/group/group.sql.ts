// The one writer of rowhouse.groups and rowhouse.group_members.
import type { Role } from '@rowhouse/contract/permission.ts';
import { givenRoles } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';

export interface UserGroup {
  id: string;
  name: string;
  parentId: string | null;
  /** Ids from the top down to this group. */
  path: string[];
  pathName: string[];
  hasChildren: boolean;
  spaceId: string;
  memberCount: number;
}

/** Of these spaces: `id`, `space_id`, `parent_id`, `name`, `path`, `path_name`. */
const tree = (spaceIds: readonly string[]): Sql => sql`
  tree as (
    select id, space_id, parent_id, name, array[id] as path, array[name] as path_name from rowhouse.groups
    where space_id = any(${spaceIds}::text[]) and parent_id is null
    union all
    select g.id, g.space_id, g.parent_id, g.name, t.path || g.id, t.path_name || g.name from rowhouse.groups g join tree t on t.id = g.parent_id)`;

/** In the order of their paths: a group, then what is inside of it. */
export const selectGroups = (db: Queryable, spaceIds: readonly string[]): Promise<UserGroup[]> =>
  many<UserGroup>(
    db,
    sql`with recursive ${tree(spaceIds)}
        select t.id, t.name, t.parent_id as "parentId", t.path, t.path_name as "pathName", t.space_id as "spaceId",
               exists (select from rowhouse.groups below where below.parent_id = t.id) as "hasChildren",
               (select count(*)::int from rowhouse.group_members m where m.group_id = t.id) as "memberCount"
        from tree t order by t.space_id, t.path_name, t.id`,
  );

export const insertGroup = async (
  db: Queryable,
  group: { id: string; spaceId: string; parentId: string | null; name: string; userId: string },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.groups (id, space_id, parent_id, name, created_by)
        values (${group.id}, ${group.spaceId}, ${group.parentId}, ${group.name}, ${group.userId})`,
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

/** Those whom somebody put into it. */
export const selectDirectIds = async (
  db: Queryable,
  groupId: string,
  among: readonly string[],
): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select user_id as id from rowhouse.group_members where group_id = ${groupId} and is_direct and user_id = any(${among}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
};

/** Of these ids those of people who can sign in. */
export const selectActiveIds = async (db: Queryable, userIds: readonly string[]): Promise<Set<string>> => {
  const rows = await many<{ id: string }>(
    db,
    sql`select id from rowhouse.users where id = any(${userIds}::text[]) and deactivated_time is null`,
  );
  return new Set(rows.map(({ id }) => id));
};

export const insertMembers = async (db: Queryable, groupId: string, userIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.group_members (user_id, group_id, is_direct)
        select distinct id, ${groupId}, true from unnest(${userIds}::text[]) as given (id) order by 1
        on conflict (user_id, group_id) do update set is_direct = true`,
  );
};

export const deleteMembers = async (db: Queryable, groupId: string, userIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.group_members where group_id = ${groupId} and is_direct and user_id = any(${userIds}::text[])`,
  );
};

/**
 * After a change of groups or members: writes out who is in which group by one below. Answers whom that concerned. It looks at all
 * groups of the space, so nothing has to know what a change may have moved.
 */
export const spreadMembers = async (db: Queryable, spaceId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`with recursive ${tree([spaceId])},
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
  spaceIds: readonly string[];
  groupId: string | undefined;
  includeBelow: boolean;
  search: string;
  skip: number;
  take: number;
}

const peopleIn = ({ spaceIds, groupId, includeBelow, search }: PeopleQuery): Sql =>
  sql`from rowhouse.users u where u.deactivated_time is null
        and exists (select from rowhouse.group_members m join rowhouse.groups g on g.id = m.group_id where m.user_id = u.id and g.space_id = any(${spaceIds}::text[])
                    ${groupId === undefined ? sql.empty : sql`and m.group_id = ${groupId}`} ${includeBelow ? sql.empty : sql`and m.is_direct`})
        ${search === '' ? sql.empty : sql`and strpos(lower(u.name), lower(${search})) > 0`}`;

export const selectGroupUsers = (db: Queryable, query: PeopleQuery): Promise<GroupUser[]> =>
  many<GroupUser>(
    db,
    sql`with recursive ${tree(query.spaceIds)}
        select u.id, u.name, u.email, u.avatar,
               (select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'path', t.path, 'pathName', t.path_name) order by t.path_name)
                from tree t join rowhouse.group_members m on m.group_id = t.id and m.user_id = u.id and m.is_direct) as departments
        ${peopleIn(query)} order by lower(u.name), u.id offset ${query.skip} limit ${query.take}`,
  );

export const countGroupUsers = async (db: Queryable, query: PeopleQuery): Promise<number> =>
  (await maybe<{ n: number }>(db, sql`select count(*)::int as n ${peopleIn(query)}`))?.n ?? 0;
