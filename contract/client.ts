// The typed client: `call(createRecords, { params, body })`. Works wherever `fetch` does.
import { type BodyOf, type Declaration, isStream, type ParamsOf, type QueryOf, type ResponseOf } from './endpoint.ts';
import { ApiError, codeOfStatus, type ErrorBody, errorTable } from './error.ts';

export interface ClientOptions {
  /** Up to and including `/api`. */
  baseUrl: string;
  token?: string;
  fetch?: typeof fetch;
  headers?: Record<string, string>;
}

export type Address<D> = ([ParamsOf<D>] extends [never] ? { params?: never } : { params: ParamsOf<D> }) &
  ([QueryOf<D>] extends [never] ? { query?: never } : { query?: QueryOf<D> });

type Arguments<D> = ([ParamsOf<D>] extends [never] ? object : { params: ParamsOf<D> }) &
  ([QueryOf<D>] extends [never] ? object : { query?: QueryOf<D> }) &
  ([BodyOf<D>] extends [never] ? object : { body?: BodyOf<D> }) & {
    headers?: Record<string, string>;
    signal?: AbortSignal;
    /** Told the headers of the answer, also of a refusal. */
    onHeaders?: (headers: Headers) => void;
  };

export type Client = <const D extends Declaration>(endpoint: D, input: Arguments<D>) => Promise<ResponseOf<D>>;

const queryText = (query: Record<string, unknown>): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) for (const item of value) search.append(`${key}[]`, String(item));
    else search.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

const pathOf = (path: string, params: Record<string, string>): string =>
  path.replace(/:([A-Za-z]+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));

/** Below `baseUrl`, with its query. */
export const addressOf = <const D extends Declaration>(endpoint: D, { params, query }: Address<D>): string =>
  pathOf(endpoint.path, (params ?? {}) as Record<string, string>) + queryText((query ?? {}) as Record<string, unknown>);

/** A proxy on the way may have answered, in a form and with codes of its own. */
const refusalOf = ({ status, headers }: Response, text: string): ApiError => {
  let fault: Partial<ErrorBody> = {};
  try {
    fault = (JSON.parse(text) ?? {}) as Partial<ErrorBody>;
  } catch {
    // Its status has to do.
  }
  const code = fault.code !== undefined && fault.code in errorTable ? fault.code : codeOfStatus(status);
  const retryAfter = headers.get('retry-after');
  return new ApiError(
    code,
    typeof fault.message === 'string' ? fault.message : `The server answered ${status}`,
    fault.data,
    retryAfter === null ? {} : { 'retry-after': retryAfter },
    // A conflict with a lock passes, and others do not: the server says when to try again.
    retryAfter === null ? errorTable[code].passes : 'yes',
  );
};

export const createClient = (options: ClientOptions): Client => {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (endpoint, input) => {
    const { body, headers, signal, onHeaders } = input as {
      body?: unknown;
      headers?: Record<string, string>;
      signal?: AbortSignal;
      onHeaders?: (headers: Headers) => void;
    };
    const response = await send(options.baseUrl + addressOf(endpoint, input as never), {
      method: endpoint.method,
      headers: {
        ...(body === undefined
          ? {}
          : { 'content-type': isStream(endpoint.body) ? endpoint.body.contentMediaType : 'application/json' }),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...options.headers,
        ...headers,
      },
      // The app has no schemas to tell a stream by; it sends files in one piece, as browsers do.
      ...(body === undefined
        ? {}
        : body instanceof Blob
          ? { body }
          : isStream(endpoint.body)
            ? { body: body as ReadableStream, duplex: 'half' }
            : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    onHeaders?.(response.headers);
    if (response.ok && isStream(endpoint.response)) return response.body as never;
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    if (!response.ok) throw refusalOf(response, isJson ? text : '');
    return (text === '' ? undefined : isJson ? JSON.parse(text) : text) as never;
  };
};
