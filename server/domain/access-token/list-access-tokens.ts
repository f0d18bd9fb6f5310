import type { Queryable } from '../../db/db.ts';
import { type AccessTokenListed, selectAllAccessTokens } from './access-token.sql.ts';

/** For the operator: everybody's personal tokens, or those of one address, newest first. */
export const listAccessTokens = (db: Queryable, filter: { email?: string } = {}): Promise<AccessTokenListed[]> =>
  selectAllAccessTokens(db, filter.email ?? null);
