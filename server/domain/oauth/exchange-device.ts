// A device asks whether somebody has allowed it yet (RFC 8628, 3.4).
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { holdActiveUser } from '../user/user.sql.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';
import { deleteDeviceRequest, type DeviceRequest, lockDeviceRequest, notePoll } from './device.sql.ts';
import { deleteExpiredGrants, insertGrant, lockGrantOfCode, markCodeUsed, selectAuthorization } from './grant.sql.ts';
import type { Grant } from './grant.sql.ts';
import { issueTokens, type TokenBody } from './issue-tokens.ts';
import { after, lifetime } from './lifetime.ts';
import type { Parameters } from './parameters.ts';
import { Refusal } from './refusal.ts';

const isTooSoon = ({ polledTime }: DeviceRequest, now: Date): boolean =>
  polledTime !== null && after(new Date(polledTime), lifetime.poll) > now;

/** The family of tokens that begins here. Its code is the one of the device, used. */
const grantFor = async (
  tx: Tx,
  request: DeviceRequest,
  userId: string,
  scopes: string[],
  now: Date,
): Promise<Grant> => {
  const { hash, clientId } = request;
  await deleteExpiredGrants(tx, clientId, userId, now);
  await insertGrant(
    tx,
    { clientId, redirectUri: '', redirectUriGiven: false, scopes, state: null, codeChallenge: null },
    userId,
    hash,
    after(now, lifetime.code),
  );
  const grant = (await lockGrantOfCode(tx, hash)) as Grant;
  await markCodeUsed(tx, grant.id, now);
  return grant;
};

/** Refusals that are returned, not thrown, are part of what is committed. */
export const exchangeDevice = async (
  services: Services,
  tx: Tx,
  client: AuthenticatedClient,
  parameters: Parameters,
): Promise<TokenBody | Refusal> => {
  const now = services.now();
  const request = await lockDeviceRequest(tx, hashSecret(parameters.need('device_code')));
  if (request === undefined || request.clientId !== client.clientId)
    throw new Refusal(
      'invalid_grant',
      'The device code is unknown, used already, or was issued to another application',
    );
  if (new Date(request.expiresTime) <= now) throw new Refusal('expired_token', 'The device code has expired');
  const { hash, isAllowed, userId } = request;
  if (isAllowed === null && client.allowDeviceFlow) {
    await notePoll(tx, hash, now);
    return isTooSoon(request, now)
      ? new Refusal('slow_down', `Wait ${lifetime.poll} seconds between two requests`)
      : new Refusal('authorization_pending', 'Nobody has decided yet');
  }
  await deleteDeviceRequest(tx, hash);
  // What was allowed may have been taken back since, with all that the application had.
  const allowed =
    isAllowed === true && client.allowDeviceFlow && userId !== null && (await holdActiveUser(tx, userId))
      ? await selectAuthorization(tx, client.clientId, userId)
      : undefined;
  if (allowed === undefined || userId === null) return new Refusal('access_denied', 'The user declined');
  const scopes = request.scopes.filter((scope) => client.scopes.includes(scope) && allowed.scopes.includes(scope));
  return issueTokens(services, tx, { grant: await grantFor(tx, request, userId, scopes, now), client, scopes });
};
