import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { OauthClient, updateOauthClient } from '@rowhouse/contract/oauth.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { holdOwnClient, selectSecrets, updateClient as updateClientRow } from './client.sql.ts';
import { readClientInput } from './client-input.ts';
import { clientView } from './client-view.ts';
import { unknownClient } from './get-client.ts';
import { narrowScopes } from './grant.sql.ts';

export const updateClient = (
  { db, principal }: Context,
  clientId: string,
  body: BodyOf<typeof updateOauthClient>,
): Promise<OauthClient> =>
  retriedTransaction(db, async (tx) => {
    demandUnrestricted(principal);
    const before = await holdOwnClient(tx, principal.userId, clientId);
    if (before === undefined) throw unknownClient(clientId);
    if (body.clientId !== undefined && body.clientId !== clientId) {
      throw invalid({ path: 'clientId', message: 'Not the application of the path', expected: clientId });
    }
    const fields = readClientInput(body);
    const row = await updateClientRow(tx, clientId, fields);
    const secrets = await selectSecrets(tx, clientId);
    if (before.scopes.some((scope) => !fields.scopes.includes(scope))) {
      await bumpEpochs(tx, await narrowScopes(tx, clientId, fields.scopes));
    }
    return clientView(row, secrets);
  });
