// Groups of a directory: departments at the top of the organisation. What people have put into them stays.
import { conflict } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { writeAudit } from '../../catalog/audit.sql.ts';
import type { PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import type { Answer } from '../../endpoint/route.ts';
import {
  deleteGroupRow,
  deleteMembers,
  insertGroup,
  insertMembers,
  lockHomes,
  saveGroup,
  selectGroups as selectDepartments,
  selectIdsBySource,
  selectMemberIds,
  type UserGroup,
} from '../group/group.sql.ts';
import { settleGroups } from '../group/settle-groups.ts';
import { selectMemberIds as selectMembers } from '../organization/organization.sql.ts';
import { type ListQuery, pageOf, wantsMembers } from './page.ts';
import { type GroupChange, readGroup, readGroupChanges } from './read-group.ts';
import { parseBody } from './read-user.ts';
import { listAnswer, noContent, scimAnswer, ScimFault } from './scim-fault.ts';
import { groupAttributes, saveGroupLink, type ScimGroupRow, selectGroups } from './scim.sql.ts';
import type { Tenant } from './tenant.ts';

const most = 5_000;

const locationOf = ({ publicUrl }: Pick<PublicContext, 'publicUrl'>, id: string): string =>
  `${publicUrl()}/api/scim/v2/Groups/${id}`;

const resourceOf = (context: PublicContext, row: ScimGroupRow, withMembers: boolean): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  id: row.id,
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  displayName: row.name,
  ...(withMembers ? { members: row.members } : {}),
  meta: {
    resourceType: 'Group',
    created: row.createdTime,
    lastModified: row.changedTime,
    location: locationOf(context, row.id),
  },
});

const find = async (db: Tx | PublicContext['db'], tenant: Tenant, id: string, withMembers: boolean) => {
  const filter = [{ attribute: 'id', value: id }];
  const { rows } = await selectGroups(db, { ...tenant, withMembers }, { filter, skip: 0, take: 1 });
  if (rows[0] === undefined) throw new ScimFault(404, `Group ${id} not found`);
  return rows[0];
};

export const listScimGroups = async (context: PublicContext, tenant: Tenant, query: ListQuery): Promise<Answer> => {
  const page = pageOf(query, groupAttributes);
  const withMembers = wantsMembers(query);
  const { rows, total } = await selectGroups(context.db, { ...tenant, withMembers }, page);
  return listAnswer(
    rows.map((row) => resourceOf(context, row, withMembers)),
    total,
    page.startIndex,
  );
};

export const getScimGroup = async (
  context: PublicContext,
  tenant: Tenant,
  id: string,
  query: ListQuery,
): Promise<Answer> => {
  const withMembers = wantsMembers(query);
  return scimAnswer(200, resourceOf(context, await find(context.db, tenant, id, withMembers), withMembers));
};

interface Changing {
  tx: Tx;
  departments: readonly UserGroup[];
  tell(
    action: 'group.created' | 'group.changed' | 'group.deleted' | 'group.membersAdded' | 'group.membersRemoved',
    target: Record<string, unknown>,
  ): Promise<void>;
}

/** `change` answers who came or went. */
const changeGroups = <T>(
  context: PublicContext,
  { organizationId, doer }: Tenant,
  change: (changing: Changing) => Promise<readonly string[]>,
  answer: (tx: Tx) => Promise<T>,
): Promise<T> =>
  retriedTransaction(context.db, async (tx) => {
    const homes = await lockHomes(tx, [{ type: 'organization', id: organizationId }]);
    const spaceIds = homes.get(organizationId) ?? [];
    const departments = await selectDepartments(tx, [organizationId]);
    await settleGroups(tx, context, { homeId: organizationId, spaceIds }, () =>
      change({
        tx,
        departments,
        tell: (action, target) => writeAudit(tx, doer, action, { spaceIds }, { organizationId, ...target }),
      }),
    );
    return answer(tx);
  });

const demandFreeName = (departments: readonly UserGroup[], name: string, selfId?: string): void => {
  const parentId = departments.find(({ id }) => id === selfId)?.parentId ?? null;
  const isTaken = departments.some(
    (one) => one.id !== selfId && one.parentId === parentId && one.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw conflict(`There is a department ${JSON.stringify(name)} already`);
};

const put = async ({ tx, tell }: Changing, tenant: Tenant, groupId: string, memberIds: readonly string[]) => {
  if (memberIds.length === 0) return;
  const known = await selectMembers(tx, tenant.organizationId, memberIds);
  const unknown = memberIds.find((id) => !known.has(id));
  if (unknown !== undefined) throw new ScimFault(400, `There is no user ${unknown}`, 'invalidValue');
  await insertMembers(tx, groupId, memberIds, tenant.source);
  await tell('group.membersAdded', { groupId, userIds: memberIds });
};

const take = async ({ tx, tell }: Changing, tenant: Tenant, groupId: string, memberIds: readonly string[]) => {
  if (memberIds.length === 0) return;
  await deleteMembers(tx, groupId, memberIds, tenant.source);
  await tell('group.membersRemoved', { groupId, userIds: memberIds });
};

const setMembers = async (changing: Changing, tenant: Tenant, groupId: string, memberIds: readonly string[]) => {
  const present = await selectIdsBySource(changing.tx, groupId, tenant.source);
  const come = memberIds.filter((id) => !present.includes(id));
  const go = present.filter((id) => !memberIds.includes(id));
  await put(changing, tenant, groupId, come);
  await take(changing, tenant, groupId, go);
  return [...come, ...go];
};

const apply = async (
  changing: Changing,
  tenant: Tenant,
  row: ScimGroupRow,
  change: GroupChange,
): Promise<readonly string[]> => {
  const { tx, departments, tell } = changing;
  switch (change.kind) {
    case 'name': {
      const { displayName: name } = change;
      const parentId = departments.find(({ id }) => id === row.id)?.parentId ?? null;
      demandFreeName(departments, name, row.id);
      await saveGroup(tx, { id: row.id, name, parentId });
      if (name !== row.name) await tell('group.changed', { groupId: row.id, name });
      return [];
    }
    case 'externalId':
      await saveGroupLink(tx, { ...tenant, groupId: row.id, externalId: change.externalId });
      return [];
    case 'add':
      await put(changing, tenant, row.id, change.memberIds);
      return change.memberIds;
    case 'remove':
      await take(changing, tenant, row.id, change.memberIds);
      return change.memberIds;
    case 'set':
      return setMembers(changing, tenant, row.id, change.memberIds);
  }
};

const changeOne = (
  context: PublicContext,
  tenant: Tenant,
  id: string,
  changes: readonly GroupChange[],
): Promise<Answer> =>
  changeGroups(
    context,
    tenant,
    async (changing) => {
      const row = await find(changing.tx, tenant, id, false);
      await saveGroupLink(changing.tx, { ...tenant, groupId: id, externalId: row.externalId });
      const concerned: string[] = [];
      for (const change of changes) concerned.push(...(await apply(changing, tenant, row, change)));
      return concerned;
    },
    async (tx) => scimAnswer(200, resourceOf(context, await find(tx, tenant, id, true), true)),
  );

export const changeScimGroup = (context: PublicContext, tenant: Tenant, id: string, body: string): Promise<Answer> =>
  changeOne(context, tenant, id, readGroupChanges(parseBody(body)));

export const replaceScimGroup = (context: PublicContext, tenant: Tenant, id: string, body: string): Promise<Answer> => {
  const { displayName, externalId, memberIds } = readGroup(parseBody(body));
  return changeOne(context, tenant, id, [
    { kind: 'name', displayName },
    { kind: 'externalId', externalId },
    { kind: 'set', memberIds },
  ]);
};

export const createScimGroup = (context: PublicContext, tenant: Tenant, body: string): Promise<Answer> => {
  const { displayName: name, externalId, memberIds } = readGroup(parseBody(body));
  const id = newId('odp');
  const { organizationId } = tenant;
  return changeGroups(
    context,
    tenant,
    async (changing) => {
      const { tx, departments, tell } = changing;
      if (departments.length >= most) throw new ScimFault(403, `An organisation can have ${most} departments`);
      demandFreeName(departments, name);
      const home = { type: 'organization', id: organizationId } as const;
      await insertGroup(tx, { id, home, parentId: null, name, userId: tenant.doer.credentialId ?? organizationId });
      await saveGroupLink(tx, { groupId: id, organizationId, externalId });
      await tell('group.created', { groupId: id, name });
      await put(changing, tenant, id, memberIds);
      return memberIds;
    },
    async (tx) =>
      scimAnswer(201, resourceOf(context, await find(tx, tenant, id, true), true), {
        location: locationOf(context, id),
      }),
  );
};

export const deleteScimGroup = (context: PublicContext, tenant: Tenant, id: string): Promise<Answer> =>
  changeGroups(
    context,
    tenant,
    async ({ tx, departments, tell }) => {
      const { name } = await find(tx, tenant, id, false);
      if (departments.some(({ parentId }) => parentId === id))
        throw conflict('There are departments inside of this one: move or delete them first');
      const memberIds = await selectMemberIds(tx, id);
      await deleteGroupRow(tx, id);
      await tell('group.deleted', { groupId: id, name });
      return memberIds;
    },
    async () => noContent(),
  );
