import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { getTempToken as endpoint } from '@rowhouse/contract/auth.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { doerOf } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { deleteOldTemporary } from './access-token.sql.ts';
import { createAccessToken } from './create-access-token.ts';
import { auditToken } from './token-audit.ts';

const lifetime = 600_000;

/** For those who may do everything as this user already: it is a copy that ends soon. */
export const getTempToken = (context: Context): Promise<ResponseOf<typeof endpoint>> => {
  const { db, principal, now } = context;
  demandUnrestricted(principal);
  const expiredTime = new Date(Math.min(now().getTime() + lifetime, principal.expires));
  return retriedTransaction(db, async (tx) => {
    await deleteOldTemporary(tx, principal.userId);
    const made = await createAccessToken(tx, {
      userId: principal.userId,
      name: 'Temporary',
      scopes: actions,
      hasFullAccess: true,
      expiredTime,
      parentId: principal.tokenId,
      isTemporary: true,
    });
    await auditToken(tx, doerOf(context), 'token.created', made, principal.userId);
    return { accessToken: made.token, expiresTime: expiredTime.toISOString() };
  });
};
