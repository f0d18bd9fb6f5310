// Accounts made by the thousand: so many per client and window, whatever their addresses. Generous, because a school or
// a company may sign up within an hour from behind one address.
import type { Queryable } from '../../db/db.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { limitUses } from '../user/limit-uses.ts';

export const limitSignUps = (db: Queryable, ip: string): Promise<void> =>
  limitUses(db, { key: ['sign-up', networkOf(ip)], limit: 200, minutes: 15, message: 'Too many accounts were made from here' });
