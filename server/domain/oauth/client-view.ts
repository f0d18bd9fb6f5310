// How an application is shown to its creator: no nulls, secrets masked.
import type { OauthClient } from '@rowhouse/contract/oauth.ts';
import type { ClientRow, SecretRow } from './client.sql.ts';

/** Characters of a secret that stay readable. */
export const endingLength = 10;

export const mask = (ending: string): string => '*'.repeat(30) + ending;

interface Details {
  name: string;
  description?: string;
  logo?: string;
  homepage: string;
}

/** What anyone sees who meets the application. */
export const detailsOf = (row: Pick<ClientRow, 'name' | 'description' | 'logo' | 'homepage'>): Details => ({
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.logo === null ? {} : { logo: row.logo }),
  homepage: row.homepage,
});

export const clientView = (row: ClientRow, secrets: readonly SecretRow[]): OauthClient => ({
  clientId: row.clientId,
  ...detailsOf(row),
  scopes: row.scopes,
  redirectUris: row.redirectUris,
  ...(row.allowDeviceFlow ? { allowDeviceFlow: true } : {}),
  secrets: secrets.map((secret) => ({
    id: secret.id,
    secret: mask(secret.ending),
    ...(secret.lastUsedTime === null ? {} : { lastUsedTime: secret.lastUsedTime }),
  })),
});
