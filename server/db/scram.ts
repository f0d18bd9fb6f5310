// What PostgreSQL keeps of a password. Made here, so that the password itself is in no statement: a statement that fails,
// or a server that logs all of them, would write it down.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const iterations = 4_096;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** For passwords of ASCII, which need no further preparation (RFC 5803, RFC 7677). */
export const scramVerifier = (password: string, salt: Buffer = randomBytes(16)): string => {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey.toString('base64')}:${hmac(salted, 'Server Key').toString('base64')}`;
};

/** Whether a verifier is of this password. */
export const isVerifierOf = (verifier: string | null, password: string): boolean => {
  const salt = /^SCRAM-SHA-256\$4096:([^$]+)\$/.exec(verifier ?? '')?.[1];
  return salt !== undefined && scramVerifier(password, Buffer.from(salt, 'base64')) === verifier;
};
