import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedInteger } from './json-integers.ts';

const found = (json: string): string | undefined => changedInteger(Buffer.from(json))?.literal;

test('whole numbers that a double cannot hold are found, those that it can are not', () => {
  for (const literal of [
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '100000000000000000000001',
    '18446744073709551615',
    '9'.repeat(400),
  ]) {
    for (const json of [literal, `[${literal}]`, `{"a":[1, ${literal}]}`, `{"a":${literal},"b":2}`])
      expect(found(json), json).toBe(literal);
  }
  for (const literal of [
    '9007199254740991',
    '9007199254740992',
    '9007199254740994',
    '18446744073709551616',
    '-9223372036854775808',
    '1000000000000000000000',
    '0',
    '-0',
  ])
    expect(found(`[${literal}]`), literal).toBeUndefined();
});

test('digits behind a point and exponents are rounded as everywhere', () => {
  for (const literal of [
    '0.12345678901234567890',
    '123456789012345678.5',
    '1.2345678901234567890e30',
    '12345678901234567890e3',
    '1e1234567890123456789',
    '1E+1234567890123456789',
    '1e-1234567890123456789',
  ])
    expect(found(`{"a":${literal}}`), literal).toBeUndefined();
});

test('digits in texts and keys are no numbers, and the place of the number is told', () => {
  expect(found('{"9007199254740993":"9007199254740993 \\" 9007199254740993 \\\\","b":1}')).toBeUndefined();
  expect(found(`{"a":"${'9007199254740993, '.repeat(1_000)}","b":9007199254740993}`)).toBe('9007199254740993');
  expect(changedInteger(Buffer.from('{"ü":"9007199254740993",\n"b":9007199254740993}'))).toEqual({
    at: 30,
    literal: '9007199254740993',
  });
});

test('wherever it is, and whatever is around it', () => {
  const padding = fc.constantFrom(
    '',
    '1,',
    '"x",',
    '"9007199254740993",',
    '0.123456789012345678,',
    '[],',
    '12345,',
    '"\\"",',
    '                    1,',
  );
  fc.assert(
    fc.property(fc.array(padding), fc.array(padding), fc.boolean(), (before, after, isThere) => {
      const json = `[${before.join('')}${isThere ? '9007199254740993' : '9007199254740992'},${after.join('')}0]`;
      expect(found(json)).toBe(isThere ? '9007199254740993' : undefined);
    }),
    { numRuns: 500 },
  );
});

test('exactly the whole numbers that change are found', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const isHeld = BigInt(Number(value)) === value || String(Number(value)) === String(value);
      expect(found(`[${value}]`)).toBe(isHeld ? undefined : String(value));
    }),
  );
});

test('what JavaScript itself writes is never found', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue({ maxDepth: 4 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ min: 2 ** 53, max: 1e22, noNaN: true }).map(Math.round),
      ),
      (value) => {
        expect(found(JSON.stringify(value))).toBeUndefined();
        expect(found(JSON.stringify([value], null, 2))).toBeUndefined();
      },
    ),
    { numRuns: 1_000 },
  );
});
