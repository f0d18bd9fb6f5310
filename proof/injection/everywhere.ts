// Every text and every key of every request, one at a time, in place of what stood there.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import type { Request } from '../../test/support/access-walk.ts';
import type { Reply, Wire } from '../wire.ts';
import { bytesOf, pathOf, queryOf } from '../fuzz/encode.ts';
import type { Soil } from '../fuzz/operations.ts';
import { payloads, trace } from './payloads.ts';

type Path = (string | number)[];

interface Position {
  path: Path;
  /** The key itself rather than what stands under it. */
  isKey: boolean;
}

export interface Spot extends Position {
  endpoint: Declaration;
  /** Which of the requests of the endpoint. */
  request: number;
}

const isFree = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

const placesIn = (value: unknown, path: Path = []): Position[] => {
  if (typeof value === 'string') return [{ path, isKey: false }];
  if (Array.isArray(value)) return value.flatMap((item, at) => placesIn(item, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    { path: [...path, key], isKey: true },
    ...(isFree(item) ? placesIn(item, [...path, key]) : []),
  ]);
};

const replaced = (value: unknown, [step, ...rest]: Path, isKey: boolean, payload: string): unknown => {
  if (step === undefined) return payload;
  if (Array.isArray(value)) return value.map((item, at) => (at === step ? replaced(item, rest, isKey, payload) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => {
      if (key !== step) return [key, item];
      return isKey && rest.length === 0 ? [payload, item] : [key, replaced(item, rest, isKey, payload)];
    }),
  );
};

/** Filters, sorts and groups travel as JSON in a text: they are opened, and closed again before they are sent. */
const opened = (request: Request): Request => ({
  params: request.params ?? {},
  body: request.body,
  query: Object.fromEntries(
    Object.entries(request.query ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  ),
});

const jsonKeys = new Set(['filter', 'orderBy', 'groupBy']);

const closed = (query: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([key, value]) => [
      key,
      jsonKeys.has(key) && typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  );

export const spotsOf = async (soil: Soil, endpoint: Declaration): Promise<Spot[]> =>
  (await soil.requests(endpoint)).flatMap((request, at) =>
    placesIn(opened(request))
      .filter(({ path }) => path.length > 1)
      .map((place) => ({ ...place, endpoint, request: at })),
  );

interface Shot {
  label: string;
  payload: string;
  reply: Reply;
}

export const fire = async (
  wire: Wire,
  soil: Soil,
  { endpoint, request, path, isKey }: Spot,
  payload: string,
): Promise<Shot> => {
  const given = opened((await soil.requests(endpoint))[request] ?? {});
  const { params, query, body } = replaced(given, path, isKey, payload) as Request;
  // A header cannot hold a line break: what can be sent in one is sent too.
  const told = payload.replaceAll(/[^\x20-\x7e]/g, '');
  const bytes = bytesOf({
    method: endpoint.method,
    path: pathOf(endpoint.path, params ?? {}),
    query: queryOf(closed(query ?? {})),
    headers: [
      ...Object.entries(await soil.credential(endpoint, false)),
      ['x-request-id', told],
      ['idempotency-key', told.slice(0, 200)],
      ['referer', told],
      ['user-agent', told],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
    ],
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });
  const reply = await wire.send(bytes);
  if (reply.status < 300) soil.used(endpoint);
  return {
    label: `${endpoint.name} ${isKey ? 'key' : 'value'} ${path.join('.')} = ${JSON.stringify(payload)}`,
    payload,
    reply,
  };
};

const headerNames = new Set([
  'x-content-type-options',
  'referrer-policy',
  'x-frame-options',
  'x-request-id',
  'cache-control',
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'etag',
  'link',
  'location',
  'x-operation-id',
  'set-cookie',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'www-authenticate',
  'pragma',
  'vary',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'idempotency-replayed',
  'content-security-policy',
  'accept-ranges',
  'last-modified',
  'x-accel-buffering',
  'content-disposition',
  'content-range',
  'cross-origin-resource-policy',
  'x-job-id',
]);

const sleeps = /pg_sleep/;

export const faultOfShot = ({ payload, reply }: Shot): string | undefined => {
  if (reply.status <= 0) return reply.status === 0 ? 'no answer' : 'a hang';
  if (reply.status >= 500) return `a fault of the server: ${reply.body.toString('utf8').slice(0, 300)}`;
  if (sleeps.test(payload) && reply.millis > 8_500) return `slept for ${reply.millis} ms`;
  const strange = reply.headers.filter(([name]) => !headerNames.has(name));
  if (strange.length > 0) return `the header ${strange.map(([name, value]) => `${name}: ${value}`).join()}`;
  if (reply.headers.some(([name, value]) => name === 'set-cookie' && !value.startsWith('auth_session=')))
    return 'a cookie of its own';
  const type = reply.headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json';
  // A plain word may well stand in the heading of a file.
  const isPlain = /^\w+$/.test(payload);
  if (!/^(application\/json|text\/event-stream)/.test(type) && !isPlain && reply.body.includes(payload))
    return `its own words as ${type}`;
  return reply.body.includes('root:x:0:0') || reply.body.includes('$scrypt')
    ? 'what it has no business to know'
    : undefined;
};

export { payloads, trace };
