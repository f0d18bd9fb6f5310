import type { Context } from '../../context.ts';
import { hashSecret, tokenText } from '../../endpoint/credential.ts';
import { deleteChildren, updateSecret } from './access-token.sql.ts';
import { changeOwnToken } from './change-own-token.ts';
import { newSecret } from './create-access-token.ts';
import { readExpiry } from './expiry.ts';
import { demandNoLongerLife } from './issue-access-token.ts';

interface Refreshed {
  id: string;
  expiredTime: string;
  token: string;
}

export const refreshAccessToken = (
  context: Context,
  id: string,
  input: { expiredTime?: string | undefined },
): Promise<Refreshed> =>
  changeOwnToken(context, id, 'token.refreshed', async (tx, row) => {
    const expiredTime = input.expiredTime === undefined ? null : readExpiry(input.expiredTime);
    // Also when the expiry stays: the caller gets to know the new text of a token that may outlive it.
    demandNoLongerLife(context.principal, expiredTime ?? new Date(row.expiredTime));
    // A text is made new when the old one may be in wrong hands: then so is what was made with it.
    await deleteChildren(tx, id, null);
    const secret = newSecret();
    const changed = await updateSecret(tx, id, hashSecret(secret), expiredTime);
    return { id, expiredTime: changed.expiredTime, token: tokenText(id, secret) };
  });
