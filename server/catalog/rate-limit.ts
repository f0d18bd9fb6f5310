// Requests per second and credential, for all processes together. A process draws points from the database, a tenth
// of the limit at a time, and spends them in memory: so the limit is never passed, and a busy credential costs at most
// some ten statements per second instead of one per request, which is why this is not RateLimiterPostgres. Those who
// have no credential are counted by address, in this process alone, by rate-limiter-flexible.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../db/db.ts';
import { drawPoints, largestSkew } from './rate-limit.sql.ts';

interface Rate {
  allowed: boolean;
  limit: number;
  /** As far as this process knows. */
  remaining: number;
  /** Seconds until a new window begins. */
  reset: number;
}

export interface RateLimiter {
  take(key: string, limit: number): Rate | Promise<Rate>;
  takeAnonymous(client: string): Promise<Rate>;
}

interface Purse {
  second: number;
  /** Drawn and not yet spent. */
  points: number;
  /** By all processes, when this one last drew. */
  taken: number;
  /** The highest limit at which nothing was left to draw: a token meets different limits in different spaces. */
  emptyFor: number;
  drawing: Promise<void> | undefined;
}

const capacity = 20_000;

export const createRateLimiter = (db: Db, now: () => Date, anonymousLimit: number): RateLimiter => {
  const purses = new Map<string, Purse>();
  const anonymous = new RateLimiterMemory({ points: anonymousLimit, duration: 1 });

  const purseOf = (key: string, second: number): Purse => {
    const known = purses.get(key);
    if (known !== undefined && known.second >= second && known.second <= second + largestSkew) return known;
    if (purses.size >= capacity) purses.clear();
    const purse: Purse = { second, points: 0, taken: 0, emptyFor: 0, drawing: undefined };
    purses.set(key, purse);
    return purse;
  };

  const draw = async (purse: Purse, key: string, limit: number): Promise<void> => {
    for (const points of new Set([Math.max(1, Math.floor(limit / 10)), 1])) {
      const taken = await drawPoints(db, key, purse.second, points, limit);
      if (taken === undefined) continue;
      purse.points += points;
      purse.taken = taken;
      return;
    }
    purse.emptyFor = Math.max(purse.emptyFor, limit);
  };

  const spend = (purse: Purse, limit: number): Rate | undefined => {
    if (limit <= purse.emptyFor && purse.points === 0) return { allowed: false, limit, remaining: 0, reset: 1 };
    if (purse.taken - purse.points >= limit) return { allowed: false, limit, remaining: 0, reset: 1 };
    if (purse.points === 0) return undefined;
    purse.points -= 1;
    return { allowed: true, limit, remaining: Math.max(0, limit - purse.taken + purse.points), reset: 1 };
  };

  const drawAndSpend = async (purse: Purse, key: string, limit: number): Promise<Rate> => {
    for (;;) {
      const rate = spend(purse, limit);
      if (rate !== undefined) return rate;
      purse.drawing ??= draw(purse, key, limit).finally(() => {
        purse.drawing = undefined;
      });
      await purse.drawing;
    }
  };

  return {
    take(key, limit) {
      const purse = purseOf(key, Math.floor(now().getTime() / 1_000));
      return spend(purse, limit) ?? drawAndSpend(purse, key, limit);
    },
    async takeAnonymous(client) {
      const outcome = await anonymous.consume(client).then(
        (result) => ({ result, allowed: true }),
        (result: unknown) => {
          if (!(result instanceof RateLimiterRes)) throw result;
          return { result, allowed: false };
        },
      );
      return { allowed: outcome.allowed, limit: anonymousLimit, remaining: outcome.result.remainingPoints, reset: 1 };
    },
  };
};

/** The headers of the IETF draft on rate limits, and the three that came before it. */
export const rateHeaders = ({ limit, remaining, reset }: Rate): Record<string, string> => ({
  'ratelimit-policy': `"api";q=${limit};w=1`,
  ratelimit: `"api";r=${remaining};t=${reset}`,
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(reset),
});
