// A route joins an endpoint of the contract to the function that carries it out.
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf, Declaration, ParamsOf, QueryOf, ResponseOf, StreamSchema } from '@rowhouse/contract/endpoint.ts';
import type { Context, PublicContext, Unconfirmed } from '../context.ts';
import type { Outlet, Recheck } from '../live.ts';

/** A streamed body is read by the operation, as fast as it can: the sender waits. It throws when there is too much, or when the sender leaves. */
type InputBody<D> = D extends { body: StreamSchema }
  ? AsyncIterable<Buffer> | (D extends { bodyOptional: true } ? undefined : never)
  : BodyOf<D>;

export interface Input<D> {
  params: ParamsOf<D>;
  query: QueryOf<D>;
  body: InputBody<D>;
  headers: IncomingHttpHeaders;
  ip: string;
  /** For answers that last longer than the decision to give them. Not on public endpoints. */
  recheck: Recheck;
}

/** In parts when it is large, so that it never is in memory twice as a whole. */
export type AnswerText = string | Buffer | Iterable<Buffer>;

export const wholeText = (text: AnswerText): string =>
  typeof text === 'string' ? text : (Buffer.isBuffer(text) ? text : Buffer.concat([...text])).toString();

/** For answers that are more than a body: other headers, another status, JSON text that PostgreSQL made. */
export class Answer {
  status: number | undefined;
  headers: Record<string, string | string[]>;
  body: unknown;
  /** Sent as it is, as JSON unless a content type is among the headers. */
  text: AnswerText | undefined;
  /** False: no cell that it shows can be a file, so nobody has to look for one. */
  mayShowFiles: boolean;
  /** The body lasts: called once, with where it goes. */
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
 * An answer that is made while it is sent: each part is asked for when the client has taken those before. An error in the
 * first part is answered like any other; later the connection is cut, so that nobody takes a half for the whole. When the client
 * leaves, `parts` is told to return: what it holds is given back in its `finally`.
 */
export class StreamAnswer {
  readonly headers: Record<string, string>;
  readonly parts: AsyncGenerator<Buffer>;
  /** Undefined: as the endpoint declares it. */
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

export type Handler<D extends Declaration> = (context: ContextOf<D>, input: Input<D>) => Promise<ResultOf<D>>;

export interface Route {
  endpoint: Declaration;
  handler: (context: Context & PublicContext & Unconfirmed, input: Input<Declaration>) => Promise<unknown>;
  /** A remembered access decision may be used, which saves a round trip: the handler cannot do anything without confirming it. */
  isGuarded: boolean;
}

export const route = <const D extends Declaration>(endpoint: D, handler: Handler<D>): Route => ({
  endpoint,
  handler: handler as unknown as Route['handler'],
  isGuarded: false,
});

export type GuardedHandler<D extends Declaration> = (request: Unconfirmed, input: Input<D>) => Promise<ResultOf<D>>;

/** For operations that go through `pipeline/`, where what was remembered is confirmed. */
export const guardedRoute = <const D extends Declaration>(endpoint: D, handler: GuardedHandler<D>): Route => ({
  endpoint,
  handler: handler as unknown as Route['handler'],
  isGuarded: true,
});
