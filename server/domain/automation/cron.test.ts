import { expect, test } from 'vitest';
import { type Cron, nextTime, readCron } from './cron.ts';

const after = (text: string, from: string, zone = 'UTC'): string | undefined => {
  const time = nextTime(readCron(text) as Cron, zone, Date.parse(from));
  return time === undefined ? undefined : new Date(time).toISOString();
};

test.each([
  ['* * * * *', '2026-01-01T00:00:30Z', 'UTC', '2026-01-01T00:01:00.000Z'],
  ['0 9 * * *', '2026-01-01T09:00:00Z', 'UTC', '2026-01-02T09:00:00.000Z'],
  ['*/15 8-9 * * MON-FRI', '2026-01-02T09:45:00Z', 'UTC', '2026-01-05T08:00:00.000Z'],
  ['0 0 1 JAN,JUL *', '2026-01-01T00:00:00Z', 'UTC', '2026-07-01T00:00:00.000Z'],
  ['0 0 13 * 5', '2026-02-01T00:00:00Z', 'UTC', '2026-02-06T00:00:00.000Z'],
  ['0 0 * * 7', '2026-01-01T00:00:00Z', 'UTC', '2026-01-04T00:00:00.000Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', 'UTC', '2028-02-29T00:00:00.000Z'],
  ['0 9 * * *', '2026-03-28T09:00:00Z', 'Europe/Berlin', '2026-03-29T07:00:00.000Z'],
  ['30 2 * * *', '2026-03-29T00:00:00Z', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('%s after %s in %s', (text, from, zone, wanted) => {
  expect(after(text, from, zone)).toBe(wanted);
});

test('31 February never comes', () => {
  expect(after('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
});

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * FOO *',
  '5-1 * * * *',
  '*/0 * * * *',
  '1--2 * * * *',
])('"%s" is none', (text) => {
  expect(typeof readCron(text)).toBe('string');
});
