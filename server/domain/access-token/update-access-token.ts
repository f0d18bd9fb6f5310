import type { Context } from '../../context.ts';
import { updateAccessTokenRow } from './access-token.sql.ts';
import { changeOwnToken } from './change-own-token.ts';
import { demandGrant } from './demand-grant.ts';
import { type GrantShown, showGrant } from './show-access-token.ts';

export interface UpdateInput {
  name: string;
  description?: string | undefined;
  scopes: string[];
  /** Left out: as it is; null: cleared. */
  spaceIds?: string[] | null | undefined;
  baseIds?: string[] | null | undefined;
  hasFullAccess?: boolean | undefined;
}

export const updateAccessToken = (context: Context, id: string, input: UpdateInput): Promise<GrantShown> =>
  changeOwnToken(context, id, async (tx, row) => {
    const grant = {
      scopes: [...new Set(input.scopes)],
      spaceIds: input.spaceIds === undefined ? row.spaceIds : input.spaceIds,
      baseIds: input.baseIds === undefined ? row.baseIds : input.baseIds,
      hasFullAccess: input.hasFullAccess ?? row.hasFullAccess,
    };
    await demandGrant(tx, context.principal, grant, row);
    return showGrant(await updateAccessTokenRow(tx, id, { ...grant, name: input.name, description: input.description ?? row.description }));
  });
