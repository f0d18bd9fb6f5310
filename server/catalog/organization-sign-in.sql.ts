// How people of organisations sign in, for all that lets people in. Written by domain/organization.
import { many, maybe, one, type Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

export interface OrganizationProviderRow {
  id: string;
  organizationId: string;
  name: string;
  issuer: string;
  clientId: string;
  sealedSecret: Buffer | null;
  config: Record<string, unknown>;
  changedTime: string;
  /** Verified, of the organisation. */
  domains: string[];
}

const columns = sql`p.id, p.organization_id as "organizationId", p.name, p.issuer, p.client_id as "clientId", p.sealed_secret as "sealedSecret", p.config,
  to_json(p.changed_time) #>> '{}' as "changedTime",
  array(select d.domain from rowhouse.organization_domains d where d.organization_id = p.organization_id and d.verified_time is not null order by 1) as domains`;

export const selectProvider = (db: Queryable, id: string): Promise<OrganizationProviderRow | undefined> =>
  maybe(db, sql`select ${columns} from rowhouse.organization_providers p where p.id = ${id}`);

export const selectProvidersOf = (db: Queryable, organizationId: string): Promise<OrganizationProviderRow[]> =>
  many(
    db,
    sql`select ${columns} from rowhouse.organization_providers p where p.organization_id = ${organizationId} order by p.created_time, p.id`,
  );

export const selectProvidersByIssuer = (
  db: Queryable,
  issuers: readonly string[],
): Promise<OrganizationProviderRow[]> =>
  many(
    db,
    sql`select ${columns} from rowhouse.organization_providers p where p.issuer = any(${issuers}::text[]) order by p.created_time, p.id`,
  );

/** The provider that the organisation of this verified domain has for itself. */
export const selectOnlyProvider = (db: Queryable, domain: string): Promise<OrganizationProviderRow | undefined> =>
  maybe(
    db,
    sql`select ${columns} from rowhouse.organization_providers p
        join rowhouse.organizations o on o.id = p.organization_id and o.only_provider_id = p.id
        join rowhouse.organization_domains v on v.organization_id = o.id and v.verified_time is not null and v.domain = ${domain}`,
  );

/** Those of the organisation that has verified the domain. */
export const selectProvidersOfDomain = (db: Queryable, domain: string): Promise<{ id: string; name: string }[]> =>
  many(
    db,
    sql`select p.id, p.name from rowhouse.organization_providers p
        join rowhouse.organization_domains v on v.organization_id = p.organization_id and v.verified_time is not null and v.domain = ${domain}
        order by p.created_time, p.id`,
  );

export const hasProviders = async (db: Queryable): Promise<boolean> =>
  (await one<{ found: boolean }>(db, sql`select exists (select from rowhouse.organization_providers) as found`)).found;

interface Membership {
  organizationId: string;
  isAdmin: boolean;
}

export const selectMembership = (db: Queryable, userId: string): Promise<Membership | undefined> =>
  maybe(
    db,
    sql`select organization_id as "organizationId", is_admin as "isAdmin" from rowhouse.organization_members where user_id = ${userId}`,
  );
