// A lean client on connections that are kept alive. It checks no answer against the contract, and costs a tenth of
// `fetch`, so that on a small machine the time goes to what is tried.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { BodyOf, Declaration, ParamsOf, QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { ErrorBody } from '@rowhouse/contract/error.ts';

export interface Reply<T> {
  status: number;
  headers: IncomingHttpHeaders;
  body: T;
  /** The answer read as an error. */
  error: ErrorBody;
}

type Arguments<D> = ([ParamsOf<D>] extends [never] ? object : { params: ParamsOf<D> }) & {
  query?: [QueryOf<D>] extends [never] ? Record<string, unknown> : QueryOf<D>;
  body?: [BodyOf<D>] extends [never] ? unknown : BodyOf<D>;
  headers?: Record<string, string>;
};

export type Call = <const D extends Declaration>(endpoint: D, input: Arguments<D>) => Promise<Reply<ResponseOf<D>>>;

export interface Line {
  /** Fails when there is no answer: then nobody knows whether it was done. */
  call: Call;
  hangUp(): void;
}

const addressOf = (endpoint: Declaration, params: Record<string, string>, query: Record<string, unknown>): string => {
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const item of value) search.append(`${key}[]`, String(item));
    else if (value !== undefined) search.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const text = search.toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
};

/** Without a token: as nobody, or by a cookie among the headers. */
export const openLine = (origin: string, token?: string): Line => {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const { hostname, port } = new URL(origin);
  const call: Call = (endpoint, input) =>
    new Promise((resolve, reject) => {
      const {
        params = {},
        query = {},
        body,
        headers,
      } = input as {
        params?: Record<string, string>;
        query?: Record<string, unknown>;
        body?: unknown;
        headers?: Record<string, string>;
      };
      const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const sent = request(
        {
          agent,
          hostname,
          port,
          method: endpoint.method,
          path: addressOf(endpoint, params, query),
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const parsed =
              answer !== '' && (response.headers['content-type'] ?? '').includes('json') ? JSON.parse(answer) : answer;
            resolve({ status: response.statusCode as number, headers: response.headers, body: parsed, error: parsed });
          });
        },
      );
      sent.once('error', reject);
      sent.end(text);
    });
  return { call, hangUp: () => agent.destroy() };
};

/** Asks again as long as it is told to come back later, by an answer for which `isLater` holds: nothing was done then. `wait` hears each time. */
export const patientLine = (
  { call, hangUp }: Line,
  isLater: (reply: Reply<unknown>) => boolean,
  wait: (what: string) => Promise<void>,
): Line => ({
  call: async (endpoint, input) => {
    for (;;) {
      const reply = await call(endpoint, input);
      if (!isLater(reply)) return reply;
      await wait(`${endpoint.name} is answered`);
    }
  },
  hangUp,
});
