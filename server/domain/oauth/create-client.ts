import type { OauthClient, OauthClientInput } from '@rowhouse/contract/oauth.ts';
import type { Context } from '../../context.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { insertClient } from './client.sql.ts';
import { readClientInput } from './client-input.ts';
import { clientView } from './client-view.ts';

export const createClient = async (context: Context, body: OauthClientInput): Promise<OauthClient> => {
  demandUnrestricted(context.principal);
  const row = await insertClient(context.db, context.newId('clt'), context.principal.userId, readClientInput(body));
  return clientView(row, []);
};
