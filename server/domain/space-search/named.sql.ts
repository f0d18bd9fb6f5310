import type { FoundType } from '@rowhouse/contract/space-search.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface NamedRow {
  id: string;
  name: string;
  type: FoundType;
  icon: string | null;
  baseId: string;
  baseName: string;
  createdTime: string;
  createdUser: { id: string; name: string; avatar: string | null } | null;
}

/** Everything of a space that has a name and is not in the trash, the newest first. */
export const selectNamed = (db: Queryable, spaceId: string): Promise<NamedRow[]> =>
  many<NamedRow>(
    db,
    sql`with bases as materialized (
          select id, name, icon, created_by, created_time from rowhouse.bases where space_id = ${spaceId} and deleted_time is null
        ), named as (
          select 'base' as type, b.id, b.name, b.icon, b.id as base_id, b.name as base_name, b.created_by, b.created_time from bases b
          union all
          select 'table', t.id, t.name, t.icon, b.id, b.name, t.created_by, t.created_time from rowhouse.tables t join bases b on b.id = t.base_id where t.deleted_time is null
          union all
          select 'folder', f.id, f.name, null, b.id, b.name, f.created_by, f.created_time from rowhouse.folders f join bases b on b.id = f.base_id
          union all
          select 'workflow', a.id, a.name, null, b.id, b.name, a.created_by, a.created_time from rowhouse.automations a join bases b on b.id = a.base_id where a.deleted_time is null
          union all
          select 'dashboard', d.id, d.name, null, b.id, b.name, d.created_by, d.created_time from rowhouse.dashboards d join bases b on b.id = d.base_id where d.deleted_time is null
        )
        select n.type, n.id, n.name, n.icon, n.base_id as "baseId", n.base_name as "baseName", n.created_time as "createdTime",
               case when u.id is null then null else json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar) end as "createdUser"
        from named n left join rowhouse.users u on u.id = n.created_by order by n.created_time desc, n.id desc`,
  );
