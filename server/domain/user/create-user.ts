// A new user. The first one of an instance is its administrator.
import { ApiError } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { Tx } from '../../db/db.ts';
import { anyUserExists, insertUser, lockInstance, type UserMe } from './user.sql.ts';

interface NewUserInput {
  email: string;
  /** From `hashPassword`, made before the transaction; null: the user cannot sign in with a password. */
  passwordHash: string | null;
  /** Default: the part of the address before the @. */
  name?: string | undefined;
  /** Default: only the first user of an instance is. */
  isAdmin?: boolean | undefined;
  /** The address is known to be theirs. */
  isVerified?: boolean | undefined;
}

const isFirst = async (tx: Tx): Promise<boolean> => {
  if (await anyUserExists(tx)) return false;
  await lockInstance(tx);
  return !(await anyUserExists(tx));
};

export const createUser = async (tx: Tx, input: NewUserInput): Promise<UserMe> => {
  const email = input.email.toLowerCase();
  const isAdmin = input.isAdmin ?? (await isFirst(tx));
  const name = input.name ?? (email.split('@')[0] as string);
  const user = await insertUser(tx, {
    id: newId('usr'),
    email,
    name,
    passwordHash: input.passwordHash,
    isAdmin,
    isVerified: input.isVerified ?? false,
  });
  if (user === undefined) throw new ApiError('validation_error', `The e-mail address ${email} is already registered`);
  return user;
};
