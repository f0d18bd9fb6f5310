// The lists of people on a space or base, with paging and search.
import type { Role } from '@rowhouse/contract/permission.ts';
import { baseAndSpace, givenRoles, roleGrants } from '../../catalog/role.sql.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { sql, type Sql } from '../../db/sql.ts';
import type { Place } from './collaborator.sql.ts';

export interface CollaboratorRow {
  type: 'user' | 'department';
  id: string;
  name: string;
  /** Of a person. */
  email: string | null;
  avatar: string | null;
  role: Role;
  createdTime: string;
  resourceType: 'space' | 'base';
  baseId: string | null;
  baseName: string | null;
}

interface Which {
  /** Also those of the bases of a space. */
  includeBase: boolean;
  kind: Kind;
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

const matches = ({ text, inEmails }: Search, name: Sql = sql`u.name`): Sql =>
  text === ''
    ? sql.empty
    : sql`and (strpos(lower(${name}), lower(${text})) > 0${inEmails ? sql` or strpos(lower(u.email), lower(${text})) > 0` : sql.empty})`;

/** People, groups or both. */
export type Kind = 'user' | 'department' | undefined;

const ofKind = (kind: Kind): Sql => {
  if (kind === undefined) return sql.empty;
  return kind === 'user' ? sql`and c.user_id is not null` : sql`and c.group_id is not null`;
};

// A base lists the people of its space too; a space lists those of its bases on request.
const rolesAt = (place: Place, includeBase: boolean): Sql => {
  if (place.type === 'base') return sql`c.resource_id in (${baseAndSpace(place.id)})`;
  if (!includeBase) return sql`c.resource_id = ${place.id}`;
  return sql`(c.resource_id = ${place.id} or (b.space_id = ${place.id} and b.deleted_time is null))`;
};

const nameOfHolder = sql`coalesce(u.name, g.name)`;

const entries = (place: Place, { includeBase, kind }: Which, search: Search): Sql =>
  sql`from ${givenRoles} c
      left join rowhouse.users u on u.id = c.user_id
      left join rowhouse.groups g on g.id = c.group_id
      left join rowhouse.bases b on c.resource_type = 'base' and b.id = c.resource_id
      where ${rolesAt(place, includeBase)} ${ofKind(kind)} ${matches(search, nameOfHolder)}`;

export const selectCollaborators = (
  db: Queryable,
  place: Place,
  which: Which,
  page: Page,
): Promise<CollaboratorRow[]> =>
  many<CollaboratorRow>(
    db,
    sql`select case when c.group_id is null then 'user' else 'department' end as type, c.principal_id as id, ${nameOfHolder} as name, u.email, u.avatar,
               c.role, c.created_time as "createdTime", c.resource_type as "resourceType", b.id as "baseId", b.name as "baseName"
        ${entries(place, which, page.search)}
        order by c.created_time ${direction(page)}, c.principal_id ${direction(page)}, c.resource_id
        offset ${page.skip} limit ${page.take}`,
  );

export const countCollaborators = (
  db: Queryable,
  place: Place,
  which: Which,
  search: Search,
): Promise<{ total: number; uniqTotal: number }> =>
  one<{ total: number; uniqTotal: number }>(
    db,
    sql`select count(*) as total, count(distinct c.principal_id) as "uniqTotal" ${entries(place, which, search)}`,
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
