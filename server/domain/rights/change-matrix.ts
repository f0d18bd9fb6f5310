// What every change of the rights of a base has in common: one at a time in a base, by somebody whom they do not bind, and everybody is decided about again.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import type { Stand } from '../collaborator/demand-access.ts';
import { lockAndDemand } from '../collaborator/lock-and-demand.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import {
  bumpMatrix,
  insertMatrix,
  selectMatrixHead,
  selectRoles,
  type StoredMatrix,
  type StoredRole,
} from './matrix.sql.ts';

interface Changing {
  tx: Tx;
  stand: Stand;
  matrix: StoredMatrix;
  roles: readonly StoredRole[];
}

export const configure = 'base|authority_matrix_config';

/** While rights are on they are the business of owners and of their administrators: a creator is bound by them, too. */
export const demandManager = (
  matrix: Pick<StoredMatrix, 'enabledTime' | 'adminIds'> | undefined,
  { role, userId }: { role: string | null; userId: string },
): void => {
  if (matrix === undefined || matrix.enabledTime === null || role === 'owner' || matrix.adminIds.includes(userId))
    return;
  throw forbidden(
    'The rights of this base are on: only owners of the space and administrators of the rights see and change them',
  );
};

export const findRole = (roles: readonly StoredRole[], roleId: string): StoredRole => {
  const role = roles.find(({ id }) => id === roleId);
  if (role === undefined) throw notFound('Role', roleId);
  return role;
};

/** `withoutPlan`: also where the plan has no rights on rows and fields any more. They stay in force then. */
export const changeMatrix = <T>(
  context: Context,
  baseId: string,
  change: (changing: Changing) => Promise<T>,
  { withoutPlan = false } = {},
): Promise<T> => {
  if (!withoutPlan) demandFeature(context, 'advancedPermissionsEnable');
  return retriedTransaction(context.db, async (tx) => {
    const stand = await lockAndDemand(tx, context, { type: 'base', id: baseId }, configure);
    const { userId } = context.principal;
    await insertMatrix(tx, { id: context.newId('aum'), baseId, userId });
    const matrix = (await selectMatrixHead(tx, baseId)) as StoredMatrix;
    demandManager(matrix, { role: stand.role, userId });
    const answer = await change({ tx, stand, matrix, roles: await selectRoles(tx, baseId) });
    await bumpMatrix(tx, baseId);
    await bumpEpochs(tx, [stand.spaceId]);
    return answer;
  });
};
