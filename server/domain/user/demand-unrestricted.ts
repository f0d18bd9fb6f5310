// What changes the account or its applications is not among the scopes a token can be limited to, so a limited token
// may not do it: anyone who can set a redirect URI gets the codes of everyone who trusts the application.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Principal } from '../../catalog/principal.ts';

/** A session, or a personal token that may do all its user may. */
export const isUnrestricted = (principal: Principal): boolean => principal.scopes === null;

export const demandUnrestricted = (principal: Principal): void => {
  if (!isUnrestricted(principal))
    throw forbidden(
      'Only a session or a token with full access and all scopes may change the account or its applications',
    );
};
