// What an authenticator app makes of the secret that it was shown.
import { stepAt, totpCode } from '../../server/domain/user/totp.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) as string[]).map((byte) => Number.parseInt(byte, 2)));
};

export const codeAt = (secret: string, time: Date): string => totpCode(fromBase32(secret), stepAt(time));
