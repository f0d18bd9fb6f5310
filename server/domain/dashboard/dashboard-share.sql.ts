// The writer of rowhouse.dashboard_shares.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Actor } from '../../pipeline/act-as.ts';

export interface DashboardShareRow {
  dashboardId: string;
  baseId: string;
  name: string;
  shareId: string;
  passwordHash: string | null;
  /** In whose sight it is seen. */
  sharedBy: Actor;
}

/** While the dashboard, its base and its space are not in the trash. */
export const selectDashboardShare = (
  db: Queryable,
  by: { shareId: string } | { dashboardId: string },
): Promise<DashboardShareRow | undefined> =>
  maybe(
    db,
    sql`select d.id as "dashboardId", d.base_id as "baseId", d.name, s.share_id as "shareId", s.password_hash as "passwordHash", s.shared_by as "sharedBy"
        from rowhouse.dashboard_shares s join rowhouse.dashboards d on d.id = s.dashboard_id and d.deleted_time is null
        join rowhouse.bases b on b.id = d.base_id and b.deleted_time is null
        join rowhouse.spaces p on p.id = b.space_id and p.deleted_time is null
        where ${'shareId' in by ? sql`s.share_id = ${by.shareId}` : sql`d.id = ${by.dashboardId}`}`,
  );

export const upsertDashboardShare = async (
  tx: Queryable,
  share: Pick<DashboardShareRow, 'dashboardId' | 'shareId' | 'passwordHash' | 'sharedBy'>,
): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.dashboard_shares (dashboard_id, share_id, password_hash, shared_by)
        values (${share.dashboardId}, ${share.shareId}, ${share.passwordHash}, ${JSON.stringify(share.sharedBy)}::jsonb)
        on conflict (dashboard_id) do update set share_id = excluded.share_id, password_hash = excluded.password_hash, shared_by = excluded.shared_by`,
  );
};

/** Answers whether it was shared. */
export const deleteDashboardShare = async (tx: Queryable, dashboardId: string): Promise<boolean> =>
  (await maybe(
    tx,
    sql`delete from rowhouse.dashboard_shares where dashboard_id = ${dashboardId} returning dashboard_id`,
  )) !== undefined;
