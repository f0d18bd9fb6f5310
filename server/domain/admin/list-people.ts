import type { getAdminUser as getEndpoint, listAdminUsers as endpoint } from '@rowhouse/contract/admin-user.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { selectSessions } from '../auth/session.sql.ts';
import { selectAuthorized } from '../oauth/grant.sql.ts';
import { timeOf, timeOrNull } from './page.sql.ts';
import { countIdentities, selectPeople, selectPerson, selectSpacesOf, selectTokensOf } from './person.sql.ts';
import { showPerson } from './show-person.ts';

export const listPeople = async (
  { db, principal }: Context,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const { data, ...paged } = await selectPeople(db, query);
  return { data: data.map((row) => showPerson(principal, row)), ...paged };
};

export const getPerson = async (
  { db, principal }: Context,
  userId: string,
): Promise<ResponseOf<typeof getEndpoint>> => {
  const person = await selectPerson(db, userId);
  if (person === undefined) throw notFound('User', userId);
  return {
    ...showPerson(principal, person),
    sessions: await selectSessions(db, userId, null),
    tokens: (await selectTokensOf(db, userId)).map((token) => ({
      ...token,
      createdTime: timeOf(token.createdTime),
      lastUsedTime: timeOrNull(token.lastUsedTime),
      expiredTime: timeOf(token.expiredTime),
    })),
    applications: (await selectAuthorized(db, userId)).map(({ clientId, name }) => ({ clientId, name })),
    identities: await countIdentities(db, userId),
    spaces: await selectSpacesOf(db, userId),
  };
};
