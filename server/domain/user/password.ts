// Passwords are kept as argon2id with the parameters OWASP recommends (19 MiB, 2 passes, 1 lane).
// One hash takes some 20–40 ms of a worker thread: never make one inside a transaction.
import { hash, verify } from '@node-rs/argon2';

const full = {
  parameters: { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  // What a password is compared with when there is no account: the same work as for a real one. Made from random
  // bytes that nobody kept.
  nobody: '$argon2id$v=19$m=19456,t=2,p=1$sVJj3alLrcXdkSUI2gKOGg$3yUB3qcpExvmglAmGDk3cLpDpbPFGoBXagUrdBuXtcc',
};

/** A thousandth of the work. */
const cheap: typeof full = {
  parameters: { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 },
  nobody: '$argon2id$v=19$m=8,t=1,p=1$M384vmD1rsYZdL7Y7UxtVw$bIiN+Zq4JxwPMPLJ4X4Qd10qM31txkpH6QajVu11BZk',
};

let cost = full;

/** For tests alone, which make accounts by the hundred: no setting and no code of the server leads here. */
export const hashCheaply = (isCheap: boolean): void => {
  cost = isCheap ? cheap : full;
};

export const hashPassword = (password: string): Promise<string> => hash(password, cost.parameters);

/** False for a wrong password and for a user without one, after the same work. */
export const verifyPassword = async (password: string, passwordHash: string | null): Promise<boolean> => {
  const fits = await verify(passwordHash ?? cost.nobody, password);
  return fits && passwordHash !== null;
};
