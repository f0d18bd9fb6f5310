// GET /oauth/device/:userCode and POST /oauth/device/decision
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, forbidden } from '@rowhouse/contract/error.ts';
import type {
  decideDeviceRequest as decideEndpoint,
  getDeviceRequest as getEndpoint,
} from '@rowhouse/contract/oauth-server.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { holdClient, selectClient } from './client.sql.ts';
import { detailsOf } from './client-view.ts';
import { decideRequestOf, selectWaitingRequest } from './device.sql.ts';
import { upsertAuthorization } from './grant.sql.ts';
import { hashUserCode } from './user-code.ts';

const unknownCode = (): ApiError =>
  new ApiError('not_found', 'This code is unknown, decided already, or too old; start again on the device');

/** A token may be allowed less than its user; with consent it could get itself more. */
const demandPerson = ({ principal }: Context): void => {
  if (principal.kind !== 'session') throw forbidden('Only a signed-in user can allow a device something');
};

export const getDeviceRequest = async (context: Context, userCode: string): Promise<ResponseOf<typeof getEndpoint>> => {
  demandPerson(context);
  const { db, now } = context;
  const request = await selectWaitingRequest(db, hashUserCode(userCode), now());
  const client = request === undefined ? undefined : await selectClient(db, request.clientId);
  if (request === undefined || client?.allowDeviceFlow !== true) throw unknownCode();
  return { ...detailsOf(client), scopes: request.scopes };
};

export const decideDeviceRequest = (
  context: Context,
  { userCode, approve }: BodyOf<typeof decideEndpoint>,
): Promise<void> => {
  demandPerson(context);
  const { db, now, principal } = context;
  return retriedTransaction(db, async (tx) => {
    const at = now();
    const request = await decideRequestOf(tx, hashUserCode(userCode), principal.userId, approve, at);
    const client = request === undefined ? undefined : await holdClient(tx, request.clientId);
    if (request === undefined || client?.allowDeviceFlow !== true) throw unknownCode();
    if (!approve) return;
    const scopes = request.scopes.filter((scope) => client.scopes.includes(scope));
    const granted = {
      clientId: request.clientId,
      redirectUri: '',
      redirectUriGiven: false,
      scopes,
      state: null,
      codeChallenge: null,
    };
    await upsertAuthorization(tx, granted, principal.userId, at, true);
    await writeAudit(
      tx,
      doerOf(context),
      'application.allowed',
      { member: principal.userId },
      { clientId: request.clientId, scopes },
    );
  });
};
