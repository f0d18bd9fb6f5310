// People of an organisation, as its directory keeps them. Shutting an account ends all that it has open before it is answered.
import { conflict } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { writeAudit } from '../../catalog/audit.sql.ts';
import { domainOf } from '../../catalog/sign-in-providers.ts';
import type { PublicContext } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import type { Answer } from '../../endpoint/route.ts';
import { deleteEmailCodesOf } from '../auth/email-code.sql.ts';
import { changeActive } from '../auth/set-user-active.ts';
import { createOne, demandOneAdmin } from '../organization/change-members.ts';
import { selectVerifiedDomains } from '../organization/domain.sql.ts';
import { joinOrganization, leaveOrganization } from '../organization/join-organization.ts';
import { lockOrganization, selectCandidates } from '../organization/organization.sql.ts';
import { updateEmail, updateName } from '../user/user.sql.ts';
import { type ListQuery, pageOf } from './page.ts';
import { parseBody, readUser, readUserChanges, type SaidOfUser } from './read-user.ts';
import { listAnswer, noContent, scimAnswer, ScimFault } from './scim-fault.ts';
import { forgetUser, saveUser, type ScimUserRow, selectUser, selectUsers, userAttributes } from './scim.sql.ts';
import type { Tenant } from './tenant.ts';

const addressForm = /^(?=.{3,254}$)[!-?A-~]+@[a-z0-9.-]+$/;

const locationOf = ({ publicUrl }: Pick<PublicContext, 'publicUrl'>, id: string): string =>
  `${publicUrl()}/api/scim/v2/Users/${id}`;

const resourceOf = (context: PublicContext, row: ScimUserRow): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: row.id,
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  userName: row.userName,
  name: {
    formatted: row.name,
    ...(row.givenName === null ? {} : { givenName: row.givenName }),
    ...(row.familyName === null ? {} : { familyName: row.familyName }),
  },
  displayName: row.name,
  emails: [{ value: row.email, type: 'work', primary: true }],
  active: row.isActive,
  groups: row.groups,
  meta: {
    resourceType: 'User',
    created: row.createdTime,
    lastModified: row.changedTime,
    location: locationOf(context, row.id),
  },
});

const missing = (id: string): ScimFault => new ScimFault(404, `User ${id} not found`);

const find = async (db: Tx | PublicContext['db'], { organizationId }: Tenant, id: string): Promise<ScimUserRow> => {
  const row = await selectUser(db, organizationId, id);
  if (row === undefined) throw missing(id);
  return row;
};

export const listScimUsers = async (context: PublicContext, tenant: Tenant, query: ListQuery): Promise<Answer> => {
  const page = pageOf(query, userAttributes);
  const { rows, total } = await selectUsers(context.db, tenant.organizationId, page);
  return listAnswer(
    rows.map((row) => resourceOf(context, row)),
    total,
    page.startIndex,
  );
};

export const getScimUser = async (context: PublicContext, tenant: Tenant, id: string): Promise<Answer> =>
  scimAnswer(200, resourceOf(context, await find(context.db, tenant, id)));

const nameIn = ({ displayName, formatted, givenName, familyName }: SaidOfUser): string | undefined => {
  const parts = [givenName, familyName].filter((part) => typeof part === 'string').join(' ');
  return (displayName ?? formatted ?? parts) || undefined;
};

const demandOwnAddress = async (tx: Tx, { organizationId }: Tenant, email: string): Promise<void> => {
  if (!addressForm.test(email)) throw new ScimFault(400, `${email} is no e-mail address`, 'invalidValue');
  if (!(await selectVerifiedDomains(tx, organizationId)).has(domainOf(email)))
    throw new ScimFault(400, `${domainOf(email)} is no verified domain of this organisation`, 'invalidValue');
};

const demandNoOperator = (row: Pick<ScimUserRow, 'id' | 'isAdmin'>): void => {
  if (row.isAdmin) throw new ScimFault(403, `User ${row.id} administers this instance`);
};

/** Somebody with another address is only taken out: their account is not the organisation's. Answers whether they are still there. */
const setActivity = async (
  tx: Tx,
  context: PublicContext,
  tenant: Tenant,
  row: ScimUserRow,
  active: boolean,
): Promise<boolean> => {
  const { organizationId, doer } = tenant;
  if (row.isActive === active) return true;
  if (!row.isOwn) {
    if (active) throw new ScimFault(403, `The address of user ${row.id} is of no verified domain of this organisation`);
    await leaveOrganization(tx, context, { organizationId, userIds: [row.id], doer });
    await forgetUser(tx, row.id);
    await demandOneAdmin(tx, organizationId);
    return false;
  }
  demandNoOperator(row);
  await changeActive(tx, doer, row, active, organizationId);
  if (!active) await demandOneAdmin(tx, organizationId);
  return true;
};

const store = async (tx: Tx, { organizationId }: Tenant, row: ScimUserRow, said: SaidOfUser): Promise<void> => {
  const known = {
    organizationId,
    userId: row.id,
    userName: said.userName ?? row.userName,
    externalId: said.externalId === undefined ? row.externalId : said.externalId,
    givenName: said.givenName === undefined ? row.givenName : said.givenName,
    familyName: said.familyName === undefined ? row.familyName : said.familyName,
  };
  if (!(await saveUser(tx, known))) throw conflict(`The user name ${known.userName} is taken`);
};

const changeAddress = async (tx: Tx, tenant: Tenant, row: ScimUserRow, given: string): Promise<void> => {
  const email = given.toLowerCase();
  if (email === row.email.toLowerCase()) return;
  demandNoOperator(row);
  if (!row.isOwn)
    throw new ScimFault(403, `The address of user ${row.id} is of no verified domain of this organisation`);
  await demandOwnAddress(tx, tenant, email);
  if (!(await updateEmail(tx, row.id, email))) throw conflict(`The e-mail address ${email} already has an account`);
  await deleteEmailCodesOf(tx, { userId: row.id, email: row.email });
  await writeAudit(tx, tenant.doer, 'user.emailChanged', { member: row.id }, { userId: row.id });
  await bumpEpochs(tx, [row.id]);
};

const applyTo = async (
  context: PublicContext,
  tenant: Tenant,
  id: string,
  said: (row: ScimUserRow) => SaidOfUser,
): Promise<Answer> =>
  retriedTransaction(context.db, async (tx) => {
    await lockOrganization(tx, tenant.organizationId);
    const row = await find(tx, tenant, id);
    const wanted = said(row);
    if (wanted.email !== undefined) await changeAddress(tx, tenant, row, wanted.email);
    const parts = { givenName: row.givenName, familyName: row.familyName, ...wanted };
    const isNamed = [wanted.displayName, wanted.formatted, wanted.givenName, wanted.familyName].some(
      (part) => part !== undefined,
    );
    const name = isNamed ? nameIn(parts) : undefined;
    if (name !== undefined && name !== row.name) {
      demandNoOperator(row);
      await updateName(tx, id, name);
    }
    await store(tx, tenant, row, wanted);
    const isThere = wanted.active === undefined || (await setActivity(tx, context, tenant, row, wanted.active));
    return scimAnswer(200, resourceOf(context, isThere ? await find(tx, tenant, id) : { ...row, isActive: false }));
  });

export const changeScimUser = (context: PublicContext, tenant: Tenant, id: string, body: string): Promise<Answer> => {
  const said = readUserChanges(parseBody(body));
  return applyTo(context, tenant, id, () => said);
};

export const replaceScimUser = (context: PublicContext, tenant: Tenant, id: string, body: string): Promise<Answer> => {
  const said = readUser(parseBody(body));
  if (said.userName === undefined) throw new ScimFault(400, 'userName is needed', 'invalidValue');
  // What a whole resource does not have is taken away; somebody who is not said to be shut is not.
  return applyTo(context, tenant, id, () => ({ externalId: null, givenName: null, familyName: null, ...said }));
};

const takeIn = async (
  tx: Tx,
  context: PublicContext,
  tenant: Tenant,
  email: string,
  said: SaidOfUser,
): Promise<string> => {
  const { organizationId, doer } = tenant;
  const [known] = await selectCandidates(tx, organizationId, [email]);
  if (known === undefined) {
    const id = await createOne(tx, context, email, nameIn(said));
    await joinOrganization(tx, context, { organizationId, userId: id, doer });
    return id;
  }
  // The same for all: which organisation somebody is in is not told.
  const isFree = known.organizationId === null && known.isVerified;
  if (!isFree || !(await joinOrganization(tx, context, { organizationId, userId: known.id, doer })))
    throw conflict(`The e-mail address ${email} has an account that is not taken in`);
  return known.id;
};

export const createScimUser = async (context: PublicContext, tenant: Tenant, body: string): Promise<Answer> => {
  const said = readUser(parseBody(body));
  const { userName, active = true } = said;
  if (userName === undefined) throw new ScimFault(400, 'userName is needed', 'invalidValue');
  const email = (said.email ?? userName).toLowerCase();
  return retriedTransaction(context.db, async (tx) => {
    await lockOrganization(tx, tenant.organizationId);
    await demandOwnAddress(tx, tenant, email);
    const id = await takeIn(tx, context, tenant, email, said);
    const row = await find(tx, tenant, id);
    await store(tx, tenant, row, said);
    await setActivity(tx, context, tenant, row, active);
    const made = resourceOf(context, await find(tx, tenant, id));
    return scimAnswer(201, made, { location: locationOf(context, id) });
  });
};

export const deleteScimUser = (context: PublicContext, tenant: Tenant, id: string): Promise<Answer> =>
  retriedTransaction(context.db, async (tx) => {
    const { organizationId, doer } = tenant;
    await lockOrganization(tx, organizationId);
    const row = await find(tx, tenant, id);
    demandNoOperator(row);
    if (await setActivity(tx, context, tenant, row, false)) {
      await leaveOrganization(tx, context, { organizationId, userIds: [id], doer });
      await forgetUser(tx, id);
      await demandOneAdmin(tx, organizationId);
    }
    return noContent();
  });
