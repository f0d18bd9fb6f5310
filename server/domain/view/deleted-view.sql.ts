// The one writer of rowhouse.deleted_views and rowhouse.deleted_shares: views in the trash, and how they were shared.
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

/** Rows as JSON. */
export interface DeletedShare {
  share: Readonly<Record<string, unknown>>;
  answers: readonly unknown[];
}

const columns = sql`id, table_id as "tableId", view, created_by as "createdBy", created_time as "createdTime", last_modified_by as "lastModifiedBy", last_modified_time as "lastModifiedTime", deleted_by as "deletedBy", deleted_time as "deletedTime"`;

/** It leaves rowhouse.views, and its share rowhouse.shares. */
export const trashView = async (tx: Queryable, tableId: string, view: ViewSchema, deletedBy: string): Promise<void> => {
  await tx.query(
    sql`with gone as (
          delete from rowhouse.views where id = ${view.id} returning id, created_by, created_time, last_modified_by, last_modified_time
        ), trashed as (
          insert into rowhouse.deleted_views (id, table_id, view, created_by, created_time, last_modified_by, last_modified_time, deleted_by)
          select id, ${tableId}, ${JSON.stringify(view)}::jsonb, created_by, created_time, last_modified_by, last_modified_time, ${deletedBy} from gone
          returning id
        )
        insert into rowhouse.deleted_shares (view_id, share, answers)
        select s.view_id, to_jsonb(s), (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from rowhouse.share_answers a where a.view_id = s.view_id)
        from trashed t join rowhouse.shares s on s.view_id = t.id`,
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

/** Before the view is taken out of the trash, and after it is in rowhouse.views again. Undefined: it was not shared. */
export const takeDeletedShare = (tx: Queryable, viewId: string): Promise<DeletedShare | undefined> =>
  maybe<DeletedShare>(tx, sql`delete from rowhouse.deleted_shares where view_id = ${viewId} returning share, answers`);

export const insertRestoredShare = async (
  tx: Queryable,
  { share, answers }: DeletedShare,
  isOn: boolean,
): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.shares
        select * from jsonb_populate_record(null::rowhouse.shares, ${JSON.stringify({ ...share, is_on: isOn })}::jsonb)`,
  );
  await tx.query(
    sql`insert into rowhouse.share_answers
        select * from jsonb_populate_recordset(null::rowhouse.share_answers, ${JSON.stringify(answers)}::jsonb)`,
  );
};
