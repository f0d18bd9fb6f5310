// Makes a token on behalf of its user: the checked form of createAccessToken.
import { forbidden, unauthorized } from '@rowhouse/contract/error.ts';
import { doerOf } from '../../catalog/audit.sql.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { isUnrestricted } from '../user/demand-unrestricted.ts';
import { holdActiveUser } from '../user/user.sql.ts';
import { holdAccessToken } from './access-token.sql.ts';
import { createAccessToken } from './create-access-token.ts';
import { demandGrant } from './demand-grant.ts';
import { readExpiry } from './expiry.ts';
import { isAll } from './grant.ts';
import { type AccessTokenShown, showAccessToken } from './show-access-token.ts';
import { auditToken } from './token-audit.ts';

interface IssueInput {
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
  context: Context,
  input: IssueInput,
): Promise<AccessTokenShown & { token: string; lastUsedTime: string }> => {
  const { principal } = context;
  const expiredTime = readExpiry(input.expiredTime);
  const hasFullAccess = input.hasFullAccess ?? false;
  const grant = {
    scopes: input.scopes,
    spaceIds: input.spaceIds ?? null,
    baseIds: input.baseIds ?? null,
    hasFullAccess,
    mayDoAll: isAll(input.scopes, hasFullAccess),
  };
  demandNoLongerLife(principal, expiredTime);
  const parentId = principal.tokenId;
  const made = await retriedTransaction(context.db, async (tx) => {
    // A token that is deleted, or an account that is deactivated at the same moment, leaves no other behind.
    if (!(await holdActiveUser(tx, principal.userId)) || (parentId !== null && !(await holdAccessToken(tx, parentId))))
      throw unauthorized();
    await demandGrant(tx, principal, grant);
    const token = await createAccessToken(tx, {
      ...grant,
      userId: principal.userId,
      name: input.name,
      description: input.description,
      expiredTime,
      parentId,
    });
    await auditToken(tx, doerOf(context), 'token.created', token, principal.userId);
    return token;
  });
  // The official client demands a time of last use even of a token that was just made.
  return { ...showAccessToken(made), lastUsedTime: made.createdTime, token: made.token };
};
