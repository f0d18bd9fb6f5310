import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listOauthClients } from '@rowhouse/contract/oauth.ts';
import type { Context } from '../../context.ts';
import { selectClients } from './client.sql.ts';
import { detailsOf } from './client-view.ts';

export const listClients = async ({ db, principal }: Context): Promise<ResponseOf<typeof listOauthClients>> => {
  const rows = await selectClients(db, principal.userId);
  return rows.map((row) => ({ clientId: row.clientId, ...detailsOf(row) }));
};
