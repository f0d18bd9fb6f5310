// How much one process works on at once. What comes on top is refused at once, before it costs more than its head:
// in a queue without an end everyone would wait for answers that nobody waits for any more.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorBody } from './error.ts';

/** Says who sends the request, once that is known; refuses it when they have too many under way. */
export type Claim = (sender: string) => void;

export interface Admission {
  /** Does the work of one request, or refuses it. A request counts from when it has arrived until its answer is made: slow clients take no place. */
  run<T>(work: (claim: Claim) => Promise<T>): Promise<T>;
  /** The same for work that reads its body, or a file from elsewhere, while it comes: it takes as long as somebody likes, so it has places of its own. */
  runSlow<T>(work: (claim: Claim) => Promise<T>): Promise<T>;
  readonly counters: { inFlight: number; slow: number; refused: number; bodyBytes: number };
}

interface AdmissionLimits {
  requests: number;
  /** Of all large bodies that arrive or are worked on. */
  bodyBytes: number;
}

/** Smaller bodies are held back by the number of requests. */
const largeBody = 65_536;

/**
 * Nobody has more than three times as many places as they leave free, 192 of 256: a request waits up to ten seconds for a table that is locked or for
 * another service, and one account could fill all places with such.
 */
const shareOfOne = 3;
/** An upload takes no more of the process than a piece of the file, its socket and a draft. */
const slowPerRequest = 4;
const mostSlowOfOne = 64;

/** Milliseconds; half of what Retry-After asks for. */
const longestTurn = 500;

const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBody;

export const addAdmission = (app: FastifyInstance, limits: AdmissionLimits): Admission => {
  const counters = { inFlight: 0, slow: 0, refused: 0, bodyBytes: 0 };

  const refusal = (message = 'The server is at capacity; try again in a second'): ApiError => {
    counters.refused += 1;
    return new ApiError('service_unavailable', message, undefined, { 'retry-after': '1' });
  };

  const claims = new Map<string, number>();
  /** Refusals of one sender: answered in turn as well, when they have no place any more. */
  const ofSender = new WeakSet<object>();
  const claimFor = (kind: 'inFlight' | 'slow') => {
    let key: string | undefined;
    const claim: Claim = (sender) => {
      const [mine, most] = [
        `${kind} ${sender}`,
        kind === 'slow' ? mostSlowOfOne : shareOfOne * (limits.requests - counters.inFlight),
      ];
      const count = (claims.get(mine) ?? 0) + 1;
      if (count > Math.max(1, most)) {
        const refused = refusal(
          kind === 'slow'
            ? `More than ${mostSlowOfOne} files are being uploaded by you at once; try again when one of them has ended`
            : 'You have as many requests under way as one may; try again in a second',
        );
        ofSender.add(refused);
        throw refused;
      }
      key = mine;
      claims.set(key, count);
    };
    const end = (): void => {
      if (key === undefined) return;
      const left = (claims.get(key) as number) - 1;
      if (left === 0) claims.delete(key);
      else claims.set(key, left);
    };
    return { claim, end };
  };

  const occupy = async <T>(kind: 'inFlight' | 'slow', work: (claim: Claim) => Promise<T>): Promise<T> => {
    counters[kind] += 1;
    const { claim, end } = claimFor(kind);
    try {
      return await work(claim);
    } finally {
      counters[kind] -= 1;
      end();
    }
  };

  const runAs = async <T>(kind: 'inFlight' | 'slow', most: number, work: (claim: Claim) => Promise<T>): Promise<T> => {
    if (counters[kind] >= most) throw refusal();
    try {
      return await occupy(kind, work);
    } catch (error) {
      if (ofSender.has(error as object)) await turn();
      throw error;
    }
  };

  const refuse = (response: ServerResponse): void => {
    const error = refusal();
    const requestId = randomUUID();
    const body = JSON.stringify(errorBody(error, requestId));
    response.writeHead(error.status, {
      ...error.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-request-id': requestId,
    });
    response.end(body);
  };

  // Anyone who is refused at once asks again at once, and a thousand who do that leave no room for the work: 6,000 refusals
  // per second took nine tenths of it. So each waits half a millisecond for every one that waits already, which makes
  // two thousand refusals per second, and never longer than half a second.
  let waiting = 0;
  const turn = async (): Promise<void> => {
    waiting += 1;
    await sleep(Math.min(waiting / 2, longestTurn));
    waiting -= 1;
  };

  // Before Fastify sees it: a loop that is full of refusals goes round once for every answer of the database, so each has
  // to be cheap.
  const listeners = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  app.server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (counters.inFlight >= limits.requests && request.url?.startsWith('/api/') === true)
      void turn().then(() => refuse(response));
    else for (const listener of listeners) listener.call(app.server, request, response);
  });

  app.addHook('preParsing', (request, reply, payload, done) => {
    // Of a body that its operation reads piece by piece nothing stays.
    if (!mayBeLarge(request) || request.routeOptions.config.streamLimit !== undefined) {
      done(null, payload);
      return;
    }
    let held = 0;
    let isAnswered = false;
    reply.raw.once('close', () => {
      isAnswered = true;
      counters.bodyBytes -= held;
    });
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, passOn) {
        // What still arrives of a body that was refused is thrown away, and would never be given back.
        if (isAnswered) {
          passOn();
          return;
        }
        held += chunk.length;
        counters.bodyBytes += chunk.length;
        // One alone is never refused, whatever its size: that is the business of the limit of a body.
        if (counters.bodyBytes > limits.bodyBytes && counters.bodyBytes > held) passOn(refusal());
        else passOn(null, chunk);
      },
    });
    // Anyone who reads it has listeners of their own; of a body that nobody reads the fault is nobody's, and must not end the process.
    counted.on('error', () => undefined);
    // No pipeline: it would cut the connection together with a body that is refused, and the refusal with it.
    payload.once('error', (error) => counted.destroy(error));
    payload.pipe(counted);
    // A body that nobody has read by then is still on its way, and the next request of the connection behind it.
    reply.raw.once('finish', () => counted.resume());
    done(null, counted);
  });

  return {
    counters,
    run: (work) => runAs('inFlight', limits.requests, work),
    runSlow: (work) => runAs('slow', slowPerRequest * limits.requests, work),
  };
};
