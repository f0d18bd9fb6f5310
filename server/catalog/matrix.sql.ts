// What the rules of a base say of a caller: whether they are bound by them, by which roles, and what these grant. `domain/rights` writes these tables.
import { many, one, type Queryable } from '../db/db.ts';
import { type Sql, sql } from '../db/sql.ts';
import { principalsOf, roleOn } from './role.sql.ts';

/** Of somebody who is bound: the version of the matrix, and the roles that are in effect for them, in order. */
export interface BoundRow {
  version: number;
  roleIds: string[];
}

const enabledRoles = sql`rowhouse.matrix_roles r where r.base_id = m.base_id and r.enabled_time is not null`;

/** Null: no matrix is switched on in the base, or the user is one of its administrators. Without a role of their own the default one counts. */
export const boundBy = (userId: Sql, baseId: Sql): Sql => {
  const own = sql`array(select r.id from ${enabledRoles} and exists (
    select from rowhouse.matrix_members mm where mm.role_id = r.id and mm.principal_id = any(${principalsOf(userId)})) order by r.id)`;
  const fallback = sql`array(select r.id from ${enabledRoles} and r.id = m.default_role_id)`;
  return sql`(select json_build_object('version', m.version, 'roleIds', case when cardinality(mine.roles) > 0 then mine.roles else ${fallback} end)
    from rowhouse.matrices m, lateral (select ${own} as roles) mine
    where m.base_id = ${baseId} and m.enabled_time is not null
      and not exists (select from rowhouse.matrix_admins a where a.base_id = m.base_id and a.user_id = ${userId}))`;
};

/** Whether rules bind the user in a base of a space: there is a matrix, and they are neither an owner of the space nor one of its administrators. */
export const isBoundIn = (userId: Sql, { baseId, spaceId }: { baseId: Sql; spaceId: Sql }): Sql =>
  sql`(${boundBy(userId, baseId)} is not null and ${roleOn(userId, spaceId)} is distinct from 'owner')`;

/** Whether anybody is bound in the base. */
export const hasRules = async (db: Queryable, baseId: string): Promise<boolean> =>
  (
    await one<{ has: boolean }>(
      db,
      sql`select exists (select from rowhouse.matrices where base_id = ${baseId} and enabled_time is not null) as has`,
    )
  ).has;

/** As they are stored. */
export interface StoredGrant {
  actions: string[];
  fields: string[] | null;
  create: string[] | null;
  update: string[] | null;
  when: unknown;
  after?: unknown;
  memo?: string;
  reveals?: string[];
}

export interface TableGrants {
  tableId: string;
  viewIds: string[] | null;
  showsFacts: boolean;
  grants: StoredGrant[];
}

/** Of these roles, and the version that they belong to. */
export const selectGrants = (db: Queryable, roleIds: readonly string[]): Promise<TableGrants[]> =>
  many<TableGrants>(
    db,
    sql`select g.table_id as "tableId", g.view_ids as "viewIds", g.shows_facts as "showsFacts", g.grants
        from rowhouse.matrix_grants g join rowhouse.matrix_roles r on r.id = g.role_id
        where g.role_id = any(${roleIds}::text[]) and g.enabled_time is not null and r.enabled_time is not null order by g.table_id, g.role_id`,
  );

/** What the roles of a base ask of the records of a table that they show, while rights are on. In the order of the roles. */
export const selectReadConditions = async (db: Queryable, baseId: string, tableId: string): Promise<unknown[]> =>
  (
    await many<{ condition: unknown }>(
      db,
      sql`select given.one -> 'when' as condition
          from rowhouse.matrices m join rowhouse.matrix_roles r on r.base_id = m.base_id join rowhouse.matrix_grants g on g.role_id = r.id,
               jsonb_array_elements(g.grants) with ordinality given(one, place)
          where m.base_id = ${baseId} and m.enabled_time is not null and r.enabled_time is not null and g.enabled_time is not null and g.table_id = ${tableId}
            and given.one -> 'actions' ? 'record|read' and jsonb_typeof(given.one -> 'when') = 'object'
          order by r.id, given.place`,
    )
  ).map(({ condition }) => condition);
