import type { Queryable } from '../../db/db.ts';
import { selectUsers, type UserListed } from './user.sql.ts';

/** Everybody, oldest first. */
export const listUsers = (db: Queryable): Promise<UserListed[]> => selectUsers(db);
