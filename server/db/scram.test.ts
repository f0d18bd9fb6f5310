import { expect, test } from 'vitest';
import { isVerifierOf, scramVerifier } from './scram.ts';

test('the verifier is the one of RFC 7677', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  expect(scramVerifier('pencil', 4_096, salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

test('a verifier tells its password from others', () => {
  const verifier = scramVerifier('pencil');
  expect(isVerifierOf(verifier, 'pencil')).toBe(true);
  expect(isVerifierOf(verifier, 'pencil2')).toBe(false);
  expect(isVerifierOf(null, 'pencil')).toBe(false);
  expect(isVerifierOf('md53175bce1d3201d16594cebf9d7eb3f9d', 'pencil')).toBe(false);
});

test('a verifier of other iterations is another one', () => {
  const verifier = scramVerifier('pencil', 1);
  expect(verifier).toMatch(/^SCRAM-SHA-256\$1:/);
  expect(isVerifierOf(verifier, 'pencil', 1)).toBe(true);
  expect(isVerifierOf(verifier, 'pencil2', 1)).toBe(false);
  expect(isVerifierOf(verifier, 'pencil')).toBe(false);
});
