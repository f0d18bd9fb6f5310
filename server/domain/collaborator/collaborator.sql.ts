// The one writer of rowhouse.collaborators, and the questions about who stands where.
import type { Role } from '@rowhouse/contract/permission.ts';
import type { Concerned } from '../../catalog/audit.sql.ts';
import { epochSql, type Resource } from '../../catalog/access.sql.ts';
import { type BoundRow, boundBy } from '../../catalog/matrix.sql.ts';
import { hasRoleOn, givenRoles, homesOf, placesOf, rank, roleOn, spaceAndBases } from '../../catalog/role.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';

/** What people can have a role on. */
export interface Place {
  type: 'space' | 'base';
  id: string;
}

/** Whom a role is given to. */
export interface Holder {
  type: 'user' | 'department';
  id: string;
}

/** The space whose audit log tells of it. */
export const concernedBy = (place: Place): Concerned =>
  place.type === 'space' ? { spaceIds: [place.id] } : { baseIds: [place.id] };

/** Keeps everyone else from changing roles there until the transaction ends. False when it is not there, or in the trash. */
export const lockPlace = async (db: Queryable, place: Place): Promise<boolean> => {
  const row = await maybe(
    db,
    place.type === 'space'
      ? sql`select id from rowhouse.spaces where id = ${place.id} and deleted_time is null for no key update`
      : sql`select b.id from rowhouse.bases b join rowhouse.spaces s on s.id = b.space_id
            where b.id = ${place.id} and b.deleted_time is null and s.deleted_time is null for no key update of b`,
  );
  return row !== undefined;
};

export interface Standing {
  spaceId: string;
  baseId: string | null;
  tableId: string | null;
  spaceTrashed: boolean;
  baseTrashed: boolean;
  tableTrashed: boolean;
  spaceRole: Role | null;
  baseRole: Role | null;
  /** The space demands a second factor, and the user has none. */
  lacksSecondFactor: boolean;
  /** Version of the schema of the base. */
  baseVersion: number | null;
  /** As in `AccessRow`. */
  bound: BoundRow | null;
  /** The sum of what the roles rest on, as in `Access`. */
  epoch: number;
}

const ancestry: Record<Resource['type'], { from: Sql; key: Sql }> = {
  space: {
    from: sql`rowhouse.spaces s left join rowhouse.bases b on false left join rowhouse.tables t on false`,
    key: sql`s.id`,
  },
  base: {
    from: sql`rowhouse.spaces s join rowhouse.bases b on b.space_id = s.id left join rowhouse.tables t on false`,
    key: sql`b.id`,
  },
  table: {
    from: sql`rowhouse.spaces s join rowhouse.bases b on b.space_id = s.id join rowhouse.tables t on t.base_id = b.id`,
    key: sql`t.id`,
  },
};

/** Where a resource stands, also in the trash, and which roles a user has above it. */
export const selectStanding = (
  db: Queryable,
  userId: string,
  resource: Pick<Resource, 'type' | 'id'>,
): Promise<Standing | undefined> => {
  const { from, key } = ancestry[resource.type];
  return maybe<Standing>(
    db,
    sql`select s.id as "spaceId", b.id as "baseId", t.id as "tableId",
               s.deleted_time is not null as "spaceTrashed", b.deleted_time is not null as "baseTrashed",
               t.deleted_time is not null as "tableTrashed", b.schema_version as "baseVersion", ${roleOn(sql`${userId}`, sql`s.id`)} as "spaceRole", ${roleOn(sql`${userId}`, sql`b.id`)} as "baseRole",
               ${epochSql(sql`${userId}`, sql`s.id`)} as epoch, ${boundBy(sql`${userId}`, sql`b.id`)} as bound,
               s.demands_second_factor and not exists (select from rowhouse.users u where u.id = ${userId} and u.second_factor_time is not null) as "lacksSecondFactor"
        from ${from}
        where ${key} = ${resource.id}`,
  );
};

const isHolder = ({ type, id }: Holder): Sql =>
  sql`${type === 'user' ? sql.id('user_id') : sql.id('group_id')} = ${id}`;

/** The role that was given to a person or a group there; not what a person has by their groups. */
export const selectRole = async (db: Queryable, place: Place, holder: Holder): Promise<Role | undefined> =>
  (
    await maybe<{ role: Role }>(
      db,
      sql`select role from ${givenRoles} where resource_id = ${place.id} and ${isHolder(holder)}`,
    )
  )?.role;

/** Names of the groups by which a person has a role on the place itself. */
export const selectGroupsGiving = async (db: Queryable, place: Place, userId: string): Promise<string[]> =>
  (
    await many<{ name: string }>(
      db,
      sql`select g.name from ${givenRoles} c join rowhouse.groups g on g.id = c.group_id join rowhouse.group_members m on m.group_id = g.id
          where c.resource_id = ${place.id} and m.user_id = ${userId} order by g.name`,
    )
  ).map(({ name }) => name);

/**
 * A person who owns the space by themselves: by a group somebody could lose it through what others do to the group. Deactivated
 * people do not count: they could not look after the space.
 */
export const hasOtherOwner = async (db: Queryable, spaceId: string, userId: string): Promise<boolean> => {
  const row = await one<{ found: boolean }>(
    db,
    sql`select exists (
          select from ${givenRoles} c join rowhouse.users u on u.id = c.user_id
          where c.resource_id = ${spaceId} and c.role = 'owner' and c.user_id <> ${userId} and u.deactivated_time is null
        ) as found`,
  );
  return row.found;
};

/** Spaces, also in the trash, that have no owner but this one. Nobody changes roles in those that they own until the transaction ends. */
export const lockOwnSpaces = async (
  db: Queryable,
  userId: string,
): Promise<{ id: string; name: string; deletedTime: string | null }[]> => {
  const owned = await many<{ id: string; name: string; deletedTime: string | null }>(
    db,
    sql`select s.id, s.name, s.deleted_time as "deletedTime" from rowhouse.spaces s
        where s.id in ${placesOf(sql`${userId}`, ['owner'])}
        order by s.id for no key update`,
  );
  const alone: typeof owned = [];
  for (const space of owned) if (!(await hasOtherOwner(db, space.id, userId))) alone.push(space);
  return alone;
};

/** A role that someone has there already is only ever raised. */
export const insertCollaborators = async (
  db: Queryable,
  place: Place,
  people: { userIds: readonly string[]; groupIds?: readonly string[]; role: Role; createdBy: string },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.collaborators (resource_type, resource_id, user_id, group_id, role, created_by)
        select ${place.type}, ${place.id}, user_id, group_id, ${people.role}, ${people.createdBy}
        from (select id as user_id, null::text as group_id from unnest(${people.userIds}::text[]) as given (id)
              union all select null, id from unnest(${people.groupIds ?? []}::text[]) as given (id)) given order by user_id, group_id
        on conflict (resource_id, principal_id) do update set role = excluded.role
        where ${rank(sql`excluded.role`)} < ${rank(sql`collaborators.role`)}`,
  );
};

export const updateRole = async (db: Queryable, place: Place, holder: Holder, role: Role): Promise<void> => {
  await db.query(
    sql`update rowhouse.collaborators set role = ${role} where resource_id = ${place.id} and ${isHolder(holder)}`,
  );
};

export const deleteCollaborator = async (db: Queryable, place: Place, holder: Holder): Promise<void> => {
  await db.query(sql`delete from rowhouse.collaborators where resource_id = ${place.id} and ${isHolder(holder)}`);
};

/** Groups of an organisation have no roles in a space that has left it. Answers who had one by them. */
export const deleteRolesOfOrganization = async (
  db: Queryable,
  { spaceId, organizationId }: { spaceId: string; organizationId: string },
): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`with gone as (
            delete from rowhouse.collaborators c using rowhouse.groups g
            where g.id = c.group_id and g.organization_id = ${organizationId}
              and (c.resource_id = ${spaceId} or c.resource_id in (select id from rowhouse.bases where space_id = ${spaceId}))
            returning c.group_id)
          select distinct m.user_id as id from gone join rowhouse.group_members m on m.group_id = gone.group_id order by 1`,
    )
  ).map(({ id }) => id);

/** The groups of a space have no roles on a base that has left it. Answers who had one by them. */
export const deleteGroupRoles = async (db: Queryable, baseId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`with gone as (delete from rowhouse.collaborators where resource_id = ${baseId} and group_id is not null returning group_id)
          select distinct m.user_id as id from gone join rowhouse.group_members m on m.group_id = gone.group_id order by 1`,
    )
  ).map(({ id }) => id);

export const deleteCollaborators = async (db: Queryable, placeId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.collaborators where resource_id = ${placeId}`);
};

export interface Candidate {
  userId: string;
  email: string;
  deactivated: boolean;
  /** The address is known to be theirs. */
  isVerified: boolean;
  /** On the place itself. */
  role: Role | null;
  /** On the space of the base. */
  spaceRole: Role | null;
}

const candidateRows = (place: Place, where: Sql): Sql =>
  sql`select u.id as "userId", lower(u.email) as email, u.deactivated_time is not null as deactivated, u.email_verified_time is not null as "isVerified", c.role, ${roleOn(sql`u.id`, sql`b.space_id`)} as "spaceRole"
      from rowhouse.users u
      left join ${givenRoles} c on c.resource_id = ${place.id} and c.user_id = u.id
      left join rowhouse.bases b on b.id = ${place.id}
      where ${where}`;

export const selectCandidatesById = (db: Queryable, place: Place, userIds: readonly string[]): Promise<Candidate[]> =>
  many<Candidate>(db, candidateRows(place, sql`u.id = any(${userIds}::text[])`));

export const selectCandidatesByEmail = (db: Queryable, place: Place, emails: readonly string[]): Promise<Candidate[]> =>
  many<Candidate>(db, candidateRows(place, sql`lower(u.email) = any(${emails}::text[])`));

/** Those of them who have no role on the space or on one of its bases, in order. */
export const selectNewTo = async (db: Queryable, spaceId: string, userIds: readonly string[]): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`select given.id from unnest(${userIds}::text[]) as given (id) where not ${hasRoleOn(sql`given.id`, spaceAndBases(sql`${spaceId}`))} order by 1`,
    )
  ).map(({ id }) => id);

export interface GroupCandidate {
  groupId: string;
  /** On the place itself. */
  role: Role | null;
  /** Active members, also of groups below. */
  memberIds: string[];
}

/** Those of the groups that belong to the space of the place, or to its organisation. */
export const selectGroupCandidates = (
  db: Queryable,
  place: Place,
  groupIds: readonly string[],
): Promise<GroupCandidate[]> =>
  many<GroupCandidate>(
    db,
    sql`select g.id as "groupId", c.role, array(
          select u.id from rowhouse.group_members m join rowhouse.users u on u.id = m.user_id and u.deactivated_time is null
          where m.group_id = g.id order by u.id) as "memberIds"
        from rowhouse.groups g left join ${givenRoles} c on c.resource_id = ${place.id} and c.group_id = g.id
        where g.id = any(${groupIds}::text[]) and g.home_id in ${homesOf(sql`coalesce((select space_id from rowhouse.bases where id = ${place.id}), ${place.id}::text)`)}`,
  );

/** A new account becomes a viewer of the spaces that take in everybody. Answers them. */
export const insertAutoJoined = async (db: Queryable, userId: string): Promise<string[]> =>
  (
    await many<{ id: string }>(
      db,
      sql`insert into rowhouse.collaborators (resource_type, resource_id, user_id, role)
          select 'space', s.id, ${userId}, 'viewer' from rowhouse.spaces s where s.auto_join and s.deleted_time is null order by s.id
          on conflict (resource_id, principal_id) do nothing returning resource_id as id`,
    )
  ).map(({ id }) => id);
