// Who has which role on what. Roles are given on spaces and bases, to people and to groups; a role on a space holds for its bases too, a
// role of a group for all its members. Of several roles the strongest counts. This file and `domain/collaborator/collaborator.sql.ts`,
// which writes them, are the only ones that name the table; a test looks (docs/adr/0109-groups.md).
import { roles, type Role } from '@rowhouse/contract/permission.ts';
import { sql, type Sql } from '../db/sql.ts';

/** Roles as they were given, to a person (`user_id`) or to a group (`group_id`). Only for showing or counting these, not for what somebody may do. */
export const givenRoles = sql`rowhouse.collaborators`;

/** Every role that a person has: `resource_type`, `resource_id`, `user_id`, `role`, `created_time`. The same person may be there several times for one place. */
export const roleGrants = sql`(
  select resource_type, resource_id, user_id, role, created_time from ${givenRoles} where user_id is not null
  union all
  select g.resource_type, g.resource_id, m.user_id, g.role, greatest(g.created_time, m.created_time)
  from ${givenRoles} g join rowhouse.group_members m on m.group_id = g.group_id)`;

/** The user and their groups, as an array of ids. */
export const principalsOf = (userId: Sql): Sql =>
  sql`array(select ${userId}::text union all select mine.group_id from rowhouse.group_members mine where mine.user_id = ${userId})`;

const strongestFirst = sql`array[${sql.join(
  roles.map((role) => sql.literal(role)),
  ', ',
)}]`;

/** A number that is smaller for a stronger role. */
export const rank = (role: Sql): Sql => sql`array_position(${strongestFirst}, ${role})`;

/** A base, by its id, and its space. */
export const baseAndSpace = (baseId: string): Sql =>
  sql`${baseId}, (select space_id from rowhouse.bases where id = ${baseId})`;

/** Where groups can be from that have roles in a space: the space itself, and the organisation that owns it. Ids, one or two. */
export const homesOf = (spaceId: Sql): Sql =>
  sql`(select ${spaceId} union all select owned.organization_id from rowhouse.spaces owned where owned.id = ${spaceId} and owned.organization_id is not null)`;

/** The strongest role that the user has on one of the places, by themselves or by a group; null for none. Their ids are separated by commas. */
export const roleOn = (userId: Sql, places: Sql): Sql =>
  sql`(select held.role from ${givenRoles} held where held.principal_id = any(${principalsOf(userId)}) and held.resource_id in (${places}) order by ${rank(sql`held.role`)} limit 1)`;

/** Whether the user has a role on one of the places. */
export const hasRoleOn = (userId: Sql, places: Sql): Sql =>
  sql`exists (select from ${givenRoles} held where held.principal_id = any(${principalsOf(userId)}) and held.resource_id in (${places}))`;

/** Ids of the spaces and bases on which the user has a role, or one of these. Each is there once. */
export const placesOf = (userId: Sql, among?: readonly Role[]): Sql =>
  sql`(select distinct held.resource_id from ${givenRoles} held where held.principal_id = any(${principalsOf(userId)}) ${among === undefined ? sql.empty : sql`and held.role = any(${among}::text[])`})`;

/** A space and its bases that are not in the trash, as ids. */
export const spaceAndBases = (spaceId: Sql): Sql =>
  sql`select ${spaceId} union all select id from rowhouse.bases where space_id = ${spaceId} and deleted_time is null`;

/** Active people with a role on a space or one of its bases: `user_id`, `role`. The same person may be there several times. */
export const peopleOfSpace = (spaceId: Sql): Sql =>
  sql`select held.user_id, held.role from ${roleGrants} held join rowhouse.users person on person.id = held.user_id and person.deactivated_time is null
      where held.resource_id in (${spaceAndBases(spaceId)})`;

/** Roles that take a seat of a plan. */
export const seatRoles = sql`('owner', 'creator', 'editor')`;
