// The start of the flow, in the browser of the user.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import { authorizeOauthClient } from '@rowhouse/contract/oauth-server.ts';
import { resolveAccess } from '../../catalog/access.ts';
import type { PublicContext, Services } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { credentialOf, hashSecret } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { withParameters } from './address.ts';
import { holdClient, type ProtocolClient, selectClient } from './client.sql.ts';
import { selectAuthorization } from './grant.sql.ts';
import { issueCode } from './issue-code.ts';
import { after, lifetime } from './lifetime.ts';
import { type AuthorizeQuery, chooseRedirectUri, readRequest } from './read-request.ts';
import { Refusal } from './refusal.ts';
import { deleteExpiredTransactions, insertTransaction, type Request } from './transaction.sql.ts';

const transactionLength = 32;

const redirect = (location: string): Answer => new Answer({ status: 302, headers: { location } });

/** Only a person at a browser can allow something, so tokens do not count here. */
const signedInUser = async (services: Services, headers: IncomingHttpHeaders): Promise<string | undefined> => {
  const credential = credentialOf(headers);
  if (credential?.kind !== 'session') return undefined;
  try {
    return (await resolveAccess(services.db, credential, null)).principal.userId;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') return undefined;
    throw error;
  }
};

const parameterNames = Object.keys(authorizeOauthClient.query.properties) as (keyof AuthorizeQuery)[];

const signIn = (publicUrl: string, query: AuthorizeQuery): Answer => {
  const known = Object.fromEntries(parameterNames.map((name) => [name, query[name] ?? null]));
  const here = withParameters('/api/oauth/authorize', known);
  return redirect(withParameters(`${publicUrl}/auth/login`, { redirect: here }));
};

// Without a secret anybody can pretend to be the application, so its users are asked every time (RFC 6749, 10.2).
const isRemembered = async (
  services: Services,
  client: ProtocolClient,
  request: Request,
  userId: string,
): Promise<boolean> => {
  if (client.isPublic) return false;
  const earlier = await selectAuthorization(services.db, client.clientId, userId);
  if (earlier === undefined) return false;
  const isRecent = after(new Date(earlier.approvedTime), lifetime.consent) > services.now();
  return isRecent && request.scopes.every((scope) => earlier.scopes.includes(scope));
};

const askForConsent = async (services: Services, request: Request, userId: string): Promise<Answer> => {
  const id = randomText(transactionLength);
  const now = services.now();
  await retriedTransaction(services.db, async (tx) => {
    if ((await holdClient(tx, request.clientId)) === undefined)
      throw invalid({ path: 'query.client_id', message: 'No such application' });
    await deleteExpiredTransactions(tx, now);
    await insertTransaction(tx, request, {
      hash: hashSecret(id),
      userId,
      expiresTime: after(now, lifetime.transaction),
    });
  });
  return redirect(withParameters(`${services.publicUrl()}/oauth/decision`, { transaction_id: id }));
};

export const authorizeClient = async (
  context: PublicContext,
  query: AuthorizeQuery,
  headers: IncomingHttpHeaders,
): Promise<Answer> => {
  const client = query.client_id === undefined ? undefined : await selectClient(context.db, query.client_id);
  if (client === undefined) throw invalid({ path: 'query.client_id', message: 'No such application' });
  const redirectUri = chooseRedirectUri(client, query.redirect_uri);
  try {
    const request = readRequest(client, redirectUri, query);
    const userId = await signedInUser(context, headers);
    if (userId === undefined) return signIn(context.publicUrl(), query);
    if (!(await isRemembered(context, client, request, userId))) return await askForConsent(context, request, userId);
    return redirect(await retriedTransaction(context.db, (tx) => issueCode(context, tx, request, userId, false)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return redirect(
      withParameters(redirectUri, {
        error: error.error,
        error_description: error.message,
        state: query.state ?? null,
        iss: context.publicUrl(),
      }),
    );
  }
};
