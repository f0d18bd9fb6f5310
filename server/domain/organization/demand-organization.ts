// Who may see an organisation, and who may change it: to anyone else it is not there.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import { selectMembership } from '../../catalog/organization-sign-in.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { lockOrganization, type Organization, selectOrganization } from './organization.sql.ts';

export const demandMember = async (
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  organizationId: string,
): Promise<{ isAdmin: boolean }> => {
  demandUnrestricted(principal);
  const membership = await selectMembership(db, principal.userId);
  if (membership?.organizationId !== organizationId) throw notFound('Organization', organizationId);
  return membership;
};

export const demandAdmin = async (
  context: Pick<Context, 'db' | 'principal'>,
  organizationId: string,
): Promise<void> => {
  if (!(await demandMember(context, organizationId)).isAdmin)
    throw forbidden('Only administrators of the organisation can do this');
};

export const getForMember = async (context: Context, organizationId: string): Promise<Organization> => {
  await demandMember(context, organizationId);
  return (await selectOrganization(context.db, organizationId)) as Organization;
};

export const getForAdmin = async (context: Context, organizationId: string): Promise<Organization> => {
  await demandAdmin(context, organizationId);
  return (await selectOrganization(context.db, organizationId)) as Organization;
};

/** One change at a time. Whether the caller administers it is asked again behind the lock. */
export const changeOrganization = <T>(
  context: Context,
  organizationId: string,
  change: (tx: Tx, organization: Organization) => Promise<T>,
): Promise<T> => {
  demandUnrestricted(context.principal);
  return retriedTransaction(context.db, async (tx) => {
    const organization = await lockOrganization(tx, organizationId);
    if (organization === undefined) throw notFound('Organization', organizationId);
    await demandAdmin({ db: tx, principal: context.principal }, organizationId);
    return change(tx, organization);
  });
};
