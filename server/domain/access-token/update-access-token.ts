import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { deleteChildren, lockChildren, updateAccessTokenRow } from './access-token.sql.ts';
import { changeOwnToken } from './change-own-token.ts';
import { demandGrant } from './demand-grant.ts';
import { excessOf, type Grant, isAll, limitsOf } from './grant.ts';
import { selectSpaceOfBases } from './reach.sql.ts';
import { type GrantShown, showGrant } from './show-access-token.ts';

interface UpdateInput {
  name: string;
  description?: string | undefined;
  scopes: string[];
  /** Left out: as it is; null: cleared. */
  spaceIds?: string[] | null | undefined;
  baseIds?: string[] | null | undefined;
  hasFullAccess?: boolean | undefined;
}

/** Nothing that was made with a token may do more than the token itself. */
const endChildrenBeyond = async (tx: Tx, id: string, grant: Grant): Promise<void> => {
  const children = await lockChildren(tx, id);
  if (children.length === 0) return;
  const spaceOf = await selectSpaceOfBases(
    tx,
    children.flatMap((child) => child.baseIds ?? []),
  );
  const beyond = children.filter((child) => excessOf(limitsOf(grant), child, spaceOf) !== undefined);
  await deleteChildren(
    tx,
    id,
    beyond.map((child) => child.id),
  );
};

export const updateAccessToken = (context: Context, id: string, input: UpdateInput): Promise<GrantShown> =>
  changeOwnToken(context, id, 'token.changed', async (tx, row) => {
    const scopes = [...new Set(input.scopes)];
    const hasFullAccess = input.hasFullAccess ?? row.hasFullAccess;
    const grant = {
      scopes,
      spaceIds: input.spaceIds === undefined ? row.spaceIds : input.spaceIds,
      baseIds: input.baseIds === undefined ? row.baseIds : input.baseIds,
      hasFullAccess,
      mayDoAll: isAll(scopes, hasFullAccess),
    };
    await demandGrant(tx, context.principal, grant, row);
    await endChildrenBeyond(tx, id, grant);
    return showGrant(
      await updateAccessTokenRow(tx, id, {
        ...grant,
        name: input.name,
        description: input.description ?? row.description,
      }),
    );
  });
