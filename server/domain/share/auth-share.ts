// POST /share/:shareId/view/auth
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import type { PublicContext } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';
import { countUse } from '../user/attempt.sql.ts';
import { keyOf, networkOf, slowDown } from '../user/limit-attempts.ts';
import { forgetUses, giveUseBack, limitUses } from '../user/limit-uses.ts';
import { verifyPassword } from '../user/password.ts';
import { findShare } from './open-share.ts';
import { type Locked, newPass, passCookie } from './pass.ts';

const minutes = 15;
/** From one address; of the whole world so many that a short password is not guessed by many addresses either. */
const limits = { address: 10, world: 500 };

/** Of a view, of a dashboard or of a base. */
export const enterShare = async (
  context: PublicContext,
  share: Locked,
  password: string,
  ip: string,
): Promise<Answer> => {
  const { db } = context;
  const { shareId } = share;
  if (share.passwordHash === null)
    throw new ApiError('validation_error', 'This share has no password: it can be opened as it is');
  const [mine, world] = [
    ['share', shareId, networkOf(ip)],
    ['share', shareId],
  ];
  const { count, wait } = await countUse(db, keyOf(...mine), minutes);
  if (count > limits.address)
    throw new ApiError('too_many_requests', `Too many wrong passwords; try again in ${wait} seconds`, undefined, {
      'retry-after': String(Math.max(1, wait)),
    });
  await limitUses(db, { key: world, limit: limits.world, minutes, message: 'Too many wrong passwords for this share' });
  const delay = slowDown(count);
  if (delay > 0) await sleep(delay);
  if (!(await verifyPassword(password, share.passwordHash)))
    throw invalid({ path: 'password', message: 'The password is wrong' });
  // Only wrong passwords count: those who know it do not shut the others out.
  await forgetUses(db, mine);
  await giveUseBack(db, world);
  const token = newPass(context, share);
  return new Answer({ body: { token }, headers: { 'set-cookie': passCookie(context, share, token) } });
};

export const authShare = async (
  context: PublicContext,
  shareId: string,
  password: string,
  ip: string,
): Promise<Answer> => enterShare(context, await findShare(context, shareId), password, ip);
