// One code of somebody's second factor: of the app, or for recovery. Counted before it is looked at, and never accepted twice.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Services } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { forgetUses, limitUses } from '../user/limit-uses.ts';
import { matchTotp } from '../user/totp.ts';
import { type Factor, takeRecoveryCode, takeStep } from './second-factor.sql.ts';

const keyOf = (userId: string): string[] => ['second factor', userId];

/** Before the transaction that uses it, so that what is rolled back was counted all the same. */
export const limitSecondFactor = (db: Queryable, userId: string): Promise<void> =>
  limitUses(db, { key: keyOf(userId), limit: 10, minutes: 60, message: 'Too many codes were tried' });

export const cleanCode = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '');

/** In the transaction of what it allows. */
export const takeCode = async (
  { secretKey, now }: Pick<Services, 'secretKey' | 'now'>,
  tx: Queryable,
  userId: string,
  factor: Factor,
  given: string,
): Promise<void> => {
  const code = cleanCode(given);
  const secret = secretKey.unseal(factor.sealedSecret);
  const step = secret === undefined ? undefined : matchTotp(Buffer.from(secret, 'hex'), code, now());
  const fits =
    step === undefined
      ? factor.isConfirmed && (await takeRecoveryCode(tx, userId, hashSecret(code)))
      : await takeStep(tx, userId, factor.sealedSecret, step);
  if (!fits)
    throw invalid({
      path: 'code',
      message: 'This code is wrong, or was used before; wait for the next one of your app',
    });
  await forgetUses(tx, keyOf(userId));
};
