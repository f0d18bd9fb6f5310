// Who is calling, and what the credential lets them reach.
import type { Action } from '@rowhouse/contract/permission.ts';

export interface Principal {
  userId: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** `session`: cookie; `token`: personal access token; `oauth`: token issued to an application. */
  kind: 'session' | 'token' | 'oauth';
  /** Access token id, or null for a session. */
  tokenId: string | null;
  clientId: string | null;
  /** What a token may do; null for a session, and for a token that may do all its user may, everywhere. */
  scopes: ReadonlySet<string> | null;
  /** Where a token may do it; null means everywhere its user may. */
  reach: { spaceIds: ReadonlySet<string>; baseIds: ReadonlySet<string> } | null;
  /** When the credential ends, in ms. */
  expires: number;
}

export const hasScope = (principal: Principal, action: Action): boolean => principal.scopes === null || principal.scopes.has(action);

export const reaches = (principal: Principal, spaceId: string, baseId: string | null): boolean =>
  principal.reach === null || principal.reach.spaceIds.has(spaceId) || (baseId !== null && principal.reach.baseIds.has(baseId));
