// The one writer of the tables of rights: rowhouse.matrices and what belongs to it.
import { hasRoleOn, baseAndSpace, peopleOfSpace } from '../../catalog/role.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { DraftTable, StoredTable } from './stored.ts';

export interface StoredMatrix {
  id: string;
  baseId: string;
  version: number;
  enabledTime: string | null;
  defaultRoleId: string | null;
  adminIds: string[];
}

const matrixColumns = sql`m.id, m.base_id as "baseId", m.version, to_json(m.enabled_time) as "enabledTime", m.default_role_id as "defaultRoleId",
  array(select a.user_id from rowhouse.matrix_admins a where a.base_id = m.base_id order by a.user_id) as "adminIds"`;

export const selectMatrixHead = (db: Queryable, baseId: string): Promise<StoredMatrix | undefined> =>
  maybe<StoredMatrix>(
    db,
    sql`select ${matrixColumns} from rowhouse.matrices m join rowhouse.bases b on b.id = m.base_id where m.base_id = ${baseId}`,
  );

export const insertMatrix = async (
  db: Queryable,
  matrix: { id: string; baseId: string; userId: string },
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.matrices (id, base_id, created_by) values (${matrix.id}, ${matrix.baseId}, ${matrix.userId}) on conflict (base_id) do nothing`,
  );
};

/** Those who remember grants by the version read them again. */
export const bumpMatrix = async (db: Queryable, baseId: string): Promise<void> => {
  await db.query(sql`update rowhouse.matrices set version = version + 1 where base_id = ${baseId}`);
};

export const saveMatrix = async (
  db: Queryable,
  { baseId, isOn, defaultRoleId }: { baseId: string; isOn: boolean; defaultRoleId: string | null },
): Promise<void> => {
  await db.query(
    sql`update rowhouse.matrices set enabled_time = case when ${isOn} then coalesce(enabled_time, now()) end, default_role_id = ${defaultRoleId} where base_id = ${baseId}`,
  );
};

export const replaceAdmins = async (db: Queryable, baseId: string, userIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`with gone as (delete from rowhouse.matrix_admins where base_id = ${baseId} and user_id <> all(${userIds}::text[]))
        insert into rowhouse.matrix_admins (base_id, user_id) select ${baseId}, id from unnest(${userIds}::text[]) given (id) on conflict do nothing`,
  );
};

/** Active people whom the rules of the base would not bind: owners of its space, and these administrators. */
export const countManagers = async (
  db: Queryable,
  { spaceId, baseId, adminIds }: { spaceId: string; baseId: string; adminIds: readonly string[] },
): Promise<number> =>
  (
    await one<{ n: number }>(
      db,
      sql`select count(*)::int as n from rowhouse.users u where u.deactivated_time is null and (
            u.id in (select user_id from (${peopleOfSpace(sql`${spaceId}`)}) held where held.role = 'owner')
            or (u.id = any(${adminIds}::text[]) and ${hasRoleOn(sql`u.id`, baseAndSpace(baseId))}))`,
    )
  ).n;

export interface PersonRow {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
}

export const selectPeople = (db: Queryable, userIds: readonly string[]): Promise<PersonRow[]> =>
  many<PersonRow>(
    db,
    sql`select id, name, email, avatar from rowhouse.users where id = any(${userIds}::text[]) order by lower(name), id`,
  );

export interface StoredRole {
  id: string;
  baseId: string;
  name: string;
  description: string | null;
  enabledTime: string | null;
  createdTime: string;
  nodes: { nodeType: 'workflow' | 'app'; nodeId: string; enabledTime?: string }[];
  users: PersonRow[];
  departments: { id: string; name: string }[];
  /** Tables in the trash are left out. */
  tables: StoredTable[];
}

/** In the order in which they were made. Null: all roles of the base. */
export const selectRoles = (db: Queryable, baseId: string, roleId: string | null = null): Promise<StoredRole[]> =>
  many<StoredRole>(
    db,
    sql`select r.id, r.base_id as "baseId", r.name, r.description, to_json(r.enabled_time) as "enabledTime", to_json(r.created_time) as "createdTime", r.nodes,
          coalesce((select json_agg(p order by lower(p.name), p.id)
                    from (select u.id, u.name, u.email, u.avatar from rowhouse.matrix_members m join rowhouse.users u on u.id = m.user_id where m.role_id = r.id) p), '[]') as users,
          coalesce((select json_agg(p order by lower(p.name), p.id)
                    from (select g.id, g.name from rowhouse.matrix_members m join rowhouse.groups g on g.id = m.group_id where m.role_id = r.id) p), '[]') as departments,
          coalesce((select json_agg(p) from (
                      select g.table_id as "tableId", g.enabled_time as "enabledTime", g.view_ids as "viewIds", g.shows_facts as "showsFacts", g.grants, g.created_time as "createdTime"
                      from rowhouse.matrix_grants g join rowhouse.tables t on t.id = g.table_id and t.deleted_time is null where g.role_id = r.id order by t.position, t.id) p), '[]') as tables
        from rowhouse.matrix_roles r where r.base_id = ${baseId} and (${roleId}::text is null or r.id = ${roleId}) order by r.created_time, r.id`,
  );

interface RoleHead {
  id: string;
  baseId: string;
  name: string;
  description: string | null;
  isOn: boolean;
  nodes: StoredRole['nodes'];
}

export const insertRole = async (db: Queryable, role: RoleHead & { userId: string }): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.matrix_roles (id, base_id, name, description, enabled_time, nodes, created_by)
        values (${role.id}, ${role.baseId}, ${role.name}, ${role.description}, case when ${role.isOn} then now() end, ${JSON.stringify(role.nodes)}::jsonb, ${role.userId})`,
  );
};

export const saveRole = async (db: Queryable, role: RoleHead): Promise<void> => {
  await db.query(
    sql`update rowhouse.matrix_roles set name = ${role.name}, description = ${role.description}, nodes = ${JSON.stringify(role.nodes)}::jsonb,
          enabled_time = case when ${role.isOn} then coalesce(enabled_time, now()) end where id = ${role.id}`,
  );
};

export const deleteRoleRow = async (db: Queryable, roleId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.matrix_roles where id = ${roleId}`);
};

/** Of tables in the trash the grants stay: they count again when the table comes back. */
export const replaceGrants = async (db: Queryable, roleId: string, tables: readonly DraftTable[]): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.matrix_grants g using rowhouse.tables t
        where g.role_id = ${roleId} and t.id = g.table_id and t.deleted_time is null and g.table_id <> all(${tables.map(({ tableId }) => tableId)}::text[])`,
  );
  await db.query(
    sql`insert into rowhouse.matrix_grants as g (role_id, table_id, enabled_time, view_ids, shows_facts, grants)
        select ${roleId}, i."tableId", case when i."isOn" then now() end, i."viewIds", i."showsFacts", i.grants
        from jsonb_to_recordset(${JSON.stringify(tables)}::jsonb) i ("tableId" text, "isOn" boolean, "viewIds" text[], "showsFacts" boolean, grants jsonb)
        on conflict (role_id, table_id) do update set view_ids = excluded.view_ids, shows_facts = excluded.shows_facts, grants = excluded.grants,
          enabled_time = case when excluded.enabled_time is not null then coalesce(g.enabled_time, excluded.enabled_time) end`,
  );
};

/** Also of tables in the trash. */
export const copyGrants = async (db: Queryable, fromId: string, toId: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.matrix_grants (role_id, table_id, enabled_time, view_ids, shows_facts, grants)
        select ${toId}, table_id, enabled_time, view_ids, shows_facts, grants from rowhouse.matrix_grants where role_id = ${fromId}`,
  );
};

/** Each list replaces those of its kind. */
export const replaceMembers = async (
  db: Queryable,
  roleId: string,
  { userIds, groupIds }: { userIds: readonly string[]; groupIds: readonly string[] },
): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.matrix_members where role_id = ${roleId} and principal_id <> all(${[...userIds, ...groupIds]}::text[])`,
  );
  await db.query(
    sql`insert into rowhouse.matrix_members (role_id, user_id, group_id)
        select ${roleId}, id, null from unnest(${userIds}::text[]) given (id) union all select ${roleId}, null, id from unnest(${groupIds}::text[]) given (id)
        on conflict do nothing`,
  );
};

/** Of these people and groups those who have no role on the base or its space. */
export const selectStrangers = async (
  db: Queryable,
  baseId: string,
  principalIds: readonly string[],
): Promise<Set<string>> =>
  new Set(
    (
      await many<{ id: string }>(
        db,
        sql`select id from unnest(${principalIds}::text[]) given (id) where not ${hasRoleOn(sql`given.id`, baseAndSpace(baseId))}`,
      )
    ).map(({ id }) => id),
  );

/** Tables of a base that are not in the trash, with the ids of their fields and views. */
export const selectParts = (
  db: Queryable,
  baseId: string,
): Promise<{ id: string; name: string; fieldIds: string[]; viewIds: string[] }[]> =>
  many(
    db,
    sql`select t.id, t.name, array(select id from rowhouse.fields where table_id = t.id) as "fieldIds", array(select id from rowhouse.views where table_id = t.id) as "viewIds"
        from rowhouse.tables t where t.base_id = ${baseId} and t.deleted_time is null order by t.position, t.id`,
  );
