// The code that a device shows and a person types, often on a phone: consonants that look like no digit, and spell nothing.
import { randomInt } from 'node:crypto';
import { hashSecret } from '../../endpoint/credential.ts';

const letters = 'BCDFGHJKMNPQRSTVWXZ';
const length = 8;

export const newUserCode = (): string => {
  const code = Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
};

/** Case, spaces and dashes do not count. */
export const hashUserCode = (typed: string): Buffer => hashSecret(typed.toUpperCase().replace(/[^A-Z]/g, ''));
