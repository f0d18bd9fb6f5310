// The one writer of rowhouse.organization_providers. The catalog reads them: catalog/organization-sign-in.sql.ts.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface StoredProvider {
  id: string;
  organizationId: string;
  name: string;
  issuer: string;
  clientId: string;
  sealedSecret: Buffer | null;
  config: object;
}

export const insertProvider = async (db: Queryable, provider: StoredProvider): Promise<void> => {
  const { id, organizationId, name, issuer, clientId, sealedSecret, config } = provider;
  await db.query(
    sql`insert into rowhouse.organization_providers (id, organization_id, name, issuer, client_id, sealed_secret, config)
        values (${id}, ${organizationId}, ${name}, ${issuer}, ${clientId}, ${sealedSecret}, ${JSON.stringify(config)}::jsonb)`,
  );
};

/** `sealedSecret` undefined: as it was. False when it is not there. */
export const saveProvider = async (
  db: Queryable,
  {
    id,
    organizationId,
    name,
    issuer,
    clientId,
    sealedSecret,
    config,
  }: Omit<StoredProvider, 'sealedSecret'> & {
    sealedSecret: Buffer | undefined;
  },
): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.organization_providers set name = ${name}, issuer = ${issuer}, client_id = ${clientId}, config = ${JSON.stringify(config)}::jsonb,
          sealed_secret = coalesce(${sealedSecret ?? null}::bytea, sealed_secret), changed_time = now()
        where id = ${id} and organization_id = ${organizationId} returning id`,
  )) !== undefined;

export const deleteProvider = async (db: Queryable, organizationId: string, id: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`delete from rowhouse.organization_providers where id = ${id} and organization_id = ${organizationId} returning id`,
  )) !== undefined;
