// The one writer of rowhouse.limit_warnings: which owners were told already, and of what.
import { peopleOfSpace, seatRoles } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

/** Limits that are used up little by little. Attachments will be one of them when there are any. */
export type LimitName = 'maxRows' | 'maxNumDatabaseConnections' | 'seats';

interface LimitUse {
  spaceId: string;
  limit: LimitName;
  level: string | null;
  used: number;
  /** Null: what the plan of the level says. */
  allowed: number | null;
}

/** Of every space that uses any. A subscription of one seat is used up by the one who bought it, which is nothing to be told. */
export const selectLimitUses = (db: Queryable): Promise<LimitUse[]> =>
  many<LimitUse>(
    db,
    sql`select q.space_id as "spaceId", 'maxRows' as limit, u.effective_level as level, sum(q.used)::bigint as used, null::int as allowed
        from rowhouse.row_quota q left join rowhouse.subscriptions u on u.space_id = q.space_id
        group by q.space_id, u.effective_level having sum(q.used) > 0
        union all
        select b.space_id, 'maxNumDatabaseConnections', u.effective_level, count(*), null
        from rowhouse.base_connections c join rowhouse.bases b on b.id = c.base_id and b.deleted_time is null
        left join rowhouse.subscriptions u on u.space_id = b.space_id
        group by b.space_id, u.effective_level
        union all
        select u.space_id, 'seats', u.effective_level, count(distinct c.user_id), u.quantity
        from rowhouse.subscriptions u
        join lateral (${peopleOfSpace(sql`u.space_id`)}) c on c.role in ${seatRoles}
        where u.unit_amount > 0 and u.quantity > 1 and u.effective_level = u.level
        group by u.space_id, u.effective_level, u.quantity`,
  );

/** False when this or a higher one was given already, perhaps by another process. */
export const claimWarning = async (db: Queryable, { spaceId, limit }: LimitUse, percent: number): Promise<boolean> => {
  const rows = await many(
    db,
    sql`insert into rowhouse.limit_warnings as w (space_id, limit_name, percent) values (${spaceId}, ${limit}, ${percent})
        on conflict (space_id, limit_name) do update set percent = excluded.percent where w.percent < excluded.percent returning 1`,
  );
  return rows.length === 1;
};

interface Warned {
  spaceId: string;
  limit: LimitName;
}

export const selectWarned = (db: Queryable): Promise<Warned[]> =>
  many<Warned>(db, sql`select space_id as "spaceId", limit_name as limit from rowhouse.limit_warnings`);

export const deleteWarnings = async (db: Queryable, warned: readonly Warned[]): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.limit_warnings w using unnest(${warned.map(({ spaceId }) => spaceId)}::text[], ${warned.map(({ limit }) => limit)}::text[]) as g (space_id, limit_name)
        where w.space_id = g.space_id and w.limit_name = g.limit_name`,
  );
};
