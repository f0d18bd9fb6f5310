// GET /user/identity
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listIdentities as declared } from '@rowhouse/contract/identity.ts';
import { findProvidersByIssuer } from '../../catalog/organization-providers.ts';
import type { Context } from '../../context.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { selectIdentities } from './identity.sql.ts';

export const listIdentities = async (context: Context): Promise<ResponseOf<typeof declared>> => {
  const { db, principal } = context;
  demandUnrestricted(principal);
  const identities = await selectIdentities(db, principal.userId);
  const providers = await findProvidersByIssuer(
    context,
    identities.map(({ issuer }) => issuer),
  );
  return identities.map((identity) => {
    const provider = providers.find(({ issuer }) => issuer === identity.issuer);
    return { ...identity, provider: provider === undefined ? null : { id: provider.id, name: provider.name } };
  });
};
