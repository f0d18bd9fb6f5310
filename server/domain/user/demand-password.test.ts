import { expect, test } from 'vitest';
import { demandPassword } from './demand-password.ts';

const refusal = (password: string): string | undefined => {
  try {
    demandPassword(password, 'Ada.Lovelace@example.com', 'newPassword');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  'password1',
  'Password123',
  'P@ssw0rd',
  'p4ssw0rd!',
  'qwerty123',
  '1q2w3e4r',
  'welcome2024',
  'Summer2025!',
  'abc12345',
  'iloveyou1',
  'admin123!',
  'letmein1',
  'aaaaaaa1',
  '123password',
  'test1test',
  'Trustno1!',
])('%s is too common', (password) => {
  expect(refusal(password)).toBe(
    'Validation error: This is one of the most common passwords, which are tried first; choose another at "newPassword"',
  );
});

test.each(['ada.lovelace@example.com1', 'AdaLovelace1815', 'ada-lovelace1', '12adalovelace'])(
  '%s is the own address',
  (password) => {
    expect(refusal(password)).toContain('must not be the e-mail address of the account');
  },
);

test.each(['correct horse 1', 'rosebud 1941', 'lovelace 1815 engine', 'tr0ub4dor&3x', 'blue7kettle'])(
  '%s is taken',
  (password) => {
    expect(refusal(password)).toBeUndefined();
  },
);

test('one that is too short is refused first', () => {
  expect(refusal('abc1')).toContain('Expected 8 to 256 characters');
});
