// POST /auth/signout/provider: RP-initiated logout. Here the session ends in any case, also when the provider is away.
import type { IncomingHttpHeaders } from 'node:http';
import { decodeJwt } from 'jose';
import { buildEndSessionUrl } from 'openid-client';
import { findProvidersByIssuer } from '../../catalog/organization-providers.ts';
import type { Context } from '../../context.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { selectOrigin } from '../auth/session.sql.ts';
import { clearSessionCookie } from '../auth/session-cookie.ts';
import { signOut } from '../auth/sign-out.ts';
import { withProvider } from './connect-provider.ts';
import { addressOf } from './lead-back.ts';
import { logFailure, ProviderFailure } from './provider-failure.ts';

const endAddress = async (
  context: Context,
  { issuer, sealedIdToken }: { issuer: string | null; sealedIdToken: Buffer | null },
): Promise<string | null> => {
  const token = sealedIdToken === null ? undefined : context.secretKey.unseal(sealedIdToken);
  const providers = issuer === null ? [] : await findProvidersByIssuer(context, [issuer]);
  // Several organisations can have one issuer, each as a client of its own.
  const audience = token === undefined ? undefined : [decodeJwt(token).aud].flat();
  const provider = providers.find(({ clientId }) => audience === undefined || audience.includes(clientId));
  if (provider?.signsOutThere !== true) return null;
  try {
    return await withProvider(provider, async (connected) => {
      if (connected.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(connected, {
        post_logout_redirect_uri: addressOf(context, '/login'),
        ...(token === undefined ? {} : { id_token_hint: token }),
      }).href;
    });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(context, provider, error);
    return null;
  }
};

export const signOutThere = async (context: Context, headers: IncomingHttpHeaders): Promise<Answer> => {
  const credential = credentialOf(headers);
  const origin = credential?.kind === 'session' ? await selectOrigin(context.db, credential.hash) : undefined;
  await signOut(context, headers);
  const url = origin === undefined ? null : await endAddress(context, origin);
  return new Answer({ body: { url }, headers: { 'set-cookie': clearSessionCookie(context.config) } });
};
