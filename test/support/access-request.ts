// Calls of the access walk: any endpoint, its path filled from the things of a tenant.
import { addressOf } from '@rowhouse/contract/client.ts';
import { type Declaration, pathParams } from '@rowhouse/contract/endpoint.ts';
import type { Things } from './access-tenant.ts';
import { type Request, walks } from './access-walk.ts';
import { leanFetch } from './lean-fetch.ts';
import type { World } from './world.ts';

export interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

export const requestFor = (endpoint: Declaration, things: Things): Request => {
  const { params, ...rest } = walks[endpoint.name]?.request?.(things) ?? {};
  const path = Object.fromEntries(pathParams(endpoint.path).map((name) => [name, things[name as keyof Things]]));
  return { ...rest, params: { ...path, ...params } };
};

/** Of a stream only that it begins. */
export const send = async (
  { baseUrl }: Pick<World, 'baseUrl'>,
  endpoint: Declaration,
  request: Request,
  headers: Record<string, string>,
): Promise<Answer> => {
  const { body, raw, ...rest } = request;
  const sent = body === undefined ? raw : { type: 'application/json', text: JSON.stringify(body) };
  return leanFetch(baseUrl + addressOf(endpoint, rest as never), {
    method: endpoint.method,
    headers: { ...(sent === undefined ? {} : { 'content-type': sent.type }), ...headers },
    body: sent?.text,
  });
};

export const inBatches = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
};

/** An answer without what differs from one request to the next: the ids in it, and its own. */
export const gist = ({ status, text }: Pick<Answer, 'status' | 'text'>): string =>
  `${status} ${text.replace(/"requestId":"[^"]*"/, '"requestId":""').replaceAll(/\b[a-z]{3}[0-9A-Za-z]{16}\b/g, '<id>')}`;
