// Requests to a provider. The issuer of one in the file of the operator may be anywhere; those of organisations, and other hosts that
// metadata names, are on the public Internet, or in networks that the operator lists. No redirect is followed, and nothing is waited for for long.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { CustomFetch } from 'openid-client';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import { answerOf } from '../file/answer-of.ts';
import { type AddressRule, guardedLookup, literalAddress } from '../file/guarded-lookup.ts';
import { isPublicAddress } from '../file/public-address.ts';
import { ProviderFailure } from './provider-failure.ts';

/** Seconds for one request. */
export const patience = 8;
/** Metadata, keys and tokens are a few kilobytes. */
const longestAnswer = 1_048_576;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const allowedFor = (provider: SignInProvider, url: URL): AddressRule => {
  if (provider.organizationId === null && url.origin === new URL(provider.issuer).origin) return () => true;
  const networks = new BlockList();
  for (const network of provider.networks) {
    const [address, bits] = network.split('/') as [string, string];
    networks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isPublicAddress(address) || networks.check(address, familyOf(address));
};

const bodyOf = (body: unknown): string => {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new Error('bodies of requests to providers are forms');
};

const away = (message: string, cause?: unknown): ProviderFailure => new ProviderFailure('unavailable', message, cause);

const send = async (provider: SignInProvider, ...[address, options]: Parameters<CustomFetch>): Promise<Response> => {
  const { method, headers, body, signal } = options;
  const url = new URL(address);
  const isAllowed = allowedFor(provider, url);
  const host = literalAddress(url);
  if (host !== undefined && !isAllowed(host)) throw away(`${host} is not a public address`);
  const sent = bodyOf(body);
  const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
    method,
    headers: { ...headers, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(sent) },
    lookup: guardedLookup(isAllowed, (name) => away(`${name} is not a public address`)),
    signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(patience * 1_000)]),
    agent: false,
  });
  const answered = answerOf(request);
  request.end(sent);
  const answer = await answered;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > longestAnswer) throw away('its answer is too long');
    parts.push(part);
  }
  const { statusCode = 0 } = answer;
  const told = new Headers();
  for (const name of ['content-type', 'www-authenticate'] as const) {
    const value = answer.headers[name];
    if (value !== undefined) told.set(name, value);
  }
  return new Response([204, 205, 304].includes(statusCode) ? null : Buffer.concat(parts), {
    status: statusCode,
    headers: told,
  });
};

/** What the network does is told apart from what a provider says. */
export const fetchFor =
  (provider: SignInProvider): CustomFetch =>
  async (...request) => {
    try {
      return await send(provider, ...request);
    } catch (error) {
      throw error instanceof ProviderFailure ? error : away((error as Error).message, error);
    }
  };
