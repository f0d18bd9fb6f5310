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

/** Of a view that is shared under this address, and not in the trash. */
export const selectLinkedShare = async (db: Queryable, code: string): Promise<string | undefined> =>
  (
    await maybe<{ shareId: string }>(
      db,
      sql`select s.share_id as "shareId" from rowhouse.short_links l join rowhouse.shares s on s.share_id = l.share_id and s.is_on
          join rowhouse.views v on v.id = s.view_id join rowhouse.tables t on t.id = v.table_id and t.deleted_time is null
          join rowhouse.bases b on b.id = t.base_id and b.deleted_time is null join rowhouse.spaces p on p.id = b.space_id and p.deleted_time is null
          where l.code = ${code}`,
    )
  )?.shareId;
