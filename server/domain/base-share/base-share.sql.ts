// The one writer of rowhouse.base_shares.
import { epochSql } from '../../catalog/access.sql.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface BaseShareRow {
  shareId: string;
  baseId: string;
  folderId: string | null;
  tableId: string | null;
  isOn: boolean;
  allowCopy: boolean;
  allowSave: boolean;
  passwordHash: string | null;
}

const columns = sql`s.share_id as "shareId", s.base_id as "baseId", s.folder_id as "folderId", s.table_id as "tableId", s.is_on as "isOn",
  s.allow_copy as "allowCopy", s.allow_save as "allowSave", s.password_hash as "passwordHash"`;

export const selectBaseShares = (db: Queryable, baseId: string): Promise<BaseShareRow[]> =>
  many<BaseShareRow>(
    db,
    sql`select ${columns} from rowhouse.base_shares s where base_id = ${baseId} order by created_time, share_id`,
  );

interface SpaceBaseShareRow extends BaseShareRow {
  baseName: string;
  name: string | null;
  createdBy: string;
  createdTime: string;
}

/** Without those of tables and bases in the trash. */
export const selectBaseSharesOfSpace = (db: Queryable, spaceId: string): Promise<SpaceBaseShareRow[]> =>
  many<SpaceBaseShareRow>(
    db,
    sql`select ${columns}, b.name as "baseName", coalesce(f.name, t.name) as name, s.created_by as "createdBy", s.created_time as "createdTime"
        from rowhouse.base_shares s join rowhouse.bases b on b.id = s.base_id and b.deleted_time is null
        left join rowhouse.folders f on f.id = s.folder_id left join rowhouse.tables t on t.id = s.table_id
        where b.space_id = ${spaceId} and (s.table_id is null or t.deleted_time is null)
        order by s.created_time desc, s.share_id limit 10000`,
  );

export const lockBaseShare = (db: Queryable, baseId: string, shareId: string): Promise<BaseShareRow | undefined> =>
  maybe<BaseShareRow>(
    db,
    sql`select ${columns} from rowhouse.base_shares s where base_id = ${baseId} and share_id = ${shareId} for update`,
  );

/** Undefined when the same is shared already. One that was turned off makes way. */
export const insertBaseShare = async (
  db: Queryable,
  share: BaseShareRow,
  createdBy: string,
): Promise<BaseShareRow | undefined> => {
  const { shareId, baseId, folderId, tableId, allowCopy, allowSave, passwordHash } = share;
  return maybe<BaseShareRow>(
    db,
    sql`insert into rowhouse.base_shares as s (share_id, base_id, folder_id, table_id, allow_copy, allow_save, password_hash, created_by)
        values (${shareId}, ${baseId}, ${folderId}, ${tableId}, ${allowCopy}, ${allowSave}, ${passwordHash}, ${createdBy})
        on conflict (base_id, coalesce(folder_id, table_id, '')) do update
          set share_id = excluded.share_id, is_on = true, allow_copy = excluded.allow_copy, allow_save = excluded.allow_save,
              password_hash = excluded.password_hash, created_by = excluded.created_by, created_time = clock_timestamp()
          where not s.is_on
        returning ${columns}`,
  );
};

export const writeBaseShare = (db: Queryable, shareId: string, share: BaseShareRow): Promise<BaseShareRow> =>
  one<BaseShareRow>(
    db,
    sql`update rowhouse.base_shares s set share_id = ${share.shareId}, is_on = ${share.isOn}, allow_copy = ${share.allowCopy},
               allow_save = ${share.allowSave}, password_hash = ${share.passwordHash}, version = s.version + 1
        where share_id = ${shareId} returning ${columns}`,
  );

export const removeBaseShare = async (db: Queryable, shareId: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.base_shares where share_id = ${shareId}`);
};

export interface OpenBaseShare extends BaseShareRow {
  version: number;
  baseName: string;
  baseIcon: string | null;
  spaceId: string;
  baseVersion: number;
  epoch: number;
  levels: string[] | null;
  bytes: number | null;
  /** What it shows, with the views of everybody. */
  tables: { tableId: string; viewIds: string[] }[];
}

/** By its address, while it is on and nothing of it is in the trash. */
export const selectOpenBaseShare = (db: Queryable, shareId: string): Promise<OpenBaseShare | undefined> =>
  maybe<OpenBaseShare>(
    db,
    sql`with recursive share as materialized (
          select s.*, b.name as base_name, b.icon as base_icon, b.schema_version, p.id as space_id
          from rowhouse.base_shares s join rowhouse.bases b on b.id = s.base_id and b.deleted_time is null
          join rowhouse.spaces p on p.id = b.space_id and p.deleted_time is null
          where s.share_id = ${shareId} and s.is_on
        ), within (id) as (
          select folder_id from share where folder_id is not null
          union select f.id from rowhouse.folders f join within w on f.parent_id = w.id
        )
        select s.share_id as "shareId", s.base_id as "baseId", s.folder_id as "folderId", s.table_id as "tableId", s.is_on as "isOn", s.allow_copy as "allowCopy",
               s.allow_save as "allowSave", s.password_hash as "passwordHash", s.version, s.base_name as "baseName", s.base_icon as "baseIcon", s.space_id as "spaceId",
               s.schema_version as "baseVersion", ${epochSql(sql`s.share_id`, sql`s.space_id`)} as epoch,
               (select array_agg(q.effective_level) from rowhouse.subscriptions q where q.space_id = s.space_id) as levels,
               (select d.bytes from rowhouse.space_bytes d where d.space_id = s.space_id) as bytes,
               coalesce((select json_agg(json_build_object('tableId', t.id, 'viewIds',
                           coalesce((select json_agg(v.id order by v.id) from rowhouse.views v where v.table_id = t.id and v.owner_id is null), '[]')) order by t.id)
                 from rowhouse.tables t where t.base_id = s.base_id and t.deleted_time is null
                   and (t.id = s.table_id or t.folder_id in (select id from within) or (s.table_id is null and s.folder_id is null))), '[]') as tables
        from share s where s.table_id is null or exists (select from rowhouse.tables t where t.id = s.table_id and t.deleted_time is null)`,
  );
