// The moment a token ends, as a client may write it.
import { invalid } from '@rowhouse/contract/error.ts';

// Four-digit years, less a day for time zones: what PostgreSQL and JavaScript read and write alike.
const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(9999, 11, 30);

/** A moment in the past is allowed, as in Teable: such a token never works. */
export const readExpiry = (text: string): Date => {
  const time = Date.parse(text);
  if (!(time >= earliest && time <= latest)) {
    throw invalid({
      path: 'expiredTime',
      message: 'Expected a date such as 2030-01-31',
      expected: 'a date such as 2030-01-31',
    });
  }
  return new Date(time);
};
