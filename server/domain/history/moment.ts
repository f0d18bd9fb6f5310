// Moments as requests name them: to the millisecond, as answers show them.
import { invalid } from '@rowhouse/contract/error.ts';
import { parseInstant } from '../cell/type/date-parse.ts';

/** A day is its beginning, and a time without offset is UTC, wherever the server stands. */
const inFull = (text: string): string => {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00Z`;
  return /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
};

export const momentOf = (text: string | undefined, path: string): Date | undefined => {
  if (text === undefined) return undefined;
  const moment = parseInstant(inFull(text));
  if (moment === null)
    throw invalid({ path, message: 'Expected a date such as 2024-01-31T12:00:00Z', expected: 'an ISO 8601 date' });
  return moment;
};

/** PostgreSQL keeps microseconds: everything before this was shown as of the moment or earlier. */
export const justAfter = (moment: Date): string => new Date(moment.getTime() + 1).toISOString();
