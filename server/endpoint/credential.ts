// Finds the credential of a request: the session cookie, or `Authorization: Bearer <token>`.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Credential } from '../catalog/access.sql.ts';
import type { Config } from '../config.ts';

export const sessionCookie = 'auth_session';

// In one call: it takes half of what an object that is fed does.
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export const cookieValue = (header: string | undefined, name: string): string | undefined => {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
};

/** `teable_<access token id>_<secret>`: the prefix names the API that a token is for, and some clients of that API demand it. */
export const tokenText = (id: string, secret: string): string => `teable_${id}_${secret}`;

/** Earlier ones began with `rowhouse_`. */
const tokenForm = /^Bearer (?:teable|rowhouse)_(acc[0-9A-Za-z]{16})_([0-9A-Za-z]{20,100})$/;

/** A program sends the same header with each of its thousand requests, and hashing takes a fiftieth of a small write. */
const knownTokens = new Map<string, Credential>();
const mostTokens = 1_000;

const tokenIn = (authorization: string): Credential | undefined => {
  const known = knownTokens.get(authorization);
  if (known !== undefined) return known;
  const token = tokenForm.exec(authorization);
  if (token === null) return undefined;
  const credential: Credential = { kind: 'token', id: token[1] as string, hash: hashSecret(token[2] as string) };
  if (knownTokens.size >= mostTokens) knownTokens.clear();
  knownTokens.set(authorization, credential);
  return credential;
};

export const credentialOf = (headers: IncomingHttpHeaders): Credential | undefined => {
  if (headers.authorization !== undefined) return tokenIn(headers.authorization);
  const session = cookieValue(headers.cookie, sessionCookie);
  if (session === undefined || session.length > 200) return undefined;
  return { kind: 'session', id: '', hash: hashSecret(session) };
};

/** Origins of this site besides the host that a request names. */
export const ownOriginsOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): ReadonlySet<string> =>
  new Set(publicUrl === null ? [] : [new URL(publicUrl).origin]);

/**
 * A cookie travels with requests that other sites start. SameSite=Lax stops most of them; this stops the rest:
 * a browser says where a request comes from, and it must be this site.
 */
export const refuseCrossSite = (
  method: string,
  headers: IncomingHttpHeaders,
  ownOrigins: ReadonlySet<string>,
): void => {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const sameHost = origin !== undefined && URL.canParse(origin) && new URL(origin).host === headers.host;
  if (origin !== undefined && !sameHost && !ownOrigins.has(origin))
    throw forbidden('This request was started by another site');
  if (origin === undefined && (site === 'cross-site' || site === 'same-site'))
    throw forbidden('This request was started by another site');
};
