// Passwords are kept as argon2id with the parameters OWASP recommends (19 MiB, 2 passes, 1 lane).
// One hash takes some 20–40 ms of a worker thread: never make one inside a transaction.
import { hash, verify } from '@node-rs/argon2';

const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

// What a password is compared with when there is no account: the same work as for a real one.
let nobody: Promise<string> | undefined;

/** False for a wrong password and for a user without one, after the same time. */
export const verifyPassword = async (password: string, passwordHash: string | null): Promise<boolean> => {
  nobody ??= hashPassword('nobody has this password');
  const fits = await verify(passwordHash ?? (await nobody), password);
  return fits && passwordHash !== null;
};
