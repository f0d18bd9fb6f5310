// Domains that an organisation names, before and after it has shown that they are its own.
import { randomText } from '@rowhouse/contract/id.ts';
import { conflict, invalid, notFound } from '@rowhouse/contract/error.ts';
import type * as contract from '@rowhouse/contract/enterprise.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { checkDomain } from './check-domain.ts';
import { changeOrganization, demandAdmin } from './demand-organization.ts';
import { deleteDomain, insertDomain, selectDomain, selectDomains } from './domain.sql.ts';
import { domainVo } from './domain-vo.ts';
import { selectSpaceIdsOf } from './organization.sql.ts';

const most = 100;

/** Anyone has an address there. */
const publicMail = new Set(
  'aol.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hotmail.com icloud.com live.com mail.com mail.ru me.com msn.com outlook.com pm.me proton.me protonmail.com qq.com t-online.de web.de yahoo.com yandex.com yandex.ru zoho.com 126.com 163.com'.split(
    ' ',
  ),
);

export const listDomains = async (context: Context, organizationId: string): Promise<contract.ClaimedDomain[]> => {
  await demandAdmin(context, organizationId);
  return (await selectDomains(context.db, organizationId)).map(domainVo);
};

export const listVerifiedDomains = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.listVerifiedDomains>> =>
  (await listDomains(context, organizationId))
    .filter(({ isVerified }) => isVerified)
    .map(({ id, domain, createdTime }) => ({ id, domain, createdTime }));

export const claimDomain = (
  context: Context,
  organizationId: string,
  domain: string,
): Promise<contract.ClaimedDomain> =>
  changeOrganization(context, organizationId, async (tx) => {
    demandFeature(context, 'domainVerificationEnable');
    if (publicMail.has(domain))
      throw invalid({ path: 'domain', message: `${domain} is of a public mail service: anyone has an address there` });
    if ((await selectDomains(tx, organizationId)).length >= most)
      throw invalid({ path: 'domain', message: `An organisation can name ${most} domains` });
    const row = await insertDomain(tx, { id: context.newId('odm'), organizationId, domain, token: randomText(32) });
    if (row === undefined) throw conflict(`This organisation names ${domain} already`);
    return domainVo(row);
  });

export const removeDomain = (
  context: Context,
  { organizationId, domainId }: { organizationId: string; domainId: string },
): Promise<void> =>
  changeOrganization(context, organizationId, async (tx) => {
    const row = await selectDomain(tx, organizationId, domainId);
    if (row === undefined) throw notFound('Domain', domainId);
    await deleteDomain(tx, domainId);
    if (row.verifiedTime === null) return;
    const spaceIds = await selectSpaceIdsOf(tx, organizationId);
    const target = { organizationId, domain: row.domain };
    await writeAudit(tx, doerOf(context), 'organization.domainLost', { spaceIds }, target);
  });

const findByName = async (
  context: Context,
  organizationId: string,
  domain: string,
): Promise<contract.ClaimedDomain> => {
  const found = (await listDomains(context, organizationId)).find((one) => one.domain === domain);
  if (found === undefined) throw notFound('Domain', domain);
  return found;
};

export const removeVerifiedDomain = async (context: Context, organizationId: string, domain: string): Promise<void> =>
  removeDomain(context, { organizationId, domainId: (await findByName(context, organizationId, domain)).id });

/** The code alone proves nothing: it is shown to anyone who names the domain. */
export const verifyDomain = async (
  context: Context,
  organizationId: string,
  { domain, verifyCode }: { domain: string; verifyCode: string },
): Promise<ResponseOf<typeof contract.verifyDomain>> => {
  const { id, recordName, recordValue } = await findByName(context, organizationId, domain);
  if (verifyCode !== recordValue)
    throw invalid({ path: 'verifyCode', message: `It is the value that the TXT record ${recordName} has to have` });
  const { isVerified } = await checkDomain(context, { organizationId, domainId: id });
  if (!isVerified) throw conflict(`The TXT record ${recordName} is not there, or says something else`);
  return { id, domain };
};
