import type { newId } from '@rowhouse/contract/id.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { insertCollaborators } from '../collaborator/collaborator.sql.ts';
import { demandAllowed } from '../setting/demand-allowed.ts';
import { openQuota } from '../plan/quota.sql.ts';
import { insertSpace, lockUser, type Space, selectOwnSpaceNames } from './space.sql.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';

/** A space with the user as its owner; a name that another of their own spaces has gets a number. */
export const createSpaceFor = async (
  tx: Tx,
  input: { userId: string; name: string; newId: typeof newId },
): Promise<Space> => {
  const { userId } = input;
  await lockUser(tx, userId);
  const name = uniqueName(input.name, await selectOwnSpaceNames(tx, userId));
  const space = await insertSpace(tx, { id: input.newId('spc'), name, userId });
  await insertCollaborators(
    tx,
    { type: 'space', id: space.id },
    { userIds: [userId], role: 'owner', createdBy: userId },
  );
  await openQuota(tx, space.id);
  return space;
};

export const createSpace = async (context: Context, input: { name?: string }): Promise<Space> => {
  await demandAllowed(context, 'disallowSpaceCreation');
  return context.db.transaction((tx) =>
    createSpaceFor(tx, { userId: context.principal.userId, name: input.name ?? 'Space', newId: context.newId }),
  );
};
