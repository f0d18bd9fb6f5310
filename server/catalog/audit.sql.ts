// The one writer of rowhouse.audit_log: what owners of a space, and administrators of the instance, can look up later. Any domain may write here, in the
// transaction of what it tells.
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import { placesOf } from './role.sql.ts';
import { many, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { askerOf, type Principal } from './principal.ts';

/** Where a request came from. */
export interface From {
  ip: string | null;
  userAgent: string | null;
}

export interface Doer extends From {
  /** Null: the operator, or the server itself. */
  userId: string | null;
  via: 'session' | 'token' | 'application' | 'operator' | 'server';
  /** The id of the token or of the application. */
  credentialId: string | null;
}

export const operator: Doer = { userId: null, via: 'operator', credentialId: null, ip: null, userAgent: null };

export const doerOf = ({ principal, from }: { principal: Principal; from: From }): Doer => {
  const { userId, kind, clientId, tokenId } = askerOf(principal);
  return { ...from, userId, via: kind === 'oauth' ? 'application' : kind, credentialId: clientId ?? tokenId };
};

/** A person at the app, before there is a session to know them by. */
export const personAt = (userId: string, from: From): Doer => ({ ...from, userId, via: 'session', credentialId: null });

/** The spaces whose owners may know: those named, those of bases, and all that somebody has a role in. Without any, administrators of the instance alone see it. */
export interface Concerned {
  spaceIds?: readonly (string | null)[];
  baseIds?: readonly string[];
  member?: string;
}

const longest = 300;

export const writeAudit = async (
  tx: Queryable,
  doer: Doer,
  action: AuditAction,
  concerned: Concerned,
  target: Record<string, unknown> = {},
): Promise<void> => {
  await tx.query(
    sql`with concerned as materialized (
          select space_id from (
            select unnest(${concerned.spaceIds ?? []}::text[]) as space_id
            union select space_id from rowhouse.bases where id = any(${concerned.baseIds ?? []}::text[])
            union select coalesce(b.space_id, place.id) from ${placesOf(sql`${concerned.member ?? null}`)} place (id) left join rowhouse.bases b on b.id = place.id
          ) found where space_id is not null order by space_id
        ), rows as (
          select space_id, row_number() over (order by space_id) = 1 as is_first
          from (select space_id from concerned union all select null where not exists (select from concerned)) every
        )
        insert into rowhouse.audit_log (space_id, action, actor_id, via, credential_id, ip, user_agent, target, is_first, space_ids)
        select space_id, ${action}, ${doer.userId}, ${doer.via}, ${doer.credentialId}, ${doer.ip}, ${doer.userAgent?.slice(0, longest) ?? null}, ${JSON.stringify(target)}::jsonb,
               is_first, case when is_first then array(select space_id from concerned order by space_id) end
        from rows order by space_id nulls first`,
  );
};

/** Answers how many went; call it until that is none. `isStreamed`: what has not been sent stays. */
export const deleteOldAudit = async (db: Queryable, limit: number, isStreamed: boolean): Promise<number> =>
  (
    await many(
      db,
      sql`delete from rowhouse.audit_log where id in (
            select l.id from rowhouse.audit_log l where l.time < now() - make_interval(days => (select audit_days from rowhouse.settings))
              ${isStreamed ? sql`and (l.is_streamed or not l.is_first)` : sql.empty}
            order by l.time limit ${limit} for update skip locked) returning id`,
    )
  ).length;

/** They have arrived where the log is streamed to. */
export const markStreamed = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
  await tx.query(sql`update rowhouse.audit_log set is_streamed = true where id = any(${ids}::bigint[])`);
};
