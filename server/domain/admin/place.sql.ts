// What administrators see of spaces and bases: whose they are, how large, and when they were last used.
import type { baseOrders, spaceOrders } from '@rowhouse/contract/admin-space.ts';
import { roleGrants, spaceAndBases } from '../../catalog/role.sql.ts';
import { tableSizes } from '../../db/citus.ts';
import { maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { snapshotSpaceId } from '../template/template.sql.ts';
import { anywhere, type Page, type Paged, selectPage } from './page.sql.ts';

interface SpaceRow {
  id: string;
  name: string;
  createdTime: string;
  deletedTime: string | null;
  autoJoin: boolean;
  baseCount: number;
  collaboratorCount: number;
  owners: { id: string; name: string; email: string }[];
  records: number;
  bytes: number;
  lastUsedTime: string | null;
}

interface SpaceFilter extends Page {
  search?: string | undefined;
  sort?: (typeof spaceOrders)[number] | undefined;
  withoutOwner?: boolean | undefined;
  includeDeleted?: boolean | undefined;
}

const spaceOrder: Record<(typeof spaceOrders)[number], Sql> = {
  created: sql`f.created_time desc, f.id`,
  name: sql`lower(f.name), f.id`,
  size: sql`f.bytes desc, f.id`,
  used: sql`f.last_used desc nulls last, f.id`,
};

/** Active people with a role on a space or one of its bases. As an array the places are looked up by the index: a page of a hundred of ten thousand spaces took ten times as long. */
const peopleIn = (space: Sql): Sql =>
  sql`select held.user_id, held.role from ${roleGrants} held join rowhouse.users person on person.id = held.user_id and person.deactivated_time is null
      where held.resource_id = any(array(${spaceAndBases(space)}))`;

/** Active people who own it, by themselves or by a group. */
const ownersOf = (space: Sql): Sql =>
  sql`select distinct o.id, o.name, o.email from (${peopleIn(space)}) held join rowhouse.users o on o.id = held.user_id
      where held.role = 'owner'`;

const hasOwner = (space: Sql): Sql =>
  sql`exists (select from ${roleGrants} g join rowhouse.users o on o.id = g.user_id and o.deactivated_time is null
              where g.resource_id = ${space} and g.role = 'owner')`;

const isOwnedBy = (space: Sql, pattern: string): Sql =>
  sql`exists (select from ${roleGrants} g join rowhouse.users o on o.id = g.user_id
              where g.resource_id = ${space} and g.role = 'owner' and (o.name ilike ${pattern} or o.email ilike ${pattern}))`;

export const selectSpacePage = (
  db: Queryable,
  { search, sort = 'created', withoutOwner = false, includeDeleted = false, ...page }: SpaceFilter,
): Promise<Paged<SpaceRow>> =>
  selectPage<SpaceRow>(
    db,
    {
      // Snapshots of templates are kept in a space that nobody has a role in.
      found: sql`select s.id, s.name, s.created_time, s.deleted_time, s.auto_join, coalesce(d.bytes, 0) as bytes,
                   (select max(v.visited_time) from rowhouse.visits v join rowhouse.bases b on b.id = v.base_id where b.space_id = s.id) as last_used
                 from rowhouse.spaces s left join rowhouse.space_bytes d on d.space_id = s.id
                 where s.id <> ${snapshotSpaceId}
                   ${includeDeleted ? sql.empty : sql`and s.deleted_time is null`}
                   ${withoutOwner ? sql`and not ${hasOwner(sql`s.id`)}` : sql.empty}
                   ${search === undefined || search === '' ? sql.empty : sql`and (s.name ilike ${anywhere(search)} or s.id = ${search} or ${isOwnedBy(sql`s.id`, anywhere(search))})`}`,
      order: spaceOrder[sort],
      shown: sql`p.id, p.name, p.created_time as "createdTime", p.deleted_time as "deletedTime", p.auto_join as "autoJoin", p.bytes, p.last_used as "lastUsedTime",
        (select count(*)::int from rowhouse.bases b where b.space_id = p.id and b.deleted_time is null) as "baseCount",
        (select count(distinct user_id)::int from (${peopleIn(sql`p.id`)}) people) as "collaboratorCount",
        (select coalesce(sum(used), 0)::bigint from rowhouse.row_quota q where q.space_id = p.id) as records,
        (select coalesce(jsonb_agg(to_jsonb(o) order by o.name, o.id), '[]'::jsonb) from (select * from (${ownersOf(sql`p.id`)}) all_owners order by name, id limit 10) o) as owners`,
    },
    page,
  );

interface BaseRow {
  id: string;
  name: string;
  spaceId: string;
  spaceName: string;
  createdTime: string;
  tableCount: number;
  bytes: number;
  lastUsedTime: string | null;
}

export interface BaseFilter extends Page {
  search?: string | undefined;
  spaceId?: string | undefined;
  sort?: (typeof baseOrders)[number] | undefined;
}

/** By size every base is measured; otherwise those of the page alone. */
export const selectBasePage = async (
  db: Queryable,
  { search, spaceId, sort = 'used', ...page }: BaseFilter,
): Promise<Paged<BaseRow>> => {
  const { size, from } = await tableSizes(db);
  const bytesOf = (base: Sql): Sql =>
    sql`(select coalesce(sum(${size}), 0)::bigint from pg_namespace n join ${from} where n.nspname = ${base})`;
  const bySize = sort === 'size';
  const orders: Record<(typeof baseOrders)[number], Sql> = {
    used: sql`f.last_used desc nulls last, f.id`,
    name: sql`lower(f.name), f.id`,
    size: sql`f.bytes desc, f.id`,
  };
  return selectPage<BaseRow>(
    db,
    {
      found: sql`select b.id, b.name, b.space_id, s.name as space_name, b.created_time, ${bySize ? bytesOf(sql`b.id`) : sql`null::bigint`} as bytes,
                   (select max(v.visited_time) from rowhouse.visits v where v.base_id = b.id) as last_used
                 from rowhouse.bases b join rowhouse.spaces s on s.id = b.space_id
                 where b.deleted_time is null and s.deleted_time is null and s.id <> ${snapshotSpaceId}
                   ${spaceId === undefined ? sql.empty : sql`and s.id = ${spaceId}`}
                   ${search === undefined || search === '' ? sql.empty : sql`and (b.name ilike ${anywhere(search)} or s.name ilike ${anywhere(search)} or b.id = ${search})`}`,
      order: orders[sort],
      shown: sql`p.id, p.name, p.space_id as "spaceId", p.space_name as "spaceName", p.created_time as "createdTime", p.last_used as "lastUsedTime",
        (select count(*)::int from rowhouse.tables t where t.base_id = p.id and t.deleted_time is null) as "tableCount",
        ${bySize ? sql`p.bytes` : bytesOf(sql`p.id`)} as bytes`,
    },
    page,
  );
};

/** Null: it is not there, or in the trash. */
export const selectSpaceName = async (db: Queryable, spaceId: string): Promise<string | null> =>
  (
    await maybe<{ name: string }>(
      db,
      sql`select name from rowhouse.spaces where id = ${spaceId} and deleted_time is null for no key update`,
    )
  )?.name ?? null;
