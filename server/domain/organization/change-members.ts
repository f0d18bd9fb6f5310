// Who is in an organisation. People are taken in whose address is of its domains, or who work in its spaces already: nobody is made a
// member by strangers.
import { ApiError, conflict, forbidden, invalid, notFound } from '@rowhouse/contract/error.ts';
import type * as contract from '@rowhouse/contract/organization.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { shownEmail } from '../../catalog/principal.ts';
import { domainOf } from '../../catalog/sign-in-providers.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { changeActive } from '../auth/set-user-active.ts';
import { limitInvitations } from '../collaborator/limit-invitations.ts';
import { acceptPendingInvitations } from '../invitation/accept-pending-invitations.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { createSpaceFor } from '../space/create-space.ts';
import { createUser } from '../user/create-user.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { selectUser } from '../user/user.sql.ts';
import { putIntoDepartments } from './change-departments.ts';
import { changeOrganization, demandAdmin, demandMember } from './demand-organization.ts';
import { selectVerifiedDomains } from './domain.sql.ts';
import { joinOrganization, leaveOrganization } from './join-organization.ts';
import {
  countAdmins,
  lockOrganization,
  saveAdmin,
  selectCandidates,
  selectMember,
  selectSpaceIdsOf,
} from './organization.sql.ts';

/** Undefined: they may be taken in. */
const faultOf = (
  candidate: Awaited<ReturnType<typeof selectCandidates>>[number] | undefined,
  organizationId: string,
  isOfDomain: boolean,
): string | undefined => {
  if (candidate === undefined || !candidate.isActive) return 'There is no account with this address';
  if (candidate.organizationId === organizationId) return 'This person is a member already';
  // The same for both: which organisation somebody else is in is not told.
  const isReachable = candidate.isCollaborator || (isOfDomain && candidate.isVerified);
  return candidate.organizationId !== null || !isReachable
    ? 'Only people of the verified domains of this organisation, or with a role in one of its spaces, can be added'
    : undefined;
};

export const addOrganizationUsers = async (
  context: Context,
  organizationId: string,
  emails: readonly string[],
): Promise<ResponseOf<typeof contract.addOrganizationUsers>> => {
  await demandAdmin(context, organizationId);
  await limitInvitations(context, emails.length);
  return changeOrganization(context, organizationId, async (tx) => {
    demandFeature(context, 'organizationEnable');
    const wanted = emails.map((email) => email.toLowerCase());
    const candidates = new Map((await selectCandidates(tx, organizationId, wanted)).map((one) => [one.email, one]));
    const domains = await selectVerifiedDomains(tx, organizationId);
    const answers: { email: string; success: boolean; message?: string }[] = [];
    const seen = new Set<string>();
    for (const email of wanted) {
      const candidate = candidates.get(email);
      const fault = seen.has(email)
        ? 'This address appears twice in this request'
        : faultOf(candidate, organizationId, domains.has(domainOf(email)));
      seen.add(email);
      if (fault === undefined)
        await joinOrganization(tx, context, { organizationId, userId: candidate?.id as string, doer: doerOf(context) });
      answers.push(fault === undefined ? { email, success: true } : { email, success: false, message: fault });
    }
    return answers;
  });
};

export const createOne = async (
  tx: Tx,
  context: Pick<Context, 'newId' | 'from'>,
  email: string,
  name: string | undefined,
): Promise<string> => {
  // No password and no session: nobody has this account before its person does, who comes through a provider or by mail.
  const user = await createUser(tx, { email, name, passwordHash: null, isAdmin: false, isVerified: true });
  await createSpaceFor(tx, { userId: user.id, name: `${user.name}'s space`, newId: context.newId });
  await acceptPendingInvitations(tx, { userId: user.id, email: user.email, from: context.from });
  return user.id;
};

export const createOrganizationUsers = async (
  context: Context,
  organizationId: string,
  people: BodyOf<typeof contract.createOrganizationUsers>,
): Promise<ResponseOf<typeof contract.createOrganizationUsers>> => {
  await demandAdmin(context, organizationId);
  await limitInvitations(context, people.length);
  return changeOrganization(context, organizationId, async (tx) => {
    demandFeature(context, 'organizationEnable');
    const emails = people.map(({ email }) => email.toLowerCase());
    const domains = await selectVerifiedDomains(tx, organizationId);
    const known = new Map((await selectCandidates(tx, organizationId, emails)).map((one) => [one.email, one]));
    const issues = emails.flatMap((email, at) => {
      const found = known.get(email);
      const fault =
        emails.indexOf(email) !== at
          ? 'This address appears twice in this request'
          : !domains.has(domainOf(email))
            ? `${domainOf(email)} is no verified domain of this organisation`
            : found === undefined
              ? undefined
              : faultOf(found, organizationId, true);
      return fault === undefined ? [] : [{ path: `[${at}].email`, message: fault }];
    });
    if (issues.length > 0) throw invalid(issues);
    const made: { id: string; email: string; name: string }[] = [];
    for (const [at, { name, departmentId }] of people.entries()) {
      const email = emails[at] as string;
      const id = known.get(email)?.id ?? (await createOne(tx, context, email, name));
      await joinOrganization(tx, context, { organizationId, userId: id, doer: doerOf(context) });
      if (departmentId !== undefined)
        await putIntoDepartments(tx, context, organizationId, { departmentIds: [departmentId], userIds: [id] });
      made.push({ id, email, name: (await selectUser(tx, id))?.name ?? email });
    }
    return made.map(({ email, ...rest }) => ({ ...rest, email: shownEmail(context.principal, email) }));
  });
};

export const demandOneAdmin = async (tx: Tx, organizationId: string): Promise<void> => {
  if ((await countAdmins(tx, organizationId)) === 0)
    throw conflict('Nobody would administer this organisation any more: name somebody else first');
};

/** Everyone may leave. */
export const removeOrganizationUsers = async (
  context: Context,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> => {
  demandUnrestricted(context.principal);
  await retriedTransaction(context.db, async (tx) => {
    if ((await lockOrganization(tx, organizationId)) === undefined) throw notFound('Organization', organizationId);
    const { isAdmin } = await demandMember({ db: tx, principal: context.principal }, organizationId);
    if (!isAdmin && userIds.some((id) => id !== context.principal.userId))
      throw forbidden('Only administrators of the organisation can take others out of it');
    const left = await leaveOrganization(tx, context, { organizationId, userIds, doer: doerOf(context) });
    const missing = userIds.find((id) => !left.includes(id));
    if (missing !== undefined) throw notFound('Member', missing);
    await demandOneAdmin(tx, organizationId);
  });
};

interface MemberPath {
  organizationId: string;
  userId: string;
}

export const updateOrganizationUser = (
  context: Context,
  { organizationId, userId }: MemberPath,
  { isAdmin }: { isAdmin: boolean },
): Promise<void> =>
  changeOrganization(context, organizationId, async (tx) => {
    if (!(await saveAdmin(tx, { organizationId, userId, isAdmin }))) throw notFound('Member', userId);
    await demandOneAdmin(tx, organizationId);
    const spaceIds = await selectSpaceIdsOf(tx, organizationId);
    const target = { organizationId, userId, isAdmin };
    await writeAudit(tx, doerOf(context), 'organization.adminsChanged', { spaceIds }, target);
  });

/** The account is the organisation's business as far as its address is. */
export const setMemberActive = (
  context: Context,
  { organizationId, userId }: MemberPath,
  active: boolean,
): Promise<void> =>
  changeOrganization(context, organizationId, async (tx) => {
    const member = await selectMember(tx, organizationId, userId);
    if (member === undefined) throw notFound('Member', userId);
    if (userId === context.principal.userId) throw conflict('You cannot shut yourself out');
    if (member.isExternal)
      throw forbidden(`The address of user ${userId} is of none of the verified domains of this organisation`);
    const user = await selectUser(tx, userId);
    if (user === undefined) throw new ApiError('not_found', `User ${userId} not found`);
    if (user.isAdmin) throw forbidden(`User ${userId} administers this instance`);
    await changeActive(tx, doerOf(context), user, active, organizationId);
    await demandOneAdmin(tx, organizationId);
  });
