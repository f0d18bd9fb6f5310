// Codes of authenticator apps: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which is what all apps do.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const seconds = 30;
/** Clocks differ, and people type slowly. */
const window = 1;

/** RFC 4648 without padding; five bytes become eight letters. */
export const toBase32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)] as string)
    .join('');
};

export const newTotpSecret = (): Buffer => randomBytes(20);

export const totpCode = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const at = (digest[19] as number) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1_000 / seconds);

/** The step that the code belongs to; undefined when it belongs to none near that time. */
export const matchTotp = (secret: Buffer, code: string, time: Date): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined;
  const steps = Array.from({ length: 2 * window + 1 }, (_, at) => stepAt(time) - window + at);
  return steps.filter((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))).at(-1);
};

export const totpUri = (secret: Buffer, account: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
