import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listAuthorizedClients } from '@rowhouse/contract/oauth.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { detailsOf } from './client-view.ts';
import { selectAuthorized } from './grant.sql.ts';

export const listAuthorized = async ({ db, principal }: Context): Promise<ResponseOf<typeof listAuthorizedClients>> => {
  const rows = await selectAuthorized(db, principal.userId);
  return rows.map((row) => ({
    clientId: row.clientId,
    ...detailsOf(row),
    scopes: row.scopes,
    ...(row.lastUsedTime === null ? {} : { lastUsedTime: row.lastUsedTime }),
    createdUser: { name: row.creatorName, email: shownEmail(principal, row.creatorEmail) },
  }));
};
