import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { type AccessTokenListed, selectAccessTokens, selectAllAccessTokens } from './access-token.sql.ts';
import { excessOf } from './grant.ts';
import { selectSpaceOfBases } from './reach.sql.ts';
import { type AccessTokenShown, showAccessToken } from './show-access-token.ts';

/** For the operator: everybody's personal tokens, or those of one address, newest first. */
export const listAccessTokens = (db: Queryable, filter: { email?: string } = {}): Promise<AccessTokenListed[]> =>
  selectAllAccessTokens(db, filter.email ?? null);

export const listOwnAccessTokens = async ({ db, principal }: Context): Promise<AccessTokenShown[]> => {
  const rows = await selectAccessTokens(db, principal.userId);
  const spaceOf =
    principal.reach === null
      ? new Map<string, string>()
      : await selectSpaceOfBases(
          db,
          rows.flatMap((row) => row.baseIds ?? []),
        );
  return rows.filter((row) => excessOf(principal, row, spaceOf) === undefined).map(showAccessToken);
};
