// Setting up, renewing and giving up a second factor. Each needs the password, and what takes protection away a code too.
import type { IncomingHttpHeaders } from 'node:http';
import { randomBytes } from 'node:crypto';
import { ApiError, conflict, invalid, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { type Doer, doerOf, operator, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf, hashSecret } from '../../endpoint/credential.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { limitAttempts } from '../user/limit-attempts.ts';
import { verifyPassword } from '../user/password.ts';
import { newTotpSecret, toBase32, totpUri } from '../user/totp.ts';
import { selectPasswordHash, updateSecondFactor } from '../user/user.sql.ts';
import { tellAccount } from './account-notice.ts';
import { cleanCode, limitSecondFactor, takeCode } from './check-second-factor.ts';
import { userIdOf } from './operator-account.ts';
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  replaceRecoveryCodes,
  selectFactor,
  type Factor,
} from './second-factor.sql.ts';
import { deleteOtherSessions } from './session.sql.ts';

const issuer = 'Rowhouse';
const codesAtOnce = 10;

const demandOwnPassword = async ({ db, principal, from }: Context, password: string): Promise<void> => {
  demandUnrestricted(principal);
  const attempt = await limitAttempts(db, principal.email, from.ip ?? '');
  if (!(await verifyPassword(password, await selectPasswordHash(db, principal.userId))))
    throw new ApiError('invalid_credentials', 'The present password is wrong');
  await attempt.succeeded(db);
};

export const getSecondFactor = async ({
  db,
  principal,
}: Context): Promise<{ isSet: boolean; recoveryCodesLeft: number }> => {
  demandUnrestricted(principal);
  return {
    isSet: (await selectFactor(db, principal.userId))?.isConfirmed === true,
    recoveryCodesLeft: await countRecoveryCodes(db, principal.userId),
  };
};

export const beginSecondFactor = async (
  context: Context,
  password: string,
): Promise<{ secret: string; uri: string }> => {
  const { db, principal, secretKey } = context;
  await demandOwnPassword(context, password);
  const secret = newTotpSecret();
  if (!(await beginFactor(db, principal.userId, secretKey.seal(secret.toString('hex')))))
    throw conflict('There is a second factor already; remove it first');
  return { secret: toBase32(secret), uri: totpUri(secret, principal.email, issuer) };
};

/** 80 bits each: their hashes can be kept as they are. */
const newRecoveryCodes = async (tx: Tx, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: codesAtOnce }, () =>
    toBase32(randomBytes(10))
      .toLowerCase()
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashSecret(cleanCode(code))),
  );
  return codes;
};

export const confirmSecondFactor = async (
  context: Context,
  code: string,
  headers: IncomingHttpHeaders,
): Promise<{ recoveryCodes: string[] }> => {
  const { db, principal, config } = context;
  const { userId } = principal;
  demandUnrestricted(principal);
  await limitSecondFactor(db, userId);
  const recoveryCodes = await retriedTransaction(db, async (tx) => {
    const factor = await selectFactor(tx, userId);
    if (factor?.isConfirmed === true) throw conflict('There is a second factor already');
    if (factor?.isFresh !== true)
      throw invalid({
        path: 'code',
        message: 'Begin first: the secret that this code could be of was not asked for, or half an hour ago',
      });
    await takeCode(context, tx, userId, factor, code);
    if (!(await confirmFactor(tx, userId))) throw conflict('There is a second factor already');
    await updateSecondFactor(tx, userId, true);
    const credential = credentialOf(headers);
    await deleteOtherSessions(tx, userId, credential?.kind === 'session' ? credential.hash : null);
    await writeAudit(tx, doerOf(context), 'user.secondFactorSet', { member: userId }, { userId });
    await tellAccount(tx, config, { to: principal.email, notice: 'secondFactorSet' });
    await bumpEpochs(tx, [userId]);
    return newRecoveryCodes(tx, userId);
  });
  return { recoveryCodes };
};

const withCode = async <T>(
  context: Context,
  input: { password: string; code: string },
  use: (tx: Tx) => Promise<T>,
): Promise<T> => {
  const { db, principal } = context;
  await demandOwnPassword(context, input.password);
  await limitSecondFactor(db, principal.userId);
  return retriedTransaction(db, async (tx) => {
    const factor = await selectFactor(tx, principal.userId);
    if (factor?.isConfirmed !== true) throw notFound('Second factor');
    await takeCode(context, tx, principal.userId, factor satisfies Factor, input.code);
    return use(tx);
  });
};

export const renewRecoveryCodes = async (
  context: Context,
  input: { password: string; code: string },
): Promise<{ recoveryCodes: string[] }> => ({
  recoveryCodes: await withCode(context, input, async (tx) => {
    const { userId } = context.principal;
    await writeAudit(tx, doerOf(context), 'user.recoveryCodesRenewed', { member: userId }, { userId });
    return newRecoveryCodes(tx, userId);
  }),
});

export const removeSecondFactor = async (
  context: Context,
  input: { password: string; code: string },
): Promise<void> => {
  const { principal, config } = context;
  await withCode(context, input, async (tx) => {
    await deleteFactor(tx, principal.userId);
    await updateSecondFactor(tx, principal.userId, false);
    await writeAudit(
      tx,
      doerOf(context),
      'user.secondFactorRemoved',
      { member: principal.userId },
      { userId: principal.userId },
    );
    await tellAccount(tx, config, { to: principal.email, notice: 'secondFactorRemoved' });
    await bumpEpochs(tx, [principal.userId]);
  });
};

/** Of somebody who has lost app and recovery codes. False when there was none. */
export const takeSecondFactorOff = async (tx: Tx, doer: Doer, userId: string): Promise<boolean> => {
  if (!(await deleteFactor(tx, userId))) return false;
  await updateSecondFactor(tx, userId, false);
  await writeAudit(tx, doer, 'user.secondFactorRemoved', { member: userId }, { userId });
  await bumpEpochs(tx, [userId]);
  return true;
};

/** For the operator. */
export const removeUserSecondFactor = (db: Db, email: string): Promise<boolean> =>
  retriedTransaction(db, async (tx) => takeSecondFactorOff(tx, operator, await userIdOf(tx, email)));
