import { expect, test } from 'vitest';
import { isChallenge, verifies } from './pkce.ts';

// The example of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('a verifier fits the challenge that was made of it and no other', () => {
  expect(verifies(verifier, challenge)).toBe(true);
  expect(verifies(`${verifier}x`, challenge)).toBe(false);
  expect(verifies(challenge, challenge)).toBe(false);
  expect(verifies(verifier, '')).toBe(false);
});

test('a verifier that is too short, too long or of other characters fits nothing', () => {
  for (const bad of ['', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)} `])
    expect(verifies(bad, challenge)).toBe(false);
});

test('a challenge is 43 characters of base64url', () => {
  expect(isChallenge(challenge)).toBe(true);
  for (const bad of ['', challenge.slice(1), `${challenge}=`, challenge.replace('E', '+')])
    expect(isChallenge(bad)).toBe(false);
});
