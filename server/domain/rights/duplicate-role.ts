import { uniqueName } from '@rowhouse/contract/text.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { changeMatrix, findRole } from './change-matrix.ts';
import { demandRoom } from './create-role.ts';
import { copyGrants, insertRole, replaceMembers } from './matrix.sql.ts';
import type { RolePath } from './update-role.ts';

/** With all that it grants; on or off as the one that is copied. */
export const duplicateAuthorityRole = (
  context: Context,
  { baseId, authorityMatrixRoleId }: RolePath,
  { includeUsers = false, includeDepartments = false }: { includeUsers?: boolean; includeDepartments?: boolean } = {},
): Promise<{ baseId: string; authorityMatrixRoleId: string }> =>
  changeMatrix(context, baseId, async ({ tx, roles }) => {
    const role = findRole(roles, authorityMatrixRoleId);
    demandRoom(roles);
    const id = context.newId('aur');
    const name = uniqueName(
      `${role.name.slice(0, 90)} copy`,
      roles.map((other) => other.name),
    );
    await insertRole(tx, {
      id,
      baseId,
      name,
      description: role.description,
      isOn: role.enabledTime !== null,
      nodes: role.nodes,
      userId: context.principal.userId,
    });
    await copyGrants(tx, role.id, id);
    await replaceMembers(tx, id, {
      userIds: includeUsers ? role.users.map((user) => user.id) : [],
      groupIds: includeDepartments ? role.departments.map((group) => group.id) : [],
    });
    await writeAudit(
      tx,
      doerOf(context),
      'rights.roleCreated',
      { baseIds: [baseId] },
      { baseId, roleId: id, name, copyOf: role.id },
    );
    return { baseId, authorityMatrixRoleId: id };
  });
