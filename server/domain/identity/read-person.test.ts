import { expect, test } from 'vitest';
import { readPerson, withUserinfo } from './read-person.ts';

const plain = { verifiedClaim: 'email_verified', acrValues: [], groupsClaim: null };
const read = (claims: Record<string, unknown>, provider = plain) => readPerson(provider, { sub: 's', ...claims });

test('an address counts as verified when the provider says so, in the ways providers say it', () => {
  for (const yes of [true, 'true', 1, '1'])
    expect(read({ email: 'Ada@Example.com', email_verified: yes })).toMatchObject({
      email: 'ada@example.com',
      isVerified: true,
    });
  for (const no of [false, 'false', 0, null, undefined, 'yes', {}])
    expect(read({ email: 'ada@example.com', email_verified: no }).isVerified).toBe(false);
  const other = { verifiedClaim: 'xms_edov', acrValues: [], groupsClaim: null };
  expect(read({ email: 'a@b.example', email_verified: true }, other).isVerified).toBe(false);
  expect(read({ email: 'a@b.example', xms_edov: '1' }, other).isVerified).toBe(true);
});

test('what is no address, or would become that of somebody else in lower case, is none', () => {
  for (const email of [
    '',
    'ada',
    'a b@example.com',
    'a@b@example.com',
    '\u212Aim@example.com',
    'a@ex\u0131mple.com',
    7,
    null,
  ])
    expect(read({ email, email_verified: true })).toMatchObject({ email: null, isVerified: false });
});

test('a name is a line of text', () => {
  expect(read({ name: ' Ada\n\u202EStone\0 ' }).name).toBe('Ada Stone');
  expect(read({ name: '', preferred_username: 'ada' }).name).toBe('ada');
  expect(read({ name: 7 }).name).toBeUndefined();
  expect(read({ name: 'x'.repeat(999) }).name).toHaveLength(200);
});

test('user information vouches for its own address alone', () => {
  const merge = (claims: object, told: object) => read(withUserinfo(plain, { ...claims }, { ...told }));
  const told = { email: 'told@example.com', email_verified: true, name: 'Told' };
  expect(merge({}, told)).toMatchObject({ email: 'told@example.com', isVerified: true, name: 'Told' });
  expect(merge({ email: 'told@example.com' }, told).isVerified).toBe(true);
  expect(merge({ email: 'other@example.com' }, told)).toMatchObject({ email: 'other@example.com', isVerified: false });
  expect(merge({ email_verified: true }, { email: 'x@example.com' }).isVerified).toBe(false);
  expect(merge({ email: 'told@example.com', email_verified: false }, told).isVerified).toBe(false);
});
