// The token endpoint: who asks, what for, and everything in one transaction.
import type { IncomingHttpHeaders } from 'node:http';
import type { PublicContext } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { Answer } from '../../endpoint/route.ts';
import { authenticateClient } from './authenticate-client.ts';
import { exchangeCode } from './exchange-code.ts';
import { exchangeDevice } from './exchange-device.ts';
import { readParameters } from './parameters.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { answering, Refusal } from './refusal.ts';

const grants = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
  'urn:ietf:params:oauth:grant-type:device_code': exchangeDevice,
} as const;

const isGrantType = (text: string): text is keyof typeof grants => Object.hasOwn(grants, text);

export const issueToken = (context: PublicContext, body: unknown, headers: IncomingHttpHeaders): Promise<Answer> =>
  answering(async () => {
    const parameters = readParameters(body);
    const grantType = parameters.need('grant_type');
    if (!isGrantType(grantType))
      throw new Refusal('unsupported_grant_type', `grant_type must be one of ${Object.keys(grants).join(', ')}`);
    const outcome = await retriedTransaction(context.db, async (tx) => {
      const client = await authenticateClient(tx, headers, parameters, context.now());
      return grants[grantType](context, tx, client, parameters);
    });
    if (outcome instanceof Refusal) throw outcome;
    return new Answer({ headers: { pragma: 'no-cache' }, body: outcome });
  });
