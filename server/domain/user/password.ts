// Passwords are kept as argon2id with the parameters OWASP recommends (19 MiB, 2 passes, 1 lane).
// One hash takes some 20–40 ms of a worker thread: never make one inside a transaction.
import { hash, verify } from '@node-rs/argon2';

const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

// What a password is compared with when there is no account: the same work as for a real one. Made from random
// bytes that nobody kept.
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$sVJj3alLrcXdkSUI2gKOGg$3yUB3qcpExvmglAmGDk3cLpDpbPFGoBXagUrdBuXtcc';

/** False for a wrong password and for a user without one, after the same work. */
export const verifyPassword = async (password: string, passwordHash: string | null): Promise<boolean> => {
  const fits = await verify(passwordHash ?? nobody, password);
  return fits && passwordHash !== null;
};
