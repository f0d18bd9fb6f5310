import { expect, test } from 'vitest';
import { matchTotp, stepAt, toBase32, totpCode, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at second %i the code is that of RFC 6238, in six digits', (second, eight) => {
  expect(totpCode(secret, stepAt(new Date(second * 1_000)))).toBe(eight.slice(2));
});

test('a code counts in its step and in the ones beside it', () => {
  const time = new Date(1_111_111_109_000);
  const around = [-2, -1, 0, 1, 2].map((away) => matchTotp(secret, totpCode(secret, stepAt(time) + away), time));
  expect(around).toEqual([undefined, stepAt(time) - 1, stepAt(time), stepAt(time) + 1, undefined]);
  expect([matchTotp(secret, '', time), matchTotp(secret, '0818044', time), matchTotp(secret, 'ééé', time)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('secrets are written as base32, as in RFC 4648', () => {
  expect(['f', 'foo', 'foobar'].map((text) => toBase32(Buffer.from(text)))).toEqual(['MY', 'MZXW6', 'MZXW6YTBOI']);
  expect(totpUri(secret, 'a b@example.com', 'Row house')).toBe(
    'otpauth://totp/Row%20house:a%20b%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Row%20house',
  );
});
