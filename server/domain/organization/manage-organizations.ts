// For administrators of the instance: which organisations there are, and who administers them. What is inside of one is not theirs.
import { ApiError, conflict, notFound } from '@rowhouse/contract/error.ts';
import type * as contract from '@rowhouse/contract/organization.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { deleteRolesOfOrganization } from '../collaborator/collaborator.sql.ts';
import { deleteUnbacked } from '../collaborator/backing.sql.ts';
import { deleteStrayRights } from '../collaborator/stray-rights.sql.ts';
import { lockHomes } from '../group/group.sql.ts';
import { holdActiveUser } from '../user/user.sql.ts';
import { joinOrganization } from './join-organization.ts';
import {
  deleteOrganizationRow,
  insertOrganization,
  lockOrganization,
  type Person,
  saveAdmin,
  selectAdmins,
  selectOnlyOrganization,
  selectOrganization,
  selectOrganizations,
} from './organization.sql.ts';

export const personVo = ({ principal }: Pick<Context, 'principal'>, { avatar, email, ...rest }: Person) => ({
  ...rest,
  email: shownEmail(principal, email),
  ...(avatar === null ? {} : { avatar }),
});

export const listOrganizations = async (
  context: Context,
  { page = 1, pageSize = 10, search = '' }: { page?: number; pageSize?: number; search?: string },
): Promise<ResponseOf<typeof contract.listOrganizations>> => {
  const { data, total } = await selectOrganizations(context.db, {
    search,
    skip: (page - 1) * pageSize,
    take: pageSize,
  });
  const shown = data.map(({ admins, ...rest }) => ({ ...rest, admins: admins.map((one) => personVo(context, one)) }));
  return { data: shown, total, page, pageSize };
};

export const createOrganization = (
  context: Context,
  name: string,
): Promise<ResponseOf<typeof contract.createOrganization>> => {
  // It has no spaces yet, so any plan that the operator offers will do.
  if (!context.plans.products.some(({ limit }) => limit.organizationEnable))
    throw new ApiError('payment_required', 'No plan of this instance has organisations');
  return insertOrganization(context.db, { id: context.newId('org'), name, userId: context.principal.userId });
};

/** Spaces stay with their people; what departments may do there ends. */
export const deleteOrganization = (context: Context, organizationId: string): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    if ((await lockOrganization(tx, organizationId)) === undefined) throw notFound('Organization', organizationId);
    const homes = await lockHomes(tx, [{ type: 'organization', id: organizationId }]);
    const spaceIds = homes.get(organizationId) ?? [];
    await writeAudit(tx, doerOf(context), 'organization.deleted', { spaceIds }, { organizationId });
    const concerned = new Map<string, string[]>();
    for (const spaceId of spaceIds)
      concerned.set(spaceId, await deleteRolesOfOrganization(tx, { spaceId, organizationId }));
    await deleteOrganizationRow(tx, organizationId);
    for (const [spaceId, userIds] of concerned) {
      const place = { type: 'space', id: spaceId } as const;
      await deleteUnbacked(tx, place, userIds);
      await deleteStrayRights(tx, place);
    }
    await bumpEpochs(tx, spaceIds);
  });

export const listOrganizationAdmins = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.listOrganizationAdmins>> => {
  if ((await selectOrganization(context.db, organizationId)) === undefined)
    throw notFound('Organization', organizationId);
  return { users: (await selectAdmins(context.db, organizationId)).map((one) => personVo(context, one)) };
};

export const setOrganizationAdmin = (
  context: Context,
  organizationId: string,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    if ((await lockOrganization(tx, organizationId)) === undefined) throw notFound('Organization', organizationId);
    if (!(await holdActiveUser(tx, userId))) throw notFound('User', userId);
    const doer = doerOf(context);
    if (isAdmin) await joinOrganization(tx, context, { organizationId, userId, doer });
    if (!(await saveAdmin(tx, { organizationId, userId, isAdmin })))
      throw isAdmin ? conflict(`User ${userId} is in another organisation`) : notFound('Member', userId);
    const spaceIds = (await lockHomes(tx, [{ type: 'organization', id: organizationId }])).get(organizationId) ?? [];
    await writeAudit(tx, doer, 'organization.adminsChanged', { spaceIds }, { organizationId, userId, isAdmin });
  });

export const getInstanceOrganization = async (
  { db, principal }: Context,
  isMember: (organizationId: string) => Promise<boolean>,
): Promise<ResponseOf<typeof contract.getInstanceOrganization>> => {
  const only = await selectOnlyOrganization(db);
  if (only === undefined) return null;
  return principal.isAdmin || (await isMember(only.id)) ? only : null;
};
