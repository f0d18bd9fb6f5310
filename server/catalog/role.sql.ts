// Who has which role on what: the one place that reads it. Roles are given to people on spaces and bases; a role on a space holds
// for its bases too. What gives roles in another way, as groups do, is added here and nowhere else.
// `domain/collaborator/collaborator.sql.ts` writes them.
import { roles, type Role } from '@rowhouse/contract/permission.ts';
import { sql, type Sql } from '../db/sql.ts';

/** Every role that somebody has: `resource_type`, `resource_id`, `user_id`, `role`, `created_time`. The same person may be there twice for one place. */
export const roleGrants = sql`rowhouse.collaborators`;

const strongestFirst = sql`array[${sql.join(
  roles.map((role) => sql.literal(role)),
  ', ',
)}]`;

/** A number that is smaller for a stronger role. */
export const rank = (role: Sql): Sql => sql`array_position(${strongestFirst}, ${role})`;

/** A base, by its id, and its space. */
export const baseAndSpace = (baseId: string): Sql =>
  sql`${baseId}, (select space_id from rowhouse.bases where id = ${baseId})`;

/** The strongest role that the user has on one of the places; null for none. Their ids are separated by commas. */
export const roleOn = (userId: Sql, places: Sql): Sql =>
  sql`(select held.role from ${roleGrants} held where held.user_id = ${userId} and held.resource_id in (${places}) order by ${rank(sql`held.role`)} limit 1)`;

/** Whether the user has a role on one of the places. */
export const hasRoleOn = (userId: Sql, places: Sql): Sql =>
  sql`exists (select from ${roleGrants} held where held.user_id = ${userId} and held.resource_id in (${places}))`;

/** Ids of the spaces and bases on which the user has a role, or one of these. */
export const placesOf = (userId: Sql, among?: readonly Role[]): Sql =>
  sql`(select held.resource_id from ${roleGrants} held where held.user_id = ${userId} ${among === undefined ? sql.empty : sql`and held.role = any(${among}::text[])`})`;

/** A space and its bases that are not in the trash, as ids. */
export const spaceAndBases = (spaceId: Sql): Sql =>
  sql`select ${spaceId} union all select id from rowhouse.bases where space_id = ${spaceId} and deleted_time is null`;

/** Active people with a role on a space or one of its bases: `user_id`, `role`. The same person may be there several times. */
export const peopleOfSpace = (spaceId: Sql): Sql =>
  sql`select held.user_id, held.role from ${roleGrants} held join rowhouse.users person on person.id = held.user_id and person.deactivated_time is null
      where held.resource_id in (${spaceAndBases(spaceId)})`;

/** Roles that take a seat of a plan. */
export const seatRoles = sql`('owner', 'creator', 'editor')`;
