// The one writer of rowhouse.settings.
import { one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface Decisions {
  brandName: string | null;
  disallowSignUp: boolean;
  disallowSpaceCreation: boolean;
  disallowSpaceInvitation: boolean;
}

const columns = sql`brand_name as "brandName", disallow_sign_up as "disallowSignUp", disallow_space_creation as "disallowSpaceCreation", disallow_space_invitation as "disallowSpaceInvitation"`;

export const selectDecisions = (db: Queryable): Promise<Decisions> =>
  one<Decisions>(db, sql`select ${columns} from rowhouse.settings`);

export const selectSetting = (
  db: Queryable,
): Promise<Decisions & { brandLogo: string | null; instanceId: string; createdTime: string }> =>
  one(
    db,
    sql`select ${columns}, brand_logo as "brandLogo", i.id as "instanceId", to_json(i.created_time) #>> '{}' as "createdTime" from rowhouse.settings, rowhouse.instance i`,
  );

/** What is undefined stays as it is. */
export const writeDecisions = async (
  db: Queryable,
  {
    brandName,
    disallowSignUp,
    disallowSpaceCreation,
    disallowSpaceInvitation,
  }: { [K in keyof Decisions]?: Decisions[K] | undefined },
): Promise<void> => {
  await db.query(
    sql`update rowhouse.settings set
          brand_name = case when ${brandName !== undefined} then nullif(${brandName ?? null}::text, '') else brand_name end,
          disallow_sign_up = coalesce(${disallowSignUp ?? null}::boolean, disallow_sign_up),
          disallow_space_creation = coalesce(${disallowSpaceCreation ?? null}::boolean, disallow_space_creation),
          disallow_space_invitation = coalesce(${disallowSpaceInvitation ?? null}::boolean, disallow_space_invitation)`,
  );
};

export const updateBrandLogo = async (db: Queryable, brandLogo: string): Promise<void> => {
  await db.query(sql`update rowhouse.settings set brand_logo = ${brandLogo}`);
};
