// One statement answers who calls, where the resource stands, and which roles the caller has there.
import type { Queryable } from '../db/db.ts';
import { sql, type Sql } from '../db/sql.ts';

export interface Credential {
  kind: 'session' | 'token';
  /** Token id; unused for sessions. */
  id: string;
  hash: Buffer;
}

export type ResourceType = 'space' | 'base' | 'table';

export interface Resource {
  type: ResourceType;
  id: string;
  /** Also find it, or what it stands in, in the trash. */
  trashed: boolean;
}

export interface AccessRow {
  epoch: number;
  userId: string | null;
  name: string;
  email: string;
  isAdmin: boolean;
  tokenId: string | null;
  clientId: string | null;
  scopes: string[] | null;
  spaceIds: string[] | null;
  baseIds: string[] | null;
  hasFullAccess: boolean;
  expires: string;
  spaceId: string | null;
  baseId: string | null;
  tableId: string | null;
  /** Version of the schema of the base. */
  baseVersion: number | null;
  spaceRole: string | null;
  baseRole: string | null;
  /** Plans that apply: that of the space of the resource, or those of all spaces of the user. */
  levels: string[] | null;
}

const credentialRow = (credential: Credential): Sql =>
  credential.kind === 'token'
    ? sql`select user_id, id as token_id, client_id, case when may_do_all then null else scopes end as scopes, space_ids, base_ids,
                 has_full_access, expired_time as expires
          from rowhouse.access_tokens
          where id = ${credential.id} and secret_hash = ${credential.hash} and expired_time > now() + interval '1 second'`
    : sql`select user_id, null::text as token_id, null::text as client_id, null::text[] as scopes, null::text[] as space_ids,
                 null::text[] as base_ids, true as has_full_access, expires_time as expires
          from rowhouse.sessions where hash = ${credential.hash} and expires_time > now()`;

const placeRow = (resource: Resource | null): Sql => {
  if (resource === null) return sql`select null::text as space_id, null::text as base_id, null::text as table_id, null::int as base_version where false`;
  const live = (alias: string): Sql => (resource.trashed ? sql.empty : sql`and ${sql.id(alias)}.deleted_time is null`);
  switch (resource.type) {
    case 'space':
      return sql`select s.id as space_id, null::text as base_id, null::text as table_id, null::int as base_version
                 from rowhouse.spaces s where s.id = ${resource.id} ${live('s')}`;
    case 'base':
      return sql`select s.id as space_id, b.id as base_id, null::text as table_id, b.schema_version as base_version
                 from rowhouse.bases b join rowhouse.spaces s on s.id = b.space_id
                 where b.id = ${resource.id} ${live('b')} ${live('s')}`;
    case 'table':
      return sql`select s.id as space_id, b.id as base_id, t.id as table_id, b.schema_version as base_version
                 from rowhouse.tables t
                 join rowhouse.bases b on b.id = t.base_id
                 join rowhouse.spaces s on s.id = b.space_id
                 where t.id = ${resource.id} ${live('t')} ${live('b')} ${live('s')}`;
  }
};

const levelsOf = (resource: Resource | null): Sql =>
  resource === null
    ? sql`(select array_agg(distinct coalesce(q.effective_level, 'free'))
           from rowhouse.collaborators m
           left join rowhouse.bases mb on mb.id = m.resource_id
           left join rowhouse.subscriptions q on q.space_id = coalesce(mb.space_id, m.resource_id)
           where m.user_id = u.id)`
    : sql`(select array_agg(q.effective_level) from rowhouse.subscriptions q where q.space_id = p.space_id)`;

export const selectAccess = async (db: Queryable, credential: Credential, resource: Resource | null): Promise<AccessRow> => {
  const rows = await db.query<AccessRow>(
    sql`select i.epoch, u.id as "userId", u.name, u.email, u.is_admin as "isAdmin",
               c.token_id as "tokenId", c.client_id as "clientId", c.scopes, c.space_ids as "spaceIds",
               c.base_ids as "baseIds", c.has_full_access as "hasFullAccess", c.expires,
               p.space_id as "spaceId", p.base_id as "baseId", p.table_id as "tableId", p.base_version as "baseVersion",
               cs.role as "spaceRole", cb.role as "baseRole", ${levelsOf(resource)} as levels
        from rowhouse.instance i
        left join (${credentialRow(credential)}) c on true
        left join rowhouse.users u on u.id = c.user_id and u.deactivated_time is null
        left join (${placeRow(resource)}) p on true
        left join rowhouse.collaborators cs on cs.resource_id = p.space_id and cs.user_id = u.id
        left join rowhouse.collaborators cb on cb.resource_id = p.base_id and cb.user_id = u.id`,
    { prepare: true },
  );
  return rows[0] as AccessRow;
};

export const selectEpoch = async (db: Queryable): Promise<number> => {
  const rows = await db.query<{ epoch: number }>(sql`select epoch from rowhouse.instance`, { prepare: true });
  return (rows[0] as { epoch: number }).epoch;
};

/** Call it in the transaction that takes away or changes a credential, a role, a user, or the place of a base or table. */
export const bumpEpoch = async (db: Queryable): Promise<void> => {
  await db.query(sql`update rowhouse.instance set epoch = epoch + 1`);
};
