// The one writer of rowhouse.oauth_clients and rowhouse.oauth_secrets.
import { many, maybe, one, type Queryable, type Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { ClientFields } from './client-input.ts';

export interface ClientRow {
  clientId: string;
  name: string;
  description: string | null;
  logo: string | null;
  homepage: string;
  scopes: string[];
  redirectUris: string[];
  allowDeviceFlow: boolean;
}

export interface SecretRow {
  id: string;
  ending: string;
  lastUsedTime: string | null;
}

const columns = sql`client_id as "clientId", name, description, logo, homepage, scopes, redirect_uris as "redirectUris", allow_device_flow as "allowDeviceFlow"`;

export const insertClient = (
  db: Queryable,
  clientId: string,
  createdBy: string,
  fields: ClientFields,
): Promise<ClientRow> =>
  one<ClientRow>(
    db,
    sql`insert into rowhouse.oauth_clients (client_id, name, description, logo, homepage, scopes, redirect_uris, allow_device_flow, created_by)
        values (${clientId}, ${fields.name}, ${fields.description ?? null}, ${fields.logo ?? null}, ${fields.homepage},
                ${fields.scopes}, ${fields.redirectUris}, ${fields.allowDeviceFlow ?? false}, ${createdBy})
        returning ${columns}`,
  );

export const selectClients = (db: Queryable, createdBy: string): Promise<ClientRow[]> =>
  many<ClientRow>(
    db,
    sql`select ${columns} from rowhouse.oauth_clients where created_by = ${createdBy} order by created_time desc, client_id`,
  );

export const selectOwnClient = (db: Queryable, createdBy: string, clientId: string): Promise<ClientRow | undefined> =>
  maybe<ClientRow>(
    db,
    sql`select ${columns} from rowhouse.oauth_clients where client_id = ${clientId} and created_by = ${createdBy}`,
  );

/** It cannot go away before the transaction ends. */
export const holdOwnClient = (tx: Tx, createdBy: string, clientId: string): Promise<ClientRow | undefined> =>
  maybe<ClientRow>(
    tx,
    sql`select ${columns} from rowhouse.oauth_clients where client_id = ${clientId} and created_by = ${createdBy} for no key update`,
  );

export interface ProtocolClient extends ClientRow {
  /** It has no secret to prove itself with. */
  isPublic: boolean;
}

const isPublic = sql`not exists (select from rowhouse.oauth_secrets s where s.client_id = c.client_id) as "isPublic"`;

/** The one who created it. */
export const selectClient = (db: Queryable, clientId: string): Promise<ProtocolClient | undefined> =>
  maybe<ProtocolClient>(
    db,
    sql`select ${columns}, ${isPublic} from rowhouse.oauth_clients c where c.client_id = ${clientId}`,
  );

/** It neither changes nor goes away before the transaction ends. */
export const holdClient = (tx: Tx, clientId: string): Promise<ProtocolClient | undefined> =>
  maybe<ProtocolClient>(
    tx,
    sql`select ${columns}, ${isPublic} from rowhouse.oauth_clients c where c.client_id = ${clientId} for share of c`,
  );

export const updateClient = (tx: Tx, clientId: string, fields: ClientFields): Promise<ClientRow> =>
  one<ClientRow>(
    tx,
    sql`update rowhouse.oauth_clients
        set name = ${fields.name}, homepage = ${fields.homepage}, scopes = ${fields.scopes}, redirect_uris = ${fields.redirectUris},
            description = ${fields.description === undefined ? sql`description` : fields.description},
            logo = ${fields.logo === undefined ? sql`logo` : fields.logo},
            allow_device_flow = coalesce(${fields.allowDeviceFlow ?? null}, allow_device_flow),
            last_modified_time = now()
        where client_id = ${clientId} returning ${columns}`,
  );

export const deleteOwnClient = async (tx: Tx, createdBy: string, clientId: string): Promise<boolean> =>
  (
    await tx.query(
      sql`delete from rowhouse.oauth_clients where client_id = ${clientId} and created_by = ${createdBy} returning 1`,
    )
  ).length > 0;

export const selectSecrets = (db: Queryable, clientId: string): Promise<SecretRow[]> =>
  many<SecretRow>(
    db,
    sql`select id, ending, last_used_time as "lastUsedTime" from rowhouse.oauth_secrets
        where client_id = ${clientId} order by created_time desc, id`,
  );

interface NewSecret {
  id: string;
  clientId: string;
  hash: Buffer;
  ending: string;
}

export const insertSecret = async (tx: Tx, secret: NewSecret): Promise<void> => {
  await tx.query(
    sql`insert into rowhouse.oauth_secrets (id, client_id, secret_hash, ending)
        values (${secret.id}, ${secret.clientId}, ${secret.hash}, ${secret.ending})`,
  );
};

/** Finds the secret and notes its use. It cannot go away before the transaction ends. */
export const useSecret = async (tx: Tx, clientId: string, hash: Buffer, now: Date): Promise<string | undefined> =>
  (
    await maybe<{ id: string }>(
      tx,
      sql`update rowhouse.oauth_secrets set last_used_time = ${now} where client_id = ${clientId} and secret_hash = ${hash} returning id`,
    )
  )?.id;

export const deleteSecret = async (tx: Tx, clientId: string, secretId: string): Promise<boolean> =>
  (
    await tx.query(
      sql`delete from rowhouse.oauth_secrets where id = ${secretId} and client_id = ${clientId} returning 1`,
    )
  ).length > 0;
