// A client for tests that checks every answer against the contract.
import { Compile } from 'typebox/compile';
import { addressOf, type ClientOptions, createClient } from '@rowhouse/contract/client.ts';
import {
  type BodyOf,
  type Declaration,
  isStream,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '@rowhouse/contract/endpoint.ts';
import type { ErrorBody } from '@rowhouse/contract/error.ts';
import { recordAnswer } from './answer-record.ts';
import { leanFetch } from './lean-fetch.ts';

type Arguments<D> = ([ParamsOf<D>] extends [never] ? object : { params: ParamsOf<D> }) & {
  query?: [QueryOf<D>] extends [never] ? Record<string, unknown> : QueryOf<D> | Record<string, unknown>;
  body?: [BodyOf<D>] extends [never] ? unknown : BodyOf<D>;
  headers?: Record<string, string>;
};

export interface Outcome<T> {
  status: number;
  headers: Headers;
  body: T;
  /** The answer read as an error. */
  error: ErrorBody & { data: any };
}

const compiled = new WeakMap<object, ReturnType<typeof Compile>>();

/** Of streams, and what leads on to another address, `fetch` knows more. */
const answerOf = async (
  options: ClientOptions,
  endpoint: Declaration,
  input: object,
): Promise<{ status: number; headers: Headers; text: string }> => {
  const { body, headers } = input as { body?: unknown; headers?: Record<string, string> };
  if (!isStream(endpoint.body) && !isStream(endpoint.response) && endpoint.status < 300) {
    const given = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
      ...headers,
    };
    return leanFetch(options.baseUrl + addressOf(endpoint, input as never), {
      method: endpoint.method,
      headers: given,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }
  let answered: Response | undefined;
  const client = createClient({
    ...options,
    fetch: async (url, init) => {
      answered = await fetch(url, init);
      return answered.clone();
    },
  });
  await client(endpoint, input as never).catch((error: unknown) => {
    if (answered === undefined) throw error;
  });
  const { status, headers: shown } = answered as Response;
  return { status, headers: shown, text: await (answered as Response).text() };
};

/** Calls an endpoint and fails the test when a successful answer is not what the contract declares. */
export const caller = (options: ClientOptions) => {
  return async <const D extends Declaration>(
    endpoint: D,
    input: Arguments<D> = {} as Arguments<D>,
  ): Promise<Outcome<ResponseOf<D>>> => {
    const { status, headers, text } = await answerOf(options, endpoint, input);
    const body = text === '' ? undefined : headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
    if (status >= 200 && status < 300) {
      if (status !== endpoint.status)
        throw new Error(`${endpoint.name} answered ${status}, the contract says ${endpoint.status}`);
      if (
        endpoint.response !== undefined &&
        endpoint.produces === undefined &&
        !(endpoint.mayBeEmpty === true && text === '')
      ) {
        const schema = endpoint.response as object;
        if (!compiled.has(schema)) compiled.set(schema, Compile(schema));
        const check = compiled.get(schema) as ReturnType<typeof Compile>;
        if (check.Check(body)) recordAnswer(endpoint, text, body);
        else
          throw new Error(
            `${endpoint.name} answered what its contract does not allow: ${JSON.stringify(check.Errors(body).slice(0, 3))}\n${text.slice(0, 1_000)}`,
          );
      }
    }
    return { status, headers, body, error: body };
  };
};

export type Caller = ReturnType<typeof caller>;
