// The one writer of rowhouse.deleted_views: views in the trash.
import type { ViewSchema } from '../../catalog/table.ts';
import { many, maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface DeletedView {
  id: string;
  tableId: string;
  view: ViewSchema;
  createdBy: string;
  createdTime: string;
  lastModifiedBy: string | null;
  lastModifiedTime: string | null;
  deletedBy: string;
  deletedTime: string;
}

const columns = sql`id, table_id as "tableId", view, created_by as "createdBy", created_time as "createdTime", last_modified_by as "lastModifiedBy", last_modified_time as "lastModifiedTime", deleted_by as "deletedBy", deleted_time as "deletedTime"`;

/** It leaves rowhouse.views. */
export const trashView = async (tx: Queryable, tableId: string, view: ViewSchema, deletedBy: string): Promise<void> => {
  await tx.query(
    sql`with gone as (
          delete from rowhouse.views where id = ${view.id} returning id, created_by, created_time, last_modified_by, last_modified_time
        )
        insert into rowhouse.deleted_views (id, table_id, view, created_by, created_time, last_modified_by, last_modified_time, deleted_by)
        select id, ${tableId}, ${JSON.stringify(view)}::jsonb, created_by, created_time, last_modified_by, last_modified_time, ${deletedBy} from gone`,
  );
};

/** Latest first. */
export const selectDeletedViews = (db: Queryable, tableId: string): Promise<DeletedView[]> =>
  many<DeletedView>(
    db,
    sql`select ${columns} from rowhouse.deleted_views where table_id = ${tableId} order by deleted_time desc, id`,
  );

export const selectDeletedView = (db: Queryable, viewId: string): Promise<DeletedView | undefined> =>
  maybe<DeletedView>(db, sql`select ${columns} from rowhouse.deleted_views where id = ${viewId}`);

/** From now on it is not in the trash. Undefined when it is not any more. */
export const takeDeletedView = (tx: Queryable, tableId: string, viewId: string): Promise<DeletedView | undefined> =>
  maybe<DeletedView>(
    tx,
    sql`delete from rowhouse.deleted_views where id = ${viewId} and table_id = ${tableId} returning ${columns}`,
  );
