// The one writer of rowhouse.short_links.
import { maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** The code that the share has already, or this one. */
export const upsertShortLink = async (
  db: Queryable,
  link: { code: string; shareId: string; userId: string },
): Promise<string> =>
  (
    await one<{ code: string }>(
      db,
      sql`insert into rowhouse.short_links as l (code, share_id, created_by) values (${link.code}, ${link.shareId}, ${link.userId})
          on conflict (share_id) do update set share_id = l.share_id returning code`,
    )
  ).code;

export interface LinkedShare {
  shareId: string;
  type: 'view-share' | 'base-share';
}

/** Of what is shared under this address, and not in the trash. */
export const selectLinkedShare = (db: Queryable, code: string): Promise<LinkedShare | undefined> =>
  maybe<LinkedShare>(
    db,
    sql`select l.share_id as "shareId", case when v.share_id is null then 'base-share' else 'view-share' end as type
        from rowhouse.short_links l
        left join (
          select s.share_id, t.base_id from rowhouse.shares s join rowhouse.views v on v.id = s.view_id
          join rowhouse.tables t on t.id = v.table_id and t.deleted_time is null where s.is_on
        ) v on v.share_id = l.share_id
        left join rowhouse.base_shares w on w.share_id = l.share_id and w.is_on
          and (w.table_id is null or exists (select from rowhouse.tables t where t.id = w.table_id and t.deleted_time is null))
        join rowhouse.bases b on b.id = coalesce(v.base_id, w.base_id) and b.deleted_time is null
        join rowhouse.spaces p on p.id = b.space_id and p.deleted_time is null
        where l.code = ${code}`,
  );

/** The base that is shared under this address. */
export const selectSharedBase = async (db: Queryable, shareId: string): Promise<string | undefined> =>
  (
    await maybe<{ baseId: string }>(
      db,
      sql`select base_id as "baseId" from rowhouse.base_shares where share_id = ${shareId} and is_on`,
    )
  )?.baseId;
