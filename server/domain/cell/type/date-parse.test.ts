import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant, readInstant } from './date-parse.ts';

const part = (length: number, most: number) =>
  fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(length, '0'));
/** Of the form that is looked at without reading its parts; most days and times exist, some do not. */
const plain = fc
  .tuple(
    fc.oneof(part(4, 9_999), part(4, 5)),
    part(2, 13),
    part(2, 32),
    part(2, 24),
    part(2, 60),
    part(2, 60),
    part(3, 999),
    fc.constantFrom('Z', 'Z', 'Z', 'z', ' '),
  )
  .map(
    ([year, month, day, hour, minute, second, fraction, zone]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}`,
  );

test('an instant in the usual form is what reading its parts makes of it', () => {
  fc.assert(
    fc.property(plain, (text) => {
      expect(readInstant(text)).toBe(parseInstant(text)?.toISOString() ?? null);
    }),
    { numRuns: 5_000 },
  );
});

test('days that there are and days that there are not', () => {
  for (const day of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2023-04-30'])
    expect(readInstant(`${day}T23:59:59.999Z`)).toBe(`${day}T23:59:59.999Z`);
  for (const day of ['2023-02-29', '1900-02-29', '0000-12-31', '2023-04-31', '2023-00-10', '2023-13-10', '2023-10-00'])
    expect(readInstant(`${day}T00:00:00.000Z`)).toBeNull();
});
