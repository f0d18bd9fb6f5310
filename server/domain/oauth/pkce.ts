// PKCE (RFC 7636) with S256, the only method: `plain` would send the secret itself through the browser.
import { createHash, timingSafeEqual } from 'node:crypto';

const challengeForm = /^[A-Za-z0-9_-]{43}$/;
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

export const isChallenge = (text: string): boolean => challengeForm.test(text);

export const verifies = (verifier: string, challenge: string): boolean => {
  if (!verifierForm.test(verifier)) return false;
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(verifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};
