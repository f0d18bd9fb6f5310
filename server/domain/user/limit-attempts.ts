// Guessing passwords: the first tries are free, then answers come slower, then 429 until the window ends. Tries are
// counted in the database before the password is looked at, so parallel tries and several processes count together.
// Nobody can lock somebody out for good: a window has a fixed end, and clients that have signed in to the address
// before are counted apart from the rest of the world.
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Queryable } from '../../db/db.ts';
import { type AttemptKeys, countAttempt, deleteExpiredAttempts, forgiveAttempts } from './attempt.sql.ts';

const minutes = 15;
const limits = { address: 10, client: 100 };
const freeTries = 3;

/** Milliseconds that the n-th try of an address is kept waiting. */
export const slowDown = (count: number): number =>
  count <= freeTries ? 0 : Math.min(1_000, 100 * 2 ** (count - freeTries - 1));

/** Anyone who has one IPv6 address has the other 2^64 of its network too. */
export const networkOf = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (embedded !== null) return embedded[1] as string;
  const [head = '', tail] = (ip.split('%')[0] as string).toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(gap).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
};

// Hashed: what people mistype into the address field is not ours to keep.
export const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\n')).digest();

interface Attempt {
  /** To be called when the password was right. */
  succeeded(db: Queryable): Promise<void>;
}

export const limitAttempts = async (db: Queryable, email: string, ip: string): Promise<Attempt> => {
  const address = email.toLowerCase();
  const client = networkOf(ip);
  const keys: AttemptKeys = {
    address: keyOf('address', address),
    client: keyOf('client', client),
    pair: keyOf('pair', address, client),
  };
  const counted = await countAttempt(db, keys, minutes);
  const exceeded = counted.filter(({ of, count }) => count > limits[of]);
  if (exceeded.length > 0) {
    const wait = Math.max(1, ...exceeded.map((item) => item.wait));
    throw new ApiError('too_many_requests', `Too many attempts to sign in; try again in ${wait} seconds`, undefined, {
      'retry-after': String(wait),
    });
  }
  const tries = counted.find(({ of }) => of === 'address')?.count ?? 1;
  if (tries === 1) await deleteExpiredAttempts(db);
  const delay = slowDown(tries);
  if (delay > 0) await sleep(delay);
  return { succeeded: (handle) => forgiveAttempts(handle, keys) };
};
