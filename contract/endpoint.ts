// An endpoint is data: one declaration gives routing, validation, authorisation, OpenAPI, the typed
// client, and the tests that walk every endpoint.
import { type Static, type TSchema, Type } from 'typebox';
import type { Action } from './permission.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call it.
 * - `public`: anyone.
 * - `user`: any signed-in user; a token needs `scope` where one is named; `own` keeps out the tokens of
 *   applications, for what manages credentials; `everywhere` those that reach only some spaces or bases, for what is
 *   in none of them.
 * - `space` | `base` | `table`: `action` on the resource whose id is in the path (`:spaceId` …), with
 *   `trashed` also when it is in the trash, with `ownersOnly` not even for other roles that have the action, with `anyFactor`
 *   also for members who lack the second factor that the space demands.
 * - `admin`: administrators of the instance, with `session` signed in themselves: no token may.
 */
export type Requirement =
  | { on: 'public' }
  | { on: 'user'; scope?: Action; own?: true; everywhere?: true }
  | { on: 'admin'; session?: true }
  | { on: 'space' | 'base' | 'table'; action: Action; trashed?: true; ownersOnly?: true; anyFactor?: true };

export interface Declaration {
  /** camelCase, unique: the operationId, and the name in the access table of the tests. */
  name: string;
  method: Method;
  /** Below `/api`, with `:name` for parameters. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  access: Requirement;
  params?: TSchema;
  query?: TSchema;
  headers?: TSchema;
  /** JSON of this form, or a `stream`. */
  body?: TSchema;
  /** The largest JSON body in bytes; the limit of all bodies when absent. For a body whose parts are many and small: checking it takes longer than reading it. */
  maxBodyBytes?: number;
  /** True when the body may be left out altogether. */
  bodyOptional?: boolean;
  /** The body may also be a form, which no other endpoint takes: a form is what another site can send without asking. */
  form?: true;
  /** The handler gets the body as the text it was, whatever its type: what is signed is the text. */
  rawBody?: true;
  /** Not a step that undo in a window goes through: it undoes itself, or cannot be undone by its operation. */
  isStep?: false;
  status: number;
  /** JSON of this form, or a `stream`. Absent: the answer has no body. */
  response?: TSchema;
  /** Where there is nothing to show, the body is empty, as in Teable. */
  mayBeEmpty?: true;
  /** Content type of the answer when it is not JSON. */
  produces?: string;
}

/** A body or an answer that is sent piece by piece and never is in memory as a whole, such as a file. */
export interface StreamSchema extends TSchema {
  type: 'string';
  format: 'binary';
  contentMediaType: string;
  /** The largest body that is taken; the limit of all bodies when absent. */
  maxBytes?: number;
}

export const stream = (contentMediaType: string, limits: { maxBytes?: number } = {}): StreamSchema =>
  Type.Unsafe<never>({ type: 'string', format: 'binary', contentMediaType, ...limits }) as unknown as StreamSchema;

export const isStream = (schema: TSchema | undefined): schema is StreamSchema =>
  schema !== undefined && 'contentMediaType' in schema;

type Endpoint<D extends Declaration = Declaration> = Readonly<D>;

export const endpoint = <const D extends Declaration>(declaration: D): Endpoint<D> => declaration;

/** As a client has it; the server has iterables of buffers. */
export type ByteStream = ReadableStream<Uint8Array>;

type Part<D, K extends string> = K extends keyof D
  ? D[K] extends StreamSchema
    ? ByteStream
    : D[K] extends TSchema
      ? Static<D[K]>
      : never
  : never;

export type ParamsOf<D> = Part<D, 'params'>;
export type QueryOf<D> = Part<D, 'query'>;
export type BodyOf<D> = Part<D, 'body'>;
export type ResponseOf<D> = [Part<D, 'response'>] extends [never]
  ? void
  : Part<D, 'response'> | (D extends { mayBeEmpty: true } ? undefined : never);

/** The names behind the colons of a path, in order. */
export const pathParams = (path: string): string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] as string);
