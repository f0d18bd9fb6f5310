// Accounts made by the thousand: so many per client and window, whatever their addresses. Generous, because a school or
// a company may sign up within an hour from behind one address.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../../db/db.ts';
import { countUse } from './attempt.sql.ts';
import { keyOf, networkOf } from './limit-attempts.ts';

const minutes = 15;
const limit = 200;

export const limitSignUps = async (db: Queryable, ip: string): Promise<void> => {
  const { count, wait } = await countUse(db, keyOf('sign-up', networkOf(ip)), minutes);
  if (count <= limit) return;
  const seconds = Math.max(1, wait);
  throw new ApiError('too_many_requests', `Too many accounts were made from here; try again in ${seconds} seconds`, undefined, { 'retry-after': String(seconds) });
};
