// Makes an access token. Its text is in the answer and nowhere else: only a hash of the secret is stored.
// Whether its maker may give that much away is decided before, in demand-grant.ts.
import { newId, randomText } from '@rowhouse/contract/id.ts';
import type { Queryable } from '../../db/db.ts';
import { hashSecret, tokenText } from '../../endpoint/credential.ts';
import { type AccessTokenRow, insertAccessToken } from './access-token.sql.ts';
import { isAll } from './grant.ts';

export interface AccessTokenInput {
  userId: string;
  name: string;
  description?: string | null | undefined;
  scopes: readonly string[];
  /** Where the token may do it; without `hasFullAccess` and without both lists it reaches nothing. */
  spaceIds?: readonly string[] | null | undefined;
  baseIds?: readonly string[] | null | undefined;
  hasFullAccess?: boolean | undefined;
  expiredTime: Date;
  /** The application it was issued to. */
  clientId?: string | null | undefined;
  /** The token it is made with. */
  parentId?: string | null | undefined;
  /** Not listed. */
  isTemporary?: boolean;
}

export const newSecret = (): string => randomText(43);

export const createAccessToken = async (
  db: Queryable,
  input: AccessTokenInput,
): Promise<AccessTokenRow & { token: string }> => {
  const secret = newSecret();
  const row = await insertAccessToken(db, {
    id: newId('acc'),
    userId: input.userId,
    secretHash: hashSecret(secret),
    name: input.name,
    description: input.description ?? null,
    scopes: [...new Set(input.scopes)],
    spaceIds: input.spaceIds ?? null,
    baseIds: input.baseIds ?? null,
    hasFullAccess: input.hasFullAccess ?? false,
    mayDoAll: (input.clientId ?? null) === null && isAll(input.scopes, input.hasFullAccess ?? false),
    expiredTime: input.expiredTime,
    clientId: input.clientId ?? null,
    parentId: input.parentId ?? null,
    isTemporary: input.isTemporary ?? false,
  });
  return { ...row, token: tokenText(row.id, secret) };
};
