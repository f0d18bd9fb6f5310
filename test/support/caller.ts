// A client for tests that checks every answer against the contract.
import { Compile } from 'typebox/compile';
import { type ClientOptions, createClient } from '@rowhouse/contract/client.ts';
import type { BodyOf, Declaration, ParamsOf, QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { ErrorBody } from '@rowhouse/contract/error.ts';

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

/** Calls an endpoint and fails the test when a successful answer is not what the contract declares. */
export const caller = (options: ClientOptions) => {
  return async <const D extends Declaration>(endpoint: D, input: Arguments<D> = {} as Arguments<D>): Promise<Outcome<ResponseOf<D>>> => {
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
    const response = answered as Response;
    const text = await response.text();
    const body = text === '' ? undefined : response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
    if (response.ok) {
      if (response.status !== endpoint.status) throw new Error(`${endpoint.name} answered ${response.status}, the contract says ${endpoint.status}`);
      if (endpoint.response !== undefined && endpoint.produces === undefined) {
        const schema = endpoint.response as object;
        if (!compiled.has(schema)) compiled.set(schema, Compile(schema));
        const check = compiled.get(schema) as ReturnType<typeof Compile>;
        if (!check.Check(body)) throw new Error(`${endpoint.name} answered what its contract does not allow: ${JSON.stringify(check.Errors(body).slice(0, 3))}\n${text.slice(0, 1_000)}`);
      }
    }
    return { status: response.status, headers: response.headers, body, error: body };
  };
};

export type Caller = ReturnType<typeof caller>;
