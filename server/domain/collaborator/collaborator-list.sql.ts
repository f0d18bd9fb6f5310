// The lists of people on a space or base, with paging and search.
import type { Role } from '@rowhouse/contract/permission.ts';
import { baseAndSpace, roleGrants } from '../../catalog/role.sql.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';
import type { Place } from './collaborator.sql.ts';

export interface CollaboratorRow {
  userId: string;
  userName: string;
  email: string;
  avatar: string | null;
  role: Role;
  createdTime: string;
  resourceType: 'space' | 'base';
  baseId: string | null;
  baseName: string | null;
}

interface Page {
  skip: number;
  take: number;
  search: Search;
  orderBy: 'asc' | 'desc';
}

const direction = (page: Page): Sql => sql.raw(page.orderBy);

export interface Search {
  /** Empty: everybody. */
  text: string;
  inEmails: boolean;
}

const matches = ({ text, inEmails }: Search): Sql =>
  text === ''
    ? sql.empty
    : sql`and (strpos(lower(u.name), lower(${text})) > 0${inEmails ? sql` or strpos(lower(u.email), lower(${text})) > 0` : sql.empty})`;

// A base lists the people of its space too; a space lists those of its bases on request.
const rolesAt = (place: Place, includeBase: boolean): Sql => {
  if (place.type === 'base') return sql`c.resource_id in (${baseAndSpace(place.id)})`;
  if (!includeBase) return sql`c.resource_id = ${place.id}`;
  return sql`(c.resource_id = ${place.id} or (b.space_id = ${place.id} and b.deleted_time is null))`;
};

const entries = (place: Place, includeBase: boolean, search: Search): Sql =>
  sql`from rowhouse.collaborators c
      join rowhouse.users u on u.id = c.user_id
      left join rowhouse.bases b on c.resource_type = 'base' and b.id = c.resource_id
      where ${rolesAt(place, includeBase)} ${matches(search)}`;

export const selectCollaborators = (
  db: Queryable,
  place: Place,
  includeBase: boolean,
  page: Page,
): Promise<CollaboratorRow[]> =>
  many<CollaboratorRow>(
    db,
    sql`select u.id as "userId", u.name as "userName", u.email, u.avatar, c.role, c.created_time as "createdTime",
               c.resource_type as "resourceType", b.id as "baseId", b.name as "baseName"
        ${entries(place, includeBase, page.search)}
        order by c.created_time ${direction(page)}, c.user_id ${direction(page)}, c.resource_id
        offset ${page.skip} limit ${page.take}`,
  );

export const countCollaborators = (
  db: Queryable,
  place: Place,
  includeBase: boolean,
  search: Search,
): Promise<{ total: number; uniqTotal: number }> =>
  one<{ total: number; uniqTotal: number }>(
    db,
    sql`select count(*) as total, count(distinct c.user_id) as "uniqTotal" ${entries(place, includeBase, search)}`,
  );

interface BaseUser {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
}

const activeUsers = (baseId: string, search: Search): Sql =>
  sql`from (select c.user_id, min(c.created_time) as joined from ${roleGrants} c
            where ${rolesAt({ type: 'base', id: baseId }, false)} group by c.user_id) c
      join rowhouse.users u on u.id = c.user_id
      where u.deactivated_time is null ${matches(search)}`;

export const selectBaseUsers = (db: Queryable, baseId: string, page: Page): Promise<BaseUser[]> =>
  many<BaseUser>(
    db,
    sql`select u.id, u.name, u.email, u.avatar ${activeUsers(baseId, page.search)}
        order by c.joined ${direction(page)}, u.id ${direction(page)} offset ${page.skip} limit ${page.take}`,
  );

export const countBaseUsers = async (db: Queryable, baseId: string, search: Search): Promise<number> =>
  (await one<{ total: number }>(db, sql`select count(*) as total ${activeUsers(baseId, search)}`)).total;
