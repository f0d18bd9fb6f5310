import type { AuthorityRole, RoleDraft } from '@rowhouse/contract/authority-matrix.ts';
import { mostRoles } from '@rowhouse/contract/authority-matrix.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Static } from 'typebox';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { changeMatrix, findRole } from './change-matrix.ts';
import { insertRole, replaceGrants, selectRoles, type StoredRole } from './matrix.sql.ts';
import { readTables } from './read-draft.ts';
import { roleVo } from './role-vo.ts';

type Draft = Static<typeof RoleDraft>;

export const demandRoom = (roles: readonly StoredRole[]): void => {
  if (roles.length >= mostRoles)
    throw invalid({ path: 'name', message: `A base can have ${mostRoles} roles, and this one has as many` });
};

export const demandFreeName = (roles: readonly StoredRole[], name: string, selfId?: string): void => {
  if (roles.some((other) => other.id !== selfId && other.name.toLowerCase() === name.toLowerCase()))
    throw invalid({ path: 'name', message: `There is a role ${JSON.stringify(name)} in this base already` });
};

/** What a draft says of workflows and applications; a time where it is on, as everywhere in this matter. */
export const readNodes = (given: Draft['nodes'], stored: StoredRole['nodes'], now: Date): StoredRole['nodes'] => {
  if (given === undefined) return stored;
  const keyOf = ({ nodeType, nodeId }: { nodeType: string; nodeId: string }): string => `${nodeType} ${nodeId}`;
  const known = new Map(stored.map((node) => [keyOf(node), node]));
  return given.map(({ nodeType, nodeId, enabled: isOn }, at) => {
    if (given.findIndex((other) => keyOf(other) === keyOf({ nodeType, nodeId })) !== at)
      throw invalid({ path: `nodes[${at}].nodeId`, message: `${nodeId} appears twice in this request` });
    const before = known.get(keyOf({ nodeType, nodeId }));
    const isKept = isOn ?? (before === undefined || before.enabledTime !== undefined);
    return { nodeType, nodeId, ...(isKept ? { enabledTime: before?.enabledTime ?? now.toISOString() } : {}) };
  });
};

export const createAuthorityRole = (
  context: Context,
  baseId: string,
  { name, description, enabled: isOn = true, tables = [], nodes }: Draft & { enabled?: boolean },
): Promise<AuthorityRole> =>
  changeMatrix(context, baseId, async ({ tx, roles }) => {
    demandRoom(roles);
    demandFreeName(roles, name);
    const id = context.newId('aur');
    const read = await readTables(tx, baseId, tables, []);
    await insertRole(tx, {
      id,
      baseId,
      name,
      description: description || null,
      isOn,
      nodes: readNodes(nodes, [], context.now()),
      userId: context.principal.userId,
    });
    await replaceGrants(tx, id, read);
    await writeAudit(tx, doerOf(context), 'rights.roleCreated', { baseIds: [baseId] }, { baseId, roleId: id, name });
    return roleVo(context.principal, findRole(await selectRoles(tx, baseId, id), id));
  });
