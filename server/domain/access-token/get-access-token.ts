import { notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { Context } from '../../context.ts';
import { selectAccessToken } from './access-token.sql.ts';
import { demandCovered } from './demand-grant.ts';
import { type AccessTokenShown, showAccessToken } from './show-access-token.ts';

export const getAccessToken = async ({ db, principal }: Context, id: string): Promise<AccessTokenShown> => {
  const row = isId('acc', id) ? await selectAccessToken(db, principal.userId, id) : undefined;
  if (row === undefined) throw notFound('Access token', id);
  await demandCovered(db, principal, row);
  return showAccessToken(row);
};
