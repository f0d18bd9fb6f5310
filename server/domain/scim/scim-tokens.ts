// Tokens with which a directory calls. Only their hashes are kept.
import { notFound } from '@rowhouse/contract/error.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import type * as contract from '@rowhouse/contract/scim.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { changeOrganization, demandAdmin } from '../organization/demand-organization.ts';
import { selectSpaceIdsOf } from '../organization/organization.sql.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { deleteToken, insertToken, selectTokens } from './scim.sql.ts';

const tell = async (tx: Tx, context: Context, organizationId: string, target: object): Promise<void> =>
  writeAudit(
    tx,
    doerOf(context),
    'organization.signInChanged',
    { spaceIds: await selectSpaceIdsOf(tx, organizationId) },
    { organizationId, ...target },
  );

export const listScimTokens = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.listScimTokens>> => {
  await demandAdmin(context, organizationId);
  return selectTokens(context.db, organizationId);
};

export const createScimToken = (
  context: Context,
  organizationId: string,
  name: string,
): Promise<ResponseOf<typeof contract.createScimToken>> =>
  changeOrganization(context, organizationId, async (tx) => {
    demandFeature(context, 'authenticationEnable');
    const [id, secret] = [context.newId('sct'), randomText(40)];
    const { userId } = context.principal;
    await insertToken(tx, { id, organizationId, name, hash: hashSecret(secret), userId });
    await tell(tx, context, organizationId, { directoryTokenId: id });
    return { id, name, token: `scim_${id}_${secret}` };
  });

export const deleteScimToken = (
  context: Context,
  { organizationId, tokenId }: { organizationId: string; tokenId: string },
): Promise<void> =>
  changeOrganization(context, organizationId, async (tx) => {
    if (!(await deleteToken(tx, organizationId, tokenId))) throw notFound('Token', tokenId);
    await tell(tx, context, organizationId, { directoryTokenId: tokenId, deleted: true });
  });
