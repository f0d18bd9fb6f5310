// The token as the API shows it: what is not set is left out.
import { actions } from '@rowhouse/contract/permission.ts';
import type { AccessTokenRow } from './access-token.sql.ts';

export interface GrantShown {
  id: string;
  name: string;
  description?: string;
  scopes: string[];
  spaceIds?: string[];
  baseIds?: string[];
  hasFullAccess: boolean;
}

export interface AccessTokenShown extends GrantShown {
  expiredTime: string;
  createdTime: string;
  lastUsedTime?: string;
}

export const showGrant = (row: AccessTokenRow): GrantShown => ({
  id: row.id,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  scopes: row.mayDoAll ? [...actions] : row.scopes,
  ...(row.spaceIds === null ? {} : { spaceIds: row.spaceIds }),
  ...(row.baseIds === null ? {} : { baseIds: row.baseIds }),
  hasFullAccess: row.hasFullAccess,
});

export const showAccessToken = (row: AccessTokenRow): AccessTokenShown => ({
  ...showGrant(row),
  expiredTime: row.expiredTime,
  createdTime: row.createdTime,
  ...(row.lastUsedTime === null ? {} : { lastUsedTime: row.lastUsedTime }),
});
