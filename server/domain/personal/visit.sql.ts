// The one writer of rowhouse.visits.
import type { Role } from '@rowhouse/contract/permission.ts';
import type { VisitType } from '@rowhouse/contract/last-visit.ts';
import { roleOn } from '../../catalog/role.sql.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { isAmong, type Seen, seesBase } from './location.sql.ts';

interface Visit {
  resourceType: VisitType;
  resourceId: string;
  parentId: string;
  childId: string | null;
  baseId: string;
}

export const writeVisit = async (
  db: Queryable,
  userId: string,
  { resourceType, resourceId, parentId, childId, baseId }: Visit,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.visits (user_id, resource_type, resource_id, parent_id, child_id, base_id) values (${userId}, ${resourceType}, ${resourceId}, ${parentId}, ${childId}, ${baseId})
        on conflict (user_id, resource_type, resource_id) do update set visited_time = clock_timestamp(), parent_id = excluded.parent_id, child_id = excluded.child_id`,
  );
};

const keptBases = 10;

export const forgetOldBases = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.visits where user_id = ${userId} and resource_type = 'base' and resource_id in
          (select resource_id from rowhouse.visits where user_id = ${userId} and resource_type = 'base' order by visited_time desc, resource_id offset ${keptBases})`,
  );
};

interface Found {
  resourceId: string;
  childId: string | null;
}

/** The table of a base that was visited last, or else its first one; with the view that was looked at, if it is still there. */
export const selectLastTable = (
  db: Queryable,
  userId: string,
  baseId: string,
  seen: Seen | null,
): Promise<Found | undefined> =>
  maybe<Found>(
    db,
    sql`select t.id as "resourceId", coalesce(v.id, (select f.id from rowhouse.views f where f.table_id = t.id and ${isAmong(sql`f.id`, seen?.viewIds)} order by f.position, f.id limit 1)) as "childId"
        from rowhouse.tables t
        left join rowhouse.visits w on w.user_id = ${userId} and w.resource_type = 'table' and w.resource_id = t.id
        left join rowhouse.views v on v.id = w.child_id and v.table_id = t.id and ${isAmong(sql`v.id`, seen?.viewIds)}
        where t.base_id = ${baseId} and t.deleted_time is null and ${isAmong(sql`t.id`, seen?.tableIds)}
        order by w.visited_time desc nulls last, t.position, t.id limit 1`,
  );

interface LastView {
  tableId: string;
  viewId: string;
}

/** The view that was looked at last, or else the first one, of each of these tables. */
export const selectLastViews = (
  db: Queryable,
  userId: string,
  of: { baseId: string } | { tableId: string },
  seen: Seen | null,
): Promise<LastView[]> =>
  many<LastView>(
    db,
    sql`select distinct on (t.id) t.id as "tableId", v.id as "viewId"
        from rowhouse.tables t
        join rowhouse.views v on v.table_id = t.id and ${isAmong(sql`v.id`, seen?.viewIds)}
        left join rowhouse.visits w on w.user_id = ${userId} and w.resource_type = 'view' and w.resource_id = v.id
        where ${'baseId' in of ? sql`t.base_id = ${of.baseId}` : sql`t.id = ${of.tableId}`} and t.deleted_time is null
        order by t.id, w.visited_time desc nulls last, v.position, v.id`,
  );

interface LastBase {
  id: string;
  name: string;
  icon: string | null;
  spaceId: string;
  role: Role;
  time: string;
}

/** Within a space, or everywhere. */
export const selectLastBases = (db: Queryable, userId: string, spaceId: string | null): Promise<LastBase[]> =>
  many<LastBase>(
    db,
    sql`select b.id, b.name, b.icon, b.space_id as "spaceId", to_char(w.visited_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time,
               ${roleOn(sql`${userId}`, sql`b.id, b.space_id`)} as role
        from rowhouse.visits w join rowhouse.bases b on b.id = w.resource_id
        where w.user_id = ${userId} and w.resource_type = 'base' and ${seesBase(userId)} ${spaceId === null ? sql.empty : sql`and b.space_id = ${spaceId}`}
        order by w.visited_time desc, b.id limit ${keptBases}`,
  );
