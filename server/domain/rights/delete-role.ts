import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { changeMatrix, findRole } from './change-matrix.ts';
import { deleteRoleRow } from './matrix.sql.ts';
import type { RolePath } from './update-role.ts';

export const deleteAuthorityRole = (context: Context, { baseId, authorityMatrixRoleId: id }: RolePath): Promise<void> =>
  changeMatrix(context, baseId, async ({ tx, matrix, roles }) => {
    const { name } = findRole(roles, id);
    if (matrix.defaultRoleId === id)
      throw invalid({
        path: 'authorityMatrixRoleId',
        message: `The role ${JSON.stringify(name)} is the default role: make another one the default first, or none`,
      });
    await deleteRoleRow(tx, id);
    await writeAudit(tx, doerOf(context), 'rights.roleDeleted', { baseIds: [baseId] }, { baseId, roleId: id, name });
  });
