// GET /user/identity
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listIdentities as declared } from '@rowhouse/contract/identity.ts';
import type { Context } from '../../context.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { selectIdentities } from './identity.sql.ts';

export const listIdentities = async ({
  db,
  principal,
  signInProviders,
}: Context): Promise<ResponseOf<typeof declared>> => {
  demandUnrestricted(principal);
  return (await selectIdentities(db, principal.userId)).map((identity) => {
    const provider = signInProviders.byIssuer(identity.issuer);
    return { ...identity, provider: provider === undefined ? null : { id: provider.id, name: provider.name } };
  });
};
