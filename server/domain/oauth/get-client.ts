import { notFound } from '@rowhouse/contract/error.ts';
import type { OauthClient } from '@rowhouse/contract/oauth.ts';
import type { Context } from '../../context.ts';
import { selectOwnClient, selectSecrets } from './client.sql.ts';
import { clientView } from './client-view.ts';

/** An application of somebody else is as unknown as one that does not exist. */
export const unknownClient = (clientId: string) => notFound('OAuth application', clientId);

export const getClient = async ({ db, principal }: Context, clientId: string): Promise<OauthClient> => {
  const row = await selectOwnClient(db, principal.userId, clientId);
  if (row === undefined) throw unknownClient(clientId);
  return clientView(row, await selectSecrets(db, clientId));
};
