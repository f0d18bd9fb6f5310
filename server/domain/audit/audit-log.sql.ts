// What owners read of the audit log. It is written in catalog/audit.sql.ts.
import type { AuditAction, AuditEntry } from '@rowhouse/contract/audit.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface AuditFilter {
  action?: AuditAction | undefined;
  userId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  /** Only entries older than this one. */
  before?: string | undefined;
  take: number;
}

export interface AuditRow extends Omit<AuditEntry, 'actor'> {
  actorId: string | null;
  actorName: string | null;
  actorEmail: string | null;
}

export const selectAuditLog = (
  db: Queryable,
  spaceId: string,
  { action, userId, from, until, before, take }: AuditFilter,
): Promise<AuditRow[]> =>
  many<AuditRow>(
    db,
    sql`select l.id::text, l.time, l.action, l.via, l.credential_id as "credentialId", coalesce(t.name, c.name) as "credentialName",
               l.ip, l.user_agent as "userAgent", l.target, l.actor_id as "actorId", u.name as "actorName", u.email as "actorEmail"
        from rowhouse.audit_log l
        left join rowhouse.users u on u.id = l.actor_id
        left join rowhouse.access_tokens t on t.id = l.credential_id
        left join rowhouse.oauth_clients c on c.client_id = l.credential_id
        where l.space_id = ${spaceId}
          ${action === undefined ? sql.empty : sql`and l.action = ${action}`}
          ${userId === undefined ? sql.empty : sql`and l.actor_id = ${userId}`}
          ${from === undefined ? sql.empty : sql`and l.time >= ${from}`}
          ${until === undefined ? sql.empty : sql`and l.time < ${until}`}
          ${before === undefined ? sql.empty : sql`and l.id < ${before}::bigint`}
        order by l.id desc limit ${take}`,
  );
