// Who redeems a code or token: an application with secrets proves itself with one of them; one without
// is public, and PKCE takes the place of the proof.
import type { IncomingHttpHeaders } from 'node:http';
import type { Tx } from '../../db/db.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { holdClient, type ProtocolClient, useSecret } from './client.sql.ts';
import { type Parameters, readClientCredentials } from './parameters.ts';
import { Refusal } from './refusal.ts';

export interface AuthenticatedClient extends ProtocolClient {
  /** Null for a public application. */
  secretId: string | null;
}

const clientIdForm = /^clt[0-9a-z]{16}$/;

export const authenticateClient = async (
  tx: Tx,
  headers: IncomingHttpHeaders,
  parameters: Parameters,
  now: Date,
): Promise<AuthenticatedClient> => {
  const { clientId, secret, basic } = readClientCredentials(headers.authorization, parameters);
  const refused = new Refusal('invalid_client', 'The application is unknown, or its secret is missing or wrong', basic);
  const client = clientIdForm.test(clientId) ? await holdClient(tx, clientId) : undefined;
  if (client === undefined) throw refused;
  if (client.isPublic && secret === undefined) return { ...client, secretId: null };
  const secretId = secret === undefined ? undefined : await useSecret(tx, clientId, hashSecret(secret), now);
  if (secretId === undefined) throw refused;
  return { ...client, secretId };
};
