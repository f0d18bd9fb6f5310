import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

test('a password fits its own hash, and no other password does', async () => {
  const hash = await hashPassword('rosebud 1941');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hashPassword('rosebud 1941')).not.toBe(hash);
  expect(await verifyPassword('rosebud 1941', hash)).toBe(true);
  expect(await verifyPassword('Rosebud 1941', hash)).toBe(false);
});

test('without a hash no password fits, after work with the same parameters', async () => {
  expect(await verifyPassword('rosebud 1941', null)).toBe(false);
  expect(await verifyPassword('', null)).toBe(false);
});
