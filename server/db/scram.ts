// What PostgreSQL keeps of a password. Made here, so that the password itself is in no statement: a statement that fails,
// or a server that logs all of them, would write it down.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const usualIterations = 4_096;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * For passwords of ASCII, which need no further preparation (RFC 5803, RFC 7677). Iterations make guessing slow, and every connection as well: 5 ms for the client. A password
 * of 192 random bits cannot be guessed at any speed, and needs one.
 */
export const scramVerifier = (
  password: string,
  iterations: number = usualIterations,
  salt: Buffer = randomBytes(16),
): string => {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey.toString('base64')}:${hmac(salted, 'Server Key').toString('base64')}`;
};

/** Whether a verifier is of this password, made with that many iterations. */
export const isVerifierOf = (
  verifier: string | null,
  password: string,
  iterations: number = usualIterations,
): boolean => {
  const [, found, salt] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$/.exec(verifier ?? '') ?? [];
  return (
    salt !== undefined &&
    Number(found) === iterations &&
    scramVerifier(password, iterations, Buffer.from(salt, 'base64')) === verifier
  );
};
