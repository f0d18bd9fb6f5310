// A route joins an endpoint of the contract to the function that carries it out.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf, Declaration, ParamsOf, QueryOf, ResponseOf, StreamSchema } from '@rowhouse/contract/endpoint.ts';
import type { Context, PublicContext, Unconfirmed } from '../context.ts';
import type { Outlet, Recheck } from '../live.ts';

/** The operation reads a streamed body at its own pace, with backpressure. Reading throws if the body is too large or the sender disconnects. */
type InputBody<D> = D extends { body: StreamSchema }
  ? AsyncIterable<Buffer> | (D extends { bodyOptional: true } ? undefined : never)
  : BodyOf<D>;

export interface Input<D> {
  params: ParamsOf<D>;
  query: QueryOf<D>;
  body: InputBody<D>;
  headers: IncomingHttpHeaders;
  ip: string;
  /** For long-lived answers, which outlast their access decision. Not on public endpoints. */
  recheck: Recheck;
}

/** Large bodies come in parts, so that a body is never in memory twice. */
export type AnswerText = string | Buffer | Iterable<Buffer>;

export const wholeText = (text: AnswerText): string =>
  typeof text === 'string' ? text : (Buffer.isBuffer(text) ? text : Buffer.concat([...text])).toString();

/** For answers with their own headers or status, or with JSON text that PostgreSQL made. */
export class Answer {
  status: number | undefined;
  headers: Record<string, string | string[]>;
  body: unknown;
  /** Sent unchanged. JSON, unless the headers have a content type. */
  text: AnswerText | undefined;
  /** False: the answer cannot contain files, so it is not searched for them. */
  mayShowFiles: boolean;
  /** For long-lived bodies: called once, with the stream to write to. */
  open: ((outlet: Outlet) => void) | undefined;

  constructor(parts: {
    status?: number;
    headers?: Record<string, string | string[]>;
    body?: unknown;
    text?: AnswerText;
    mayShowFiles?: boolean | undefined;
    open?: (outlet: Outlet) => void;
  }) {
    this.status = parts.status;
    this.headers = parts.headers ?? {};
    this.body = parts.body;
    this.text = parts.text;
    this.mayShowFiles = parts.mayShowFiles ?? true;
    this.open = parts.open;
  }
}

/**
 * A streamed answer. Each part is produced when the client has taken the previous ones. An error in the first part is answered
 * as usual; a later one cuts the connection, so that a partial answer is not mistaken for a complete one. When the client
 * disconnects, `parts` is returned: release resources in its `finally`.
 */
export class StreamAnswer {
  readonly headers: Record<string, string>;
  readonly parts: AsyncGenerator<Buffer>;
  /** Undefined: the status that the endpoint declares. */
  readonly status: number | undefined;

  constructor(parts: AsyncGenerator<Buffer>, headers: Record<string, string> = {}, status?: number) {
    this.parts = parts;
    this.headers = headers;
    this.status = status;
  }
}

type ResultOf<D extends Declaration> = D extends { response: StreamSchema }
  ? StreamAnswer | Answer
  : ResponseOf<D> | Answer;

type ContextOf<D extends Declaration> = D['access'] extends { on: 'public' } ? PublicContext : Context;

type Handler<D extends Declaration> = (context: ContextOf<D>, input: Input<D>) => Promise<ResultOf<D>>;

export interface Route {
  endpoint: Declaration;
  handler: (context: Context & PublicContext & Unconfirmed, input: Input<Declaration>) => Promise<unknown>;
  /** A cached access decision may be used, which saves a round trip. The handler cannot do anything without confirming it. */
  isGuarded: boolean;
}

export const route = <const D extends Declaration>(endpoint: D, handler: Handler<D>): Route => ({
  endpoint,
  handler: handler as unknown as Route['handler'],
  isGuarded: false,
});

type GuardedHandler<D extends Declaration> = (request: Unconfirmed, input: Input<D>) => Promise<ResultOf<D>>;

/** For operations that go through `pipeline/`, which confirms cached decisions. */
export const guardedRoute = <const D extends Declaration>(endpoint: D, handler: GuardedHandler<D>): Route => ({
  endpoint,
  handler: handler as unknown as Route['handler'],
  isGuarded: true,
});
