// A provider says that somebody has signed out there: OpenID Connect Back-Channel Logout 1.0.
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, jwtVerify, type JWTPayload } from 'jose';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { writeAudit } from '../../catalog/audit.sql.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { PublicContext } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { endThereWith } from '../auth/provider-logout.sql.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { giveUseBack, limitUses } from '../user/limit-uses.ts';
import { providerOf } from './begin-sign-in.ts';
import { clockDifference, keysOf, withProvider } from './connect-provider.ts';
import { logFailure, ProviderFailure } from './provider-failure.ts';

/** Seconds after which a message is too old. It is remembered for longer, so that none comes twice. */
const oldest = 600;
const remembered = (oldest + 2 * clockDifference) * 1_000;
const event = 'http://schemas.openid.net/event/backchannel-logout';
/** With a key that only the provider has. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const refuse = (message: string): ApiError => invalid({ path: 'logout_token', message });

const wordOf = (claims: JWTPayload, name: 'sub' | 'sid'): string | null => {
  const value: unknown = claims[name];
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > 500) throw refuse(`${name} is no text`);
  return value;
};

const demandLogout = (claims: JWTPayload): void => {
  const { events } = claims;
  if (typeof events !== 'object' || events === null || typeof (events as Record<string, unknown>)[event] !== 'object')
    throw refuse('events does not tell of a logout');
  // An ID token is no logout token.
  if (claims['nonce'] !== undefined) throw refuse('a logout token has no nonce');
};

const verified = async (provider: SignInProvider, token: string): Promise<JWTPayload> => {
  const keys = await withProvider(provider, (connected) => keysOf(provider, connected));
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys as unknown as JSONWebKeySet), {
    issuer: provider.issuer,
    audience: provider.clientId,
    algorithms,
    clockTolerance: clockDifference,
    maxTokenAge: oldest,
    requiredClaims: ['jti', 'iat', 'events'],
  });
  return payload;
};

/** Nobody makes this server ask a provider by what is not for it. */
const demandAddressed = ({ issuer, clientId }: SignInProvider, token: string): void => {
  const { iss, aud } = decodeJwt(token);
  if (iss !== issuer) throw refuse('iss is another issuer');
  if (![aud].flat().includes(clientId)) throw refuse('aud is another client');
};

const claimsOf = async (context: PublicContext, provider: SignInProvider, token: string): Promise<JWTPayload> => {
  const key = ['logout tokens', networkOf(context.from.ip ?? '')];
  await limitUses(context.db, { key, limit: 300, minutes: 15, message: 'Too many logout tokens from here were wrong' });
  try {
    demandAddressed(provider, token);
    const claims = await verified(provider, token);
    demandLogout(claims);
    await giveUseBack(context.db, key);
    return claims;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refuse(error.message);
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(context, provider, error);
    throw new ApiError('service_unavailable', `${provider.name} does not answer as it should; try again later`);
  }
};

export const endSessionsByProvider = async (
  context: PublicContext,
  { providerId, token }: { providerId: string; token: string },
): Promise<Answer> => {
  const { db, from } = context;
  const provider = await providerOf(context, providerId);
  const claims = await claimsOf(context, provider, token);
  const [subject, sid] = [wordOf(claims, 'sub'), wordOf(claims, 'sid')];
  if (subject === null && sid === null) throw refuse('it names neither sub nor sid');
  await retriedTransaction(db, async (tx) => {
    const userIds = await endThereWith(tx, {
      jtiHash: hashSecret(`${provider.issuer} ${String(claims.jti)}`),
      issuer: provider.issuer,
      subject,
      sid,
      time: new Date((claims.iat as number) * 1_000),
      expires: new Date(Date.now() + remembered),
    });
    if (userIds === undefined) throw refuse('it was used before');
    for (const userId of userIds)
      await writeAudit(
        tx,
        { ...from, userId: null, via: 'server', credentialId: null },
        'user.sessionsEnded',
        { member: userId },
        { userId, provider: provider.id },
      );
    await bumpEpochs(tx, userIds);
  });
  return new Answer({ headers: { 'cache-control': 'no-store' } });
};
