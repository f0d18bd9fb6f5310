import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { changeMatrix } from './change-matrix.ts';
import { saveMatrix } from './matrix.sql.ts';
import { matrixHeadVo } from './read-matrix.ts';

/** Of members who have no other role, or whose roles are all off. */
export const setDefaultAuthorityRole = (
  context: Context,
  baseId: string,
  { defaultRole }: { defaultRole: string | null },
): Promise<ReturnType<typeof matrixHeadVo>> =>
  changeMatrix(context, baseId, async ({ tx, matrix, roles }) => {
    if (defaultRole !== null && !roles.some(({ id }) => id === defaultRole))
      throw invalid({
        path: 'defaultRole',
        message: `This base has no role ${defaultRole}`,
        expected: 'the id of a role, or null',
      });
    await saveMatrix(tx, { baseId, isOn: matrix.enabledTime !== null, defaultRoleId: defaultRole });
    const target = { baseId, roleId: defaultRole };
    await writeAudit(tx, doerOf(context), 'rights.defaultRoleSet', { baseIds: [baseId] }, target);
    return matrixHeadVo({ ...matrix, defaultRoleId: defaultRole });
  });
