// Who is calling, and what the credential lets them reach.
import type { Action } from '@rowhouse/contract/permission.ts';
import type { ShownEmail } from '@rowhouse/contract/user.ts';

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
  /** Set for visitors of a base that is shared by an address: `userId` is that address. */
  visits?: { readonly folderId: string | null; readonly isTable: boolean };
  /** Set while somebody reads as another person or as a role: the one who really asks. */
  viewedBy?: Principal;
}

/** Whose request it is, also while they view as somebody else. */
export const askerOf = (principal: Principal): Principal => principal.viewedBy ?? principal;

export const hasScope = (principal: Principal, action: Action): boolean =>
  principal.scopes === null || principal.scopes.has(action);

/** What a credential sees of any place that it reaches, by its scopes. Everything that renders people or cells asks for it. */
export interface Eyes {
  /** E-mail addresses of people. */
  readonly seesEmails: boolean;
  /** Cells, titles of records and what people say about them. */
  readonly seesCells: boolean;
}

export const eyesOf = (principal: Pick<Principal, 'scopes'>): Eyes => ({
  seesEmails: principal.scopes === null || principal.scopes.has('user|email_read'),
  seesCells: principal.scopes === null || principal.scopes.has('record|read'),
});

/** Choices of a field that no cell has, descriptions and other definitions: shown to credentials with any scope for bases, tables, fields or views. */
export const seesDefinitions = ({ scopes }: Pick<Principal, 'scopes'>): boolean =>
  scopes === null || [...scopes].some((scope) => /^(base|table|field|view)\|/.test(scope));

/** An empty text for those who may not see it. */
export const shownEmail = (principal: Pick<Principal, 'scopes'>, email: string): ShownEmail =>
  (eyesOf(principal).seesEmails ? email : '') as ShownEmail;

export const reaches = (principal: Principal, spaceId: string, baseId: string | null): boolean =>
  principal.reach === null ||
  principal.reach.spaceIds.has(spaceId) ||
  (baseId !== null && principal.reach.baseIds.has(baseId));
