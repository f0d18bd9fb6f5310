// The writer of rowhouse.dashboards and of their items. It stands beside that of folders: a dashboard has a place among the tables of its base.
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface DashboardRow {
  id: string;
  name: string;
  folderId: string | null;
  position: number;
}

export interface DashboardItemRow {
  id: string;
  name: string;
  x: number;
  y: number;
  w: number;
  h: number;
  version: number;
  /** `{chart}`, what Teable's clients store, or nothing yet. */
  storage: Record<string, unknown> | null;
}

const columns = sql`id, name, folder_id as "folderId", position`;

/** Those that are not in the trash, in the order of the tree. */
export const selectDashboards = (db: Queryable, baseId: string): Promise<DashboardRow[]> =>
  many<DashboardRow>(
    db,
    sql`select ${columns} from rowhouse.dashboards where base_id = ${baseId} and deleted_time is null order by position, id`,
  );

/** For the rest of the transaction. */
export const lockDashboard = (
  tx: Queryable,
  baseId: string,
  id: string,
): Promise<(DashboardRow & { filters: unknown[] }) | undefined> =>
  maybe(
    tx,
    sql`select ${columns}, filters from rowhouse.dashboards where id = ${id} and base_id = ${baseId} and deleted_time is null for update`,
  );

export const insertDashboard = async (
  db: Queryable,
  baseId: string,
  { id, name, folderId, position }: DashboardRow,
  createdBy: string,
  filters: unknown = [],
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.dashboards (id, base_id, folder_id, name, position, filters, created_by)
        values (${id}, ${baseId}, ${folderId}, ${name}, ${position}, ${JSON.stringify(filters)}::jsonb, ${createdBy})`,
  );
};

export const updateDashboardName = async (db: Queryable, id: string, name: string): Promise<void> => {
  await db.query(sql`update rowhouse.dashboards set name = ${name} where id = ${id}`);
};

export const updateDashboardFilters = async (db: Queryable, id: string, filters: unknown): Promise<void> => {
  await db.query(sql`update rowhouse.dashboards set filters = ${JSON.stringify(filters)}::jsonb where id = ${id}`);
};

export const placeDashboards = async (
  db: Queryable,
  places: readonly { id: string; parentId: string | null; position: number }[],
): Promise<void> => {
  if (places.length > 0)
    await db.query(
      sql`update rowhouse.dashboards d set position = n.position, folder_id = n."parentId"
          from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as n(id text, "parentId" text, position double precision) where d.id = n.id`,
    );
};

export const trashDashboard = async (db: Queryable, id: string, by: string): Promise<void> => {
  await db.query(sql`update rowhouse.dashboards set deleted_time = now(), deleted_by = ${by} where id = ${id}`);
};

export const untrashDashboard = async (db: Queryable, id: string, name: string, position: number): Promise<void> => {
  await db.query(
    sql`update rowhouse.dashboards set deleted_time = null, deleted_by = null, name = ${name}, position = ${position} where id = ${id}`,
  );
};

/** In the trash; of the whole base without an id. Answers which. */
export const deleteTrashedDashboards = (
  db: Queryable,
  baseId: string,
  id?: string,
): Promise<{ id: string; name: string }[]> =>
  many(
    db,
    sql`delete from rowhouse.dashboards where base_id = ${baseId} and deleted_time is not null and (${id ?? null}::text is null or id = ${id ?? null}) returning id, name`,
  );

/** Also of one in the trash. */
export const selectDashboardBase = async (db: Queryable, id: string): Promise<string | undefined> =>
  (await maybe<{ baseId: string }>(db, sql`select base_id as "baseId" from rowhouse.dashboards where id = ${id}`))
    ?.baseId;

/** For good, whether it is in the trash or not. */
export const deleteDashboardRow = async (
  tx: Queryable,
  baseId: string,
  id: string,
): Promise<{ name: string } | undefined> =>
  maybe(tx, sql`delete from rowhouse.dashboards where id = ${id} and base_id = ${baseId} returning name`);

export const selectTrashedDashboard = (
  db: Queryable,
  id: string,
): Promise<{ id: string; baseId: string; name: string } | undefined> =>
  maybe(
    db,
    sql`select id, base_id as "baseId", name from rowhouse.dashboards where id = ${id} and deleted_time is not null`,
  );

export const selectDashboard = (
  db: Queryable,
  baseId: string,
  id: string,
): Promise<(DashboardRow & { filters: unknown[] }) | undefined> =>
  maybe(
    db,
    sql`select ${columns}, filters from rowhouse.dashboards where id = ${id} and base_id = ${baseId} and deleted_time is null`,
  );

const itemColumns = sql`id, name, x, y, w, h, version, storage`;

export const selectItems = (db: Queryable, dashboardId: string): Promise<DashboardItemRow[]> =>
  many<DashboardItemRow>(
    db,
    sql`select ${itemColumns} from rowhouse.dashboard_items where dashboard_id = ${dashboardId} order by y, x, id`,
  );

export const selectItem = (
  db: Queryable,
  { baseId, dashboardId, itemId }: { baseId: string; dashboardId: string; itemId: string },
): Promise<DashboardItemRow | undefined> =>
  maybe<DashboardItemRow>(
    db,
    sql`select i.id, i.name, i.x, i.y, i.w, i.h, i.version, i.storage
        from rowhouse.dashboard_items i join rowhouse.dashboards d on d.id = i.dashboard_id
        where i.id = ${itemId} and d.id = ${dashboardId} and d.base_id = ${baseId} and d.deleted_time is null`,
  );

export const insertItems = async (
  db: Queryable,
  dashboardId: string,
  items: readonly Omit<DashboardItemRow, 'version'>[],
  createdBy: string,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.dashboard_items (id, dashboard_id, name, x, y, w, h, storage, created_by)
        select n.id, ${dashboardId}, n.name, n.x, n.y, n.w, n.h, nullif(n.storage, 'null'::jsonb), ${createdBy}
        from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as n(id text, name text, x int, y int, w int, h int, storage jsonb)`,
  );
};

export const updateItem = async (
  db: Queryable,
  { id, name, storage }: Pick<DashboardItemRow, 'id' | 'name' | 'storage'>,
): Promise<void> => {
  await db.query(
    sql`update rowhouse.dashboard_items set name = ${name}, storage = ${storage === null ? null : JSON.stringify(storage)}::jsonb, version = version + 1 where id = ${id}`,
  );
};

export const placeItems = async (
  db: Queryable,
  places: readonly Pick<DashboardItemRow, 'id' | 'x' | 'y' | 'w' | 'h'>[],
): Promise<void> => {
  await db.query(
    sql`update rowhouse.dashboard_items i set x = n.x, y = n.y, w = n.w, h = n.h
        from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as n(id text, x int, y int, w int, h int) where i.id = n.id`,
  );
};

export const deleteItem = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.dashboard_items where id = ${id}`);
};

/** Of the whole base, by dashboard: for a copy of it. */
export const selectItemsOfBase = (
  db: Queryable,
  baseId: string,
): Promise<{ dashboardId: string; filters: unknown; items: DashboardItemRow[] }[]> =>
  many(
    db,
    sql`select d.id as "dashboardId", d.filters, coalesce((select json_agg(i) from (
          select ${itemColumns} from rowhouse.dashboard_items where dashboard_id = d.id order by y, x, id) i), '[]') as items
        from rowhouse.dashboards d where d.base_id = ${baseId} and d.deleted_time is null order by d.position, d.id`,
  );
