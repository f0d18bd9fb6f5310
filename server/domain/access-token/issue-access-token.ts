// Makes a token on behalf of its user: the checked form of createAccessToken.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { isUnrestricted } from '../user/demand-unrestricted.ts';
import { createAccessToken } from './create-access-token.ts';
import { demandGrant } from './demand-grant.ts';
import { readExpiry } from './expiry.ts';
import { type AccessTokenShown, showAccessToken } from './show-access-token.ts';

export interface IssueInput {
  name: string;
  description?: string | undefined;
  scopes: string[];
  spaceIds?: string[] | null | undefined;
  baseIds?: string[] | null | undefined;
  hasFullAccess?: boolean | undefined;
  expiredTime: string;
}

/** Otherwise a limited token could live on in its offspring for ever. */
export const demandNoLongerLife = (principal: Principal, expiredTime: Date): void => {
  if (!isUnrestricted(principal) && expiredTime.getTime() > principal.expires) {
    throw forbidden('A limited token cannot give a token a longer life than its own');
  }
};

export const issueAccessToken = async (
  { db, principal }: Context,
  input: IssueInput,
): Promise<AccessTokenShown & { token: string; lastUsedTime: string }> => {
  const expiredTime = readExpiry(input.expiredTime);
  const grant = {
    scopes: input.scopes,
    spaceIds: input.spaceIds ?? null,
    baseIds: input.baseIds ?? null,
    hasFullAccess: input.hasFullAccess ?? false,
  };
  await demandGrant(db, principal, grant);
  demandNoLongerLife(principal, expiredTime);
  const made = await createAccessToken(db, { ...grant, userId: principal.userId, name: input.name, description: input.description, expiredTime });
  // The official client demands a time of last use even of a token that was just made.
  return { ...showAccessToken(made), lastUsedTime: made.createdTime, token: made.token };
};
