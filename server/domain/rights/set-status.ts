import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { changeMatrix } from './change-matrix.ts';
import { countManagers, replaceAdmins, saveMatrix, selectMatrixHead, type StoredMatrix } from './matrix.sql.ts';
import { enabled } from './role-vo.ts';

/** Rules that nobody could change any more would be there for ever. */
export const demandManaged = async (
  tx: Tx,
  spaceId: string,
  { baseId, adminIds }: Pick<StoredMatrix, 'baseId' | 'adminIds'>,
): Promise<void> => {
  if ((await countManagers(tx, { spaceId, baseId, adminIds })) === 0)
    throw invalid({
      path: 'userIds',
      message:
        'Nobody could change these rights any more: there is no active owner of the space and no active administrator',
      expected: 'at least one active administrator',
    });
};

/** Switching off needs no plan: otherwise a plan that ends would leave rules that nobody can end. It is always somebody's decision. */
export const setAuthorityMatrixStatus = (
  context: Context,
  baseId: string,
  { enabled: isOn }: { enabled: boolean },
): Promise<{ id: string; enabledTime?: string }> =>
  changeMatrix(
    context,
    baseId,
    async ({ tx, stand, matrix }) => {
      const { userId } = context.principal;
      const adminIds = isOn && stand.role !== 'owner' ? [...new Set([...matrix.adminIds, userId])] : matrix.adminIds;
      if (isOn) {
        await replaceAdmins(tx, baseId, adminIds);
        await demandManaged(tx, stand.spaceId, { baseId, adminIds });
      }
      await saveMatrix(tx, { baseId, isOn, defaultRoleId: matrix.defaultRoleId });
      await writeAudit(
        tx,
        doerOf(context),
        isOn ? 'rights.enabled' : 'rights.disabled',
        { baseIds: [baseId] },
        { baseId },
      );
      const { id, enabledTime } = (await selectMatrixHead(tx, baseId)) as StoredMatrix;
      return { id, ...enabled(enabledTime) };
    },
    { withoutPlan: !isOn },
  );
