// POST /oauth/device/code
import type { IncomingHttpHeaders } from 'node:http';
import { randomText } from '@rowhouse/contract/id.ts';
import type { PublicContext } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { authenticateClient } from './authenticate-client.ts';
import { deleteExpiredDeviceRequests, insertDeviceRequest } from './device.sql.ts';
import { after, lifetime } from './lifetime.ts';
import { readParameters } from './parameters.ts';
import { answering, Refusal } from './refusal.ts';
import { hashUserCode, newUserCode } from './user-code.ts';

const deviceCodeLength = 48;

const scopesIn = (asked: string | undefined, registered: readonly string[]): string[] => {
  if (asked === undefined) return [...registered];
  const scopes = [...new Set(asked.split(' ').filter((scope) => scope !== ''))];
  const unknown = scopes.filter((scope) => !registered.includes(scope));
  if (unknown.length > 0)
    throw new Refusal('invalid_scope', `The application is not registered for ${unknown.join(', ').slice(0, 500)}`);
  return scopes;
};

/** No address that has the code in it: having to type it is what tells people that they began this themselves. */
export const createDeviceCode = (
  context: PublicContext,
  body: unknown,
  headers: IncomingHttpHeaders,
): Promise<Answer> =>
  answering(async () => {
    const parameters = readParameters(body);
    const now = context.now();
    const deviceCode = randomText(deviceCodeLength);
    const userCode = await retriedTransaction(context.db, async (tx) => {
      const client = await authenticateClient(tx, headers, parameters, now);
      if (!client.allowDeviceFlow)
        throw new Refusal('unauthorized_client', 'The application does not allow the flow for devices');
      const scopes = scopesIn(parameters.get('scope'), client.scopes);
      await deleteExpiredDeviceRequests(tx, now);
      for (;;) {
        const code = newUserCode();
        const request = {
          hash: hashSecret(deviceCode),
          userCodeHash: hashUserCode(code),
          clientId: client.clientId,
          scopes,
          expiresTime: after(now, lifetime.device),
        };
        if (await insertDeviceRequest(tx, request)) return code;
      }
    });
    return new Answer({
      headers: { pragma: 'no-cache' },
      body: {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: `${context.publicUrl()}/oauth/device`,
        expires_in: lifetime.device,
        interval: lifetime.poll,
      },
    });
  });
