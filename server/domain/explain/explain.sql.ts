// Reading for explanations of rights: the people of a base with what decides about them, and how many records meet conditions.
import type { RecordCondition } from '../../catalog/condition.ts';
import { baseAndSpace, hasRoleOn, roleOn } from '../../catalog/role.sql.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { recordsOf } from '../cell/linked.sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { conditionSql } from '../query/condition.sql.ts';

export interface Member {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
  isOwner: boolean;
  groupIds: string[];
}

/** Active people with a role on the base or its space, in order of their names. */
export const selectMembers = (db: Queryable, baseId: string, limit: number): Promise<(Member & { total: number })[]> =>
  many(
    db,
    sql`select u.id, u.name, u.email, u.avatar, count(*) over ()::int as total,
          coalesce(${roleOn(sql`u.id`, sql`(select space_id from rowhouse.bases where id = ${baseId})`)} = 'owner', false) as "isOwner",
          array(select m.group_id from rowhouse.group_members m where m.user_id = u.id order by m.group_id) as "groupIds"
        from rowhouse.users u where u.deactivated_time is null and ${hasRoleOn(sql`u.id`, baseAndSpace(baseId))}
        order by lower(u.name), u.id limit ${limit}`,
  );

interface Credentials {
  tokens: number;
  applications: string[];
}

/** By person: access tokens that read records of the base, and applications whose tokens do. Those without any are left out. */
export const selectCredentials = async (
  db: Queryable,
  baseId: string,
  userIds: readonly string[],
): Promise<Map<string, Credentials>> => {
  const reads = (alias: string): Sql => sql`'record|read' = any(${sql.id(alias, 'scopes')})`;
  const rows = await many<Credentials & { id: string }>(
    db,
    sql`select u.id, own.tokens, own.applications from unnest(${userIds}::text[]) u(id), rowhouse.bases b,
          lateral (select (select count(*)::int from rowhouse.access_tokens t
                     where t.user_id = u.id and t.client_id is null and not t.is_temporary and t.expired_time > now() and (t.may_do_all or ${reads('t')})
                       and (t.has_full_access or b.id = any(t.base_ids) or b.space_id = any(t.space_ids))) as tokens,
                   array(select distinct c.name from rowhouse.oauth_grants g join rowhouse.oauth_clients c on c.client_id = g.client_id
                     where g.user_id = u.id and g.code_used_time is not null and g.expires_time > now() and ${reads('g')} order by c.name) as applications) own
        where b.id = ${baseId} and (own.tokens > 0 or cardinality(own.applications) > 0)`,
  );
  return new Map(rows.map(({ id, tokens, applications }) => [id, { tokens, applications }]));
};

interface TableShare {
  viewId: string;
  meta: Record<string, unknown> | null;
}

export const selectSharesOf = (db: Queryable, tableId: string): Promise<TableShare[]> =>
  many<TableShare>(
    db,
    sql`select s.view_id as "viewId", s.meta from rowhouse.shares s join rowhouse.views v on v.id = s.view_id
        where v.table_id = ${tableId} and s.is_on order by v.position, v.id`,
  );

export interface Asked {
  condition: RecordCondition;
  userId: string;
}

/** A condition of rights on one record, for somebody. */
const heldBy = ({ condition, userId }: Asked, table: TableSchema, now: Date): Sql =>
  sql`(${conditionSql(condition, table, { userId, now })}) is true`;

const atOnce = 500;

/** Which of the conditions hold for a record, in their order. Undefined: there is no such record. */
export const selectHolds = async (
  db: Queryable,
  table: TableSchema,
  recordId: string,
  asked: readonly Asked[],
  now: Date,
): Promise<boolean[] | undefined> => {
  const found: boolean[] = [];
  for (let at = 0; at === 0 || at < asked.length; at += atOnce) {
    const parts = asked.slice(at, at + atOnce).map((one) => heldBy(one, table, now));
    const [row] = await many<{ holds: boolean[] }>(
      db,
      sql`select array[${sql.join(parts, ', ')}]::boolean[] as holds from ${recordsOf(table)} r where r.__id = ${recordId}`,
    );
    if (row === undefined) return undefined;
    found.push(...row.holds);
  }
  return found;
};

interface RecordCounts {
  before: number;
  after: number;
  gained: number;
  lost: number;
}

interface Comparison {
  table: TableSchema;
  before: Asked;
  after: Asked;
  now: Date;
  /** Milliseconds; then it is given up. */
  within: number;
}

export const countRecords = (db: Queryable, { table, before, after, now, within }: Comparison): Promise<RecordCounts> =>
  db
    .query<RecordCounts>(
      sql`select count(*) filter (where b)::int as before, count(*) filter (where a)::int as after,
            count(*) filter (where a and not b)::int as gained, count(*) filter (where b and not a)::int as lost
          from (select ${heldBy(before, table, now)} as b, ${heldBy(after, table, now)} as a from ${recordsOf(table)} r) held`,
      { within },
    )
    .then(([row]) => row as RecordCounts);

/** Records that one of two sights shows and the other does not, with their titles. */
export const selectExamples = (
  db: Queryable,
  { table, before, after, now, within }: Comparison,
  limit: number,
): Promise<{ id: string; title: string | null }[]> =>
  db.query(
    sql`select r.__id as id, left(${cellTypeOf(table.primary).text(columnOf(table.primary, 'r'), table.primary)}, 200) as title
        from ${recordsOf(table)} r where ${heldBy(after, table, now)} and not (${heldBy(before, table, now)}) order by r.__auto_number limit ${limit}`,
    { within },
  );
