// The writer of rowhouse.views.
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import type { ViewType } from '@rowhouse/contract/view.ts';
import type { ViewSchema } from '../../catalog/table.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface ViewRow {
  id: string;
  name: string;
  description: string | null;
  type: ViewType;
  options: Record<string, unknown>;
  filter: unknown;
  sort: ViewSchema['sort'];
  group: ViewSchema['group'];
  columnMeta: Record<string, { order: number }>;
  position: number;
  isLocked: boolean;
  ownerId: string | null;
  createdBy: string;
  createdTime: string;
  lastModifiedBy: string | null;
  lastModifiedTime: string | null;
  /** Null when it never was shared. */
  share: { shareId: string; isOn: boolean; meta: ShareMeta | null; hasPassword: boolean } | null;
}

const columns: Sql = sql`id, name, description, type, options, filter, sort, group_by as "group", column_meta as "columnMeta", position,
  is_locked as "isLocked", owner_id as "ownerId", created_by as "createdBy", created_time as "createdTime", last_modified_by as "lastModifiedBy",
  last_modified_time as "lastModifiedTime"`;

// A new view is not shared.
const share = sql`(select json_build_object('shareId', s.share_id, 'isOn', s.is_on, 'meta', s.meta, 'hasPassword', s.password_hash is not null) from rowhouse.shares s where s.view_id = views.id) as share`;

export const selectViews = (db: Queryable, tableId: string): Promise<ViewRow[]> =>
  many<ViewRow>(
    db,
    sql`select ${columns}, ${share} from rowhouse.views where table_id = ${tableId} order by position, id`,
  );

export const selectView = (db: Queryable, tableId: string, viewId: string): Promise<ViewRow | undefined> =>
  maybe<ViewRow>(
    db,
    sql`select ${columns}, ${share} from rowhouse.views where table_id = ${tableId} and id = ${viewId}`,
  );

/** Answers the views in the order in which they are listed. */
export const insertViews = async (
  db: Queryable,
  tableId: string,
  views: readonly ViewSchema[],
  createdBy: string,
): Promise<ViewRow[]> =>
  many<ViewRow>(
    db,
    sql`with added as (
          insert into rowhouse.views (id, table_id, name, description, type, options, filter, sort, group_by, column_meta, position, is_locked, owner_id, decided, created_by)
          select n.id, ${tableId}, n.name, n.description, n.type, n.options, nullif(n.filter, 'null'), nullif(n.sort, 'null'), nullif(n."group", 'null'),
                 n."columnMeta", n.position, n."isLocked", n."ownerId", nullif(n.decided, 'null'), ${createdBy}
          from jsonb_to_recordset(${JSON.stringify(views)}::jsonb) as n(
            id text, name text, description text, type text, options jsonb, filter jsonb, sort jsonb, "group" jsonb, "columnMeta" jsonb,
            position double precision, "isLocked" boolean, "ownerId" text, decided jsonb)
          returning *)
        select ${columns}, null::json as share from added order by position, id`,
  );

export type ViewChange = Partial<
  Pick<
    ViewSchema,
    | 'name'
    | 'description'
    | 'options'
    | 'filter'
    | 'sort'
    | 'group'
    | 'columnMeta'
    | 'position'
    | 'isLocked'
    | 'ownerId'
  >
>;

export const updateView = async (db: Queryable, view: ViewSchema, userId: string): Promise<void> => {
  const json = (value: unknown): string | null =>
    value === null || value === undefined ? null : JSON.stringify(value);
  await db.query(
    sql`update rowhouse.views
        set name = ${view.name}, description = ${view.description}, options = ${json(view.options)}::jsonb, filter = ${json(view.filter)}::jsonb,
            sort = ${json(view.sort)}::jsonb, group_by = ${json(view.group)}::jsonb, column_meta = ${json(view.columnMeta)}::jsonb,
            position = ${view.position}, is_locked = ${view.isLocked}, owner_id = ${view.ownerId ?? null}, decided = ${json(view.decided)}::jsonb, last_modified_by = ${userId}, last_modified_time = now()
        where id = ${view.id}`,
  );
};

/** With the order that it had, whose column is still there. */
export const insertRestoredView = async (
  db: Queryable,
  tableId: string,
  view: ViewSchema,
  was: Pick<ViewRow, 'createdBy' | 'createdTime' | 'lastModifiedBy' | 'lastModifiedTime'>,
): Promise<void> => {
  await insertViews(db, tableId, [view], was.createdBy);
  await db.query(
    sql`update rowhouse.views
        set has_order = ${view.hasOrder}, created_time = ${was.createdTime}::timestamptz, last_modified_by = ${was.lastModifiedBy}, last_modified_time = ${was.lastModifiedTime}::timestamptz
        where id = ${view.id}`,
  );
};

/** Whole numbers again, in the order given: when two neighbours have become too close to put one between. */
export const renumberViews = async (db: Queryable, viewIds: readonly string[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.views v set position = n.position from unnest(${viewIds}::text[]) with ordinality as n(id, position) where v.id = n.id`,
  );
};
