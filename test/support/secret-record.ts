// Writes down every secret that a server of the tests shows or is sent: passwords, sessions, tokens, codes, secrets of
// applications, codes of invitations, passwords for SQL. None of them may stand in the database or in the log afterwards.
import { randomBytes } from 'node:crypto';
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** Shorter ones are found by chance, or are no secrets but faults that a test makes. */
const shortest = 8;
/** Codes to type: eight digits stand in any log. What keeps them from the database is that nothing writes them. */
const typed = /^\d{4} ?\d{4}$/;

const secrets = new Map<string, string>();
/** Challenges of PKCE, which a test may send where a verifier belongs. */
const open = new Set<unknown>();
let folder: string | undefined;
const file = `${process.pid}-${randomBytes(4).toString('hex')}`;

/** Names a folder for secrets and logs, in which the end of the run will look. */
export const keepSecretsIn = (path: string): void => {
  folder = path;
};

/** What the servers of an earlier test file have shown is nothing to look for in the database of the next: it may be anybody's word there. */
export const forgetSecrets = (): void => {
  secrets.clear();
  open.clear();
};

export const recordedSecrets = (): ReadonlyMap<string, string> => secrets;

/** `kind` says what it is when it is found where it should not be. */
export const recordSecret = (kind: string, secret: unknown): void => {
  if (
    typeof secret !== 'string' ||
    secret.length < shortest ||
    typed.test(secret) ||
    secrets.has(secret) ||
    open.has(secret)
  )
    return;
  secrets.set(secret, kind);
  if (folder !== undefined) appendFileSync(join(folder, `${file}.secrets`), `${JSON.stringify([kind, secret])}\n`);
};

/** Of `teable_<id>_<secret>` only the last part is secret. */
const recordToken = (kind: string, token: unknown): void =>
  recordSecret(
    kind,
    typeof token === 'string' && /^(teable|rowhouse|scim)_/.test(token) ? token.split('_').at(-1) : token,
  );

export const recordTokensIn = (text: string): void => {
  for (const [token] of text.matchAll(/(?:teable|rowhouse)_acc\w{16}_\w+/g)) recordToken('printed token', token);
};

const secretKeys = new Set([
  'password',
  'newPassword',
  'pass',
  'token',
  'secret',
  'access_token',
  'accessToken',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'transaction_id',
  'transactionId',
  'device_code',
  'user_code',
  'userCode',
  'invitationCode',
  'recoveryCodes',
  'secondFactorToken',
]);

const walk = (place: string, value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (secretKeys.has(key)) for (const one of [inner].flat()) recordToken(`${key} of ${place}`, one);
    else walk(place, inner);
  }
};

const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URL(url, 'http://localhost').searchParams);

const parse = (text: unknown): unknown => {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const recordHeaders = (authorization: string | undefined, cookies: readonly string[]): void => {
  const [scheme, credential = ''] = authorization?.split(' ') ?? [];
  if (scheme === 'Bearer') recordToken('bearer token', credential);
  if (scheme === 'Basic')
    recordSecret('client secret of a header', Buffer.from(credential, 'base64').toString().split(':')[1]);
  for (const cookie of cookies) recordSecret('session', /auth_session=([^;]*)/.exec(cookie)?.[1]);
};

/** Where bodies and answers hold secrets; elsewhere `code` or `token` may be the name of anything. */
const secretive =
  /^\/api\/(auth|access-token|oauth|user|invitation)\b|^\/api\/(base|space)\/\w+\/(connection|invitation)/;

/** Before the app listens. */
export const recordSecretsOf = (app: FastifyInstance): void => {
  app.addHook('preHandler', async (request) => {
    recordHeaders(request.headers.authorization, [request.headers.cookie ?? '']);
    if (!secretive.test(request.url)) return;
    open.add(queryOf(request.url)['code_challenge']);
    walk(request.routeOptions.url ?? '', [request.body, request.params, queryOf(request.url)]);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    recordHeaders(undefined, [reply.getHeader('set-cookie') ?? ''].flat().map(String));
    if (!secretive.test(request.url) || reply.statusCode >= 400) return payload;
    const body = parse(payload);
    walk(request.routeOptions.url ?? '', body);
    for (const address of [reply.getHeader('location'), (body as { redirectUrl?: string } | undefined)?.redirectUrl]) {
      if (typeof address === 'string') walk(`${request.routeOptions.url} (redirect)`, queryOf(address));
    }
    return payload;
  });
};

const loud = /^\{"level":[56]0/;

let log: number | undefined;

/** Everything that is logged goes to a file that the end of the run looks through; errors are shown as well. */
export const keptLog = (): { write(line: string): void } => {
  if (folder === undefined) return process.stderr;
  // One for all servers of the process, open until its end.
  const descriptor = (log ??= openSync(join(folder, `${file}.log`), 'a'));
  return {
    write(line) {
      writeSync(descriptor, line);
      if (loud.test(line)) process.stderr.write(line);
    },
  };
};
