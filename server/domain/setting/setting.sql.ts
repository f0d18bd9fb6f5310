// The one writer of rowhouse.settings.
import { one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface Decisions {
  brandName: string | null;
  disallowSignUp: boolean;
  disallowSpaceCreation: boolean;
  disallowSpaceInvitation: boolean;
}

interface Limits {
  /** Null: as the server was started. */
  invitationsPerHour: number | null;
  sessionIdleHours: number | null;
  sessionHours: number | null;
  auditDays: number;
  /** In lower case. */
  refusedEmailDomains: string[];
}

export type Settings = Decisions & Limits;

const columns = sql`brand_name as "brandName", disallow_sign_up as "disallowSignUp", disallow_space_creation as "disallowSpaceCreation", disallow_space_invitation as "disallowSpaceInvitation",
  invitations_per_hour as "invitationsPerHour", session_idle_hours as "sessionIdleHours", session_hours as "sessionHours", audit_days as "auditDays", refused_email_domains as "refusedEmailDomains"`;

/** They are read each time: what an administrator changes holds in every process at once. */
export const selectDecisions = (db: Queryable): Promise<Settings> =>
  one<Settings>(db, sql`select ${columns} from rowhouse.settings`);

export const selectSetting = (
  db: Queryable,
): Promise<Settings & { brandLogo: string | null; instanceId: string; createdTime: string }> =>
  one(
    db,
    sql`select ${columns}, brand_logo as "brandLogo", i.id as "instanceId", to_json(i.created_time) #>> '{}' as "createdTime" from rowhouse.settings, rowhouse.instance i`,
  );

export const lockSettings = (tx: Queryable): Promise<Settings> =>
  one<Settings>(tx, sql`select ${columns} from rowhouse.settings for update`);

/** All of them: `lockSettings` gives what stays as it is. */
export const writeSettings = async (tx: Queryable, settings: Settings): Promise<void> => {
  await tx.query(
    sql`update rowhouse.settings set
          brand_name = nullif(${settings.brandName}::text, ''),
          disallow_sign_up = ${settings.disallowSignUp},
          disallow_space_creation = ${settings.disallowSpaceCreation},
          disallow_space_invitation = ${settings.disallowSpaceInvitation},
          invitations_per_hour = ${settings.invitationsPerHour},
          session_idle_hours = ${settings.sessionIdleHours},
          session_hours = ${settings.sessionHours},
          audit_days = ${settings.auditDays},
          refused_email_domains = ${settings.refusedEmailDomains}`,
  );
};

export const updateBrandLogo = async (db: Queryable, brandLogo: string): Promise<void> => {
  await db.query(sql`update rowhouse.settings set brand_logo = ${brandLogo}`);
};
