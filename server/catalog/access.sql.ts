// One statement answers who calls, where the resource stands, and which roles the caller has there.
import type { Queryable } from '../db/db.ts';
import { sql, type Sql } from '../db/sql.ts';
import { type BoundRow, boundBy } from './matrix.sql.ts';
import { placesOf, roleOn } from './role.sql.ts';

export interface Credential {
  kind: 'session' | 'token';
  /** Token id; unused for sessions. */
  id: string;
  hash: Buffer;
}

/** Somebody whose request has been answered, while a job goes on with it. */
export interface Starter {
  kind: 'starter';
  userId: string;
  /** Of the token that the request was made with; null: it was made in the app. */
  tokenId: string | null;
  /** Of the application that the token belongs to. */
  clientId: string | null;
}

type ResourceType = 'space' | 'base' | 'table';

export interface Resource {
  type: ResourceType;
  id: string;
  /** Also find it, or what it stands in, in the trash. */
  trashed: boolean;
  /** Also for those who lack the second factor that the space demands. */
  anyFactor?: boolean;
}

export interface AccessRow {
  /** The sum of the epochs that the decision rests on. */
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
  /** The space demands a second factor, and the user has none. */
  lacksSecondFactor: boolean;
  spaceRole: string | null;
  baseRole: string | null;
  /** Set for members of a base whose matrix is on, but not for its administrators. */
  bound: BoundRow | null;
  /** On disk, of the space of the resource, when they were last counted. */
  bytes: number | null;
  /** Plans that apply: that of the space of the resource, or those of all spaces of the user. */
  levels: string[] | null;
}

/** What began with a token ends with it. Those of applications are short-lived and replaced: there it is what people allowed them that counts. */
const starterRow = ({ userId, tokenId, clientId }: Starter): Sql => {
  if (tokenId === null) {
    return sql`select id as user_id, null::text as token_id, null::text as client_id, null::text[] as scopes, null::text[] as space_ids,
                      null::text[] as base_ids, true as has_full_access, now() + interval '1 hour' as expires from rowhouse.users where id = ${userId}`;
  }
  if (clientId === null) {
    return sql`select user_id, id as token_id, null::text as client_id, case when may_do_all then null else scopes end as scopes, space_ids, base_ids,
                      has_full_access, expired_time as expires
               from rowhouse.access_tokens where id = ${tokenId} and user_id = ${userId} and expired_time > now()`;
  }
  return sql`select user_id, ${tokenId}::text as token_id, client_id, scopes, null::text[] as space_ids, null::text[] as base_ids, true as has_full_access, expires_time as expires
             from rowhouse.oauth_grants where client_id = ${clientId} and user_id = ${userId} and expires_time > now() order by id desc limit 1`;
};

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
  if (resource === null)
    return sql`select null::text as space_id, null::text as base_id, null::text as table_id, null::int as base_version, null::boolean as demands where false`;
  const live = (alias: string): Sql => (resource.trashed ? sql.empty : sql`and ${sql.id(alias)}.deleted_time is null`);
  switch (resource.type) {
    case 'space':
      return sql`select s.id as space_id, null::text as base_id, null::text as table_id, null::int as base_version, s.demands_second_factor as demands
                 from rowhouse.spaces s where s.id = ${resource.id} ${live('s')}`;
    case 'base':
      return sql`select s.id as space_id, b.id as base_id, null::text as table_id, b.schema_version as base_version, s.demands_second_factor as demands
                 from rowhouse.bases b join rowhouse.spaces s on s.id = b.space_id
                 where b.id = ${resource.id} ${live('b')} ${live('s')}`;
    case 'table':
      return sql`select s.id as space_id, b.id as base_id, t.id as table_id, b.schema_version as base_version, s.demands_second_factor as demands
                 from rowhouse.tables t
                 join rowhouse.bases b on b.id = t.base_id
                 join rowhouse.spaces s on s.id = b.space_id
                 where t.id = ${resource.id} ${live('t')} ${live('b')} ${live('s')}`;
  }
};

const levelsOf = (resource: Resource | null): Sql =>
  resource === null
    ? sql`(select array_agg(distinct coalesce(q.effective_level, 'free'))
           from ${placesOf(sql`u.id`)} m (id)
           left join rowhouse.bases mb on mb.id = m.id
           left join rowhouse.subscriptions q on q.space_id = coalesce(mb.space_id, m.id))`
    : sql`(select array_agg(q.effective_level) from rowhouse.subscriptions q where q.space_id = p.space_id)`;

/** What a decision about this user in this space rests on, as one number. */
export const epochSql = (userId: Sql, spaceId: Sql): Sql =>
  sql`(select coalesce(sum(epoch), 0)::bigint from rowhouse.epochs where id in (${userId}, ${spaceId}))`;

export const selectAccess = async (
  db: Queryable,
  credential: Credential | Starter,
  resource: Resource | null,
): Promise<AccessRow> => {
  const rows = await db.query<AccessRow>(
    sql`select ${epochSql(sql`u.id`, sql`p.space_id`)} as epoch, u.id as "userId", u.name, u.email, u.is_admin as "isAdmin",
               c.token_id as "tokenId", c.client_id as "clientId", c.scopes, c.space_ids as "spaceIds",
               c.base_ids as "baseIds", c.has_full_access as "hasFullAccess", c.expires,
               p.space_id as "spaceId", p.base_id as "baseId", p.table_id as "tableId", p.base_version as "baseVersion",
               coalesce(p.demands and u.second_factor_time is null, false) as "lacksSecondFactor",
               ${roleOn(sql`u.id`, sql`p.space_id`)} as "spaceRole", ${roleOn(sql`u.id`, sql`p.base_id`)} as "baseRole", ${boundBy(sql`u.id`, sql`p.base_id`)} as bound, ${levelsOf(resource)} as levels, d.bytes
        from (values (1)) always (one)
        left join (${credential.kind === 'starter' ? starterRow(credential) : credentialRow(credential)}) c on true
        left join rowhouse.users u on u.id = c.user_id and u.deactivated_time is null
        left join (${placeRow(resource)}) p on true
        left join rowhouse.space_bytes d on d.space_id = p.space_id`,
    { prepare: true },
  );
  return rows[0] as AccessRow;
};

/** The epochs of these users and spaces. What is missing is 0. */
export const selectEpochs = async (db: Queryable, ids: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db.query<{ id: string; epoch: number }>(
    sql`select id, epoch from rowhouse.epochs where id = any(${ids}::text[])`,
    { prepare: true },
  );
  return new Map(rows.map(({ id, epoch }) => [id, epoch]));
};

/**
 * Call it in the transaction that takes away or changes something, with what is concerned: the users of a credential that
 * ends or of an account that is shut, the space of a role, a plan, a base or a table.
 */
export const bumpEpochs = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  // In order: two that concern the same do not wait for each other.
  await db.query(
    sql`insert into rowhouse.epochs (id, epoch) select distinct id, 1 from unnest(${ids}::text[]) as given (id) order by id
        on conflict (id) do update set epoch = epochs.epoch + 1`,
  );
};
