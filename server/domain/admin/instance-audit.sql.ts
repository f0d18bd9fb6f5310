// The audit log of the whole instance: each act once. It is written in catalog/audit.sql.ts.
import type { AuditAction } from '@rowhouse/contract/audit.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface InstanceAuditRow {
  id: string;
  time: string;
  action: AuditAction;
  actorId: string | null;
  actorName: string | null;
  via: 'session' | 'token' | 'application' | 'operator' | 'server';
  credentialId: string | null;
  ip: string | null;
  userAgent: string | null;
  target: Record<string, unknown>;
  spaceIds: string[];
}

export interface InstanceAuditFilter {
  userId?: string | undefined;
  action?: AuditAction | undefined;
  resourceId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
}

const columns = sql`l.id::text, l.time, l.action, l.actor_id as "actorId", u.name as "actorName", l.via, l.credential_id as "credentialId", l.ip, l.user_agent as "userAgent", l.target,
  coalesce(l.space_ids, array_remove(array[l.space_id], null)) as "spaceIds"`;
const rows = sql`rowhouse.audit_log l left join rowhouse.users u on u.id = l.actor_id`;

const isWanted = ({ userId, action, resourceId, from, until }: InstanceAuditFilter): Sql =>
  sql`l.is_first
      ${userId === undefined ? sql.empty : sql`and l.actor_id = ${userId}`}
      ${action === undefined ? sql.empty : sql`and l.action = ${action}`}
      ${resourceId === undefined ? sql.empty : sql`and (${resourceId} = any(coalesce(l.space_ids, array[l.space_id])) or jsonb_path_exists(l.target, '$.** ? (@ == $id)', jsonb_build_object('id', ${resourceId}::text)))`}
      ${from === undefined ? sql.empty : sql`and l.time >= ${from}`}
      ${until === undefined ? sql.empty : sql`and l.time < ${until}`}`;

export const selectInstanceAudit = (
  db: Queryable,
  filter: InstanceAuditFilter,
  { skip, take, before }: { skip: number; take: number; before: string | undefined },
): Promise<InstanceAuditRow[]> =>
  many<InstanceAuditRow>(
    db,
    sql`select ${columns} from ${rows} where ${isWanted(filter)} ${before === undefined ? sql.empty : sql`and l.id < ${before}::bigint`}
        order by l.id desc offset ${skip} limit ${take}`,
  );

/** Oldest first. */
export const selectInstanceAuditAfter = (
  db: Queryable,
  filter: InstanceAuditFilter,
  after: string,
  take: number,
): Promise<InstanceAuditRow[]> =>
  many<InstanceAuditRow>(
    db,
    sql`select ${columns} from ${rows} where ${isWanted(filter)} and l.id > ${after}::bigint order by l.id limit ${take}`,
  );

/** Whatever order they were committed in: one that comes late is found by the next look. */
export const selectUnstreamed = (db: Queryable, take: number): Promise<InstanceAuditRow[]> =>
  many<InstanceAuditRow>(
    db,
    sql`select ${columns} from ${rows} where l.is_first and not l.is_streamed order by l.id limit ${take}`,
  );

interface StreamState {
  backlog: number;
  oldestTime: string | null;
  sentTime: string | null;
  error: string | null;
}

export const selectStreamState = (db: Queryable): Promise<StreamState> =>
  one<StreamState>(
    db,
    sql`select (select count(*)::int from rowhouse.audit_log l where l.is_first and not l.is_streamed) as backlog,
               (select l.time from rowhouse.audit_log l where l.is_first and not l.is_streamed order by l.id limit 1) as "oldestTime",
               s.sent_time as "sentTime", s.error
        from rowhouse.audit_stream s`,
  );

export const writeStreamState = async (db: Queryable, error: string | null): Promise<void> => {
  await db.query(
    error === null
      ? sql`update rowhouse.audit_stream set sent_time = now(), error = null, error_time = null`
      : sql`update rowhouse.audit_stream set error = ${error}, error_time = now()`,
  );
};
