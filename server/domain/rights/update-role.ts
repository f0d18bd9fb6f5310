// A role gets other grants, another name or description, or is switched on or off.
import type { AuthorityRole, RoleDraft } from '@rowhouse/contract/authority-matrix.ts';
import type { Static } from 'typebox';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { changeMatrix, findRole } from './change-matrix.ts';
import { demandFreeName, readNodes } from './create-role.ts';
import { replaceGrants, saveRole, selectRoles } from './matrix.sql.ts';
import { readTables } from './read-draft.ts';
import { enabled, roleVo } from './role-vo.ts';

export interface RolePath {
  baseId: string;
  authorityMatrixRoleId: string;
}

type Change = Partial<Static<typeof RoleDraft>> & { enabled?: boolean };

/** Answers the role as it is now, and the id of the matrix. */
const changeRole = (
  context: Context,
  { baseId, authorityMatrixRoleId: id }: RolePath,
  change: Change,
): Promise<{ role: AuthorityRole; authorityMatrixId: string }> =>
  changeMatrix(context, baseId, async ({ tx, matrix, roles }) => {
    const before = findRole(roles, id);
    const { name = before.name } = change;
    demandFreeName(roles, name, id);
    const read = change.tables === undefined ? undefined : await readTables(tx, baseId, change.tables, before.tables);
    await saveRole(tx, {
      id,
      baseId,
      name,
      description: change.description === undefined ? before.description : change.description || null,
      isOn: change.enabled ?? before.enabledTime !== null,
      nodes: readNodes(change.nodes, before.nodes, context.now()),
    });
    if (read !== undefined) await replaceGrants(tx, id, read);
    const what = Object.keys(change).sort();
    const target = {
      baseId,
      roleId: id,
      name,
      changed: what,
      ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
    };
    await writeAudit(tx, doerOf(context), 'rights.roleChanged', { baseIds: [baseId] }, target);
    const role = findRole(await selectRoles(tx, baseId, id), id);
    return { role: roleVo(context.principal, role), authorityMatrixId: matrix.id };
  });

export const updateAuthorityRole = async (
  context: Context,
  path: RolePath,
  { name, description, tables, nodes }: Static<typeof RoleDraft>,
): Promise<AuthorityRole> =>
  (
    await changeRole(context, path, {
      name,
      ...(description === undefined ? {} : { description }),
      ...(tables === undefined ? {} : { tables }),
      ...(nodes === undefined ? {} : { nodes }),
    })
  ).role;

export const setAuthorityRoleStatus = async (
  context: Context,
  path: RolePath,
  { enabled: isOn }: { enabled: boolean },
): Promise<{ id: string; authorityMatrixId: string; enabledTime?: string }> => {
  const { role, authorityMatrixId } = await changeRole(context, path, { enabled: isOn });
  return { id: role.id, authorityMatrixId, ...enabled(role.enabledTime ?? null) };
};

export const renameAuthorityRole = async (
  context: Context,
  path: RolePath,
  { name }: { name: string },
): Promise<{ id: string; name: string }> => {
  const { role } = await changeRole(context, path, { name });
  return { id: role.id, name: role.name };
};

export const describeAuthorityRole = async (
  context: Context,
  path: RolePath,
  { description = null }: { description?: string | null },
): Promise<{ id: string; description?: string }> => {
  const { role } = await changeRole(context, path, { description });
  return { id: role.id, ...(role.description === undefined ? {} : { description: role.description }) };
};
