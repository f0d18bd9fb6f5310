// Who it is before what they say: a body is read up to 64 kB, and further only for a sender whose credential was found
// good before. Large ones of one sender come one at a time. See docs/adr/0021-bodies.md.
import type { Readable } from 'node:stream';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createTurns } from './turns.ts';

/** What is read of somebody who is not known. */
export const smallBody = 65_536;
export const largeBody = 1_000_000;

interface Sender {
  /** Resolves when a large body of theirs may be read. The turn lasts until the answer has gone out. */
  turn(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: a large body is refused. */
    sender: Sender | null;
    /** Refused before its body had arrived: what still comes is thrown away, and the connection ends. */
    isCutShort: boolean;
  }
  interface FastifyContextConfig {
    /** The operation reads the body piece by piece, up to so many bytes. */
    streamLimit?: number;
    /** The largest JSON body, where it is less than that of all. */
    jsonLimit?: number;
  }
}

/** Compressed ones count as arriving in pieces by now. */
export const mayBeLarge = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBody;

/** Answers the user who sends a request, null when nobody is asked who they are; fails when they may not send it. */
type KnowSender = (request: FastifyRequest, reply: FastifyReply) => Promise<string | null>;

export type BodyGate = (
  know: KnowSender,
) => (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (error: Error | null) => void) => void;

/** The gate is the `preParsing` of routes that take large bodies. */
export const addBodyGate = (app: FastifyInstance): BodyGate => {
  app.decorateRequest('sender', null);
  app.decorateRequest('isCutShort', false);
  const turns = createTurns();
  const open = async (know: KnowSender, request: FastifyRequest, reply: FastifyReply): Promise<Error | null> => {
    let userId: string | null;
    try {
      userId = await know(request, reply);
    } catch (error) {
      request.isCutShort = true;
      return error as Error;
    }
    if (userId === null) return null;
    const known = userId;
    request.sender = {
      async turn() {
        const end = await turns.take(known);
        if (reply.raw.closed) end();
        else reply.raw.once('close', end);
      },
    };
    return null;
  };
  return (know) => (request, reply, _payload, done) => {
    if (!mayBeLarge(request)) done(null);
    else void (async () => done(await open(know, request, reply)))();
  };
};

const tooLarge = (known: boolean, limit: number): ApiError =>
  new ApiError(
    'payload_too_large',
    known
      ? `The request body is larger than this server accepts, which is ${limit} bytes`
      : `Without a credential a request body must not be larger than ${limit} bytes`,
  );

const cutOff = (): ApiError => new ApiError('request_timeout', 'The connection ended before the body was there');

/** A body that is read by its operation, piece by piece. */
async function* streamBody(request: FastifyRequest, payload: Readable, limit: number): AsyncGenerator<Buffer> {
  if (Number(request.raw.headers['content-length'] ?? 0) > limit) throw tooLarge(true, limit);
  let size = 0;
  try {
    // Destroyed it would take the connection along, and the answer with it.
    for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limit) throw tooLarge(true, limit);
      yield piece;
    }
    request.isCutShort = false;
  } catch (error) {
    throw error instanceof ApiError ? error : cutOff();
  }
}

/** Takes bodies of one type, and reads nothing of them: whatever is refused is refused before. */
export const addStreamBody = (scope: FastifyInstance, type: string, limit: number): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(type === '*/*' ? '*' : type, (request, payload, done) => {
    request.isCutShort = true;
    done(null, streamBody(request, payload as Readable, limit));
  });
  if (type === '*/*') return;
  scope.addContentTypeParser('*', (request, _payload, done) => {
    request.isCutShort = true;
    done(new ApiError('unsupported_media_type', `Send the body as ${type}`));
  });
};

/** The whole body. `look` sees each piece as it arrives, and throws to refuse it. */
export const readBody = (
  request: FastifyRequest,
  payload: Readable,
  bodyLimit: number,
  look: (piece: Buffer) => void,
): Promise<Buffer> => {
  const { sender } = request;
  const limit = sender === null ? Math.min(smallBody, bodyLimit) : bodyLimit;
  const announced = Number(request.raw.headers['content-length'] ?? 0);
  return new Promise((done, fail) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let isTurn = false;

    const stop = (): void => {
      payload.off('data', take).off('end', finish).off('error', breakOff).off('close', breakOff);
    };
    const refuse = (error: unknown): void => {
      stop();
      request.isCutShort = true;
      // What is thrown away still has to be taken.
      payload.on('error', () => undefined).resume();
      fail(error as Error);
    };
    const awaitTurn = (known: Sender): void => {
      isTurn = true;
      payload.pause();
      void known.turn().then(() => payload.resume());
    };
    const take = (piece: Buffer): void => {
      size += piece.length;
      try {
        if (size > limit) throw tooLarge(sender !== null, limit);
        look(piece);
      } catch (error) {
        refuse(error);
        return;
      }
      pieces.push(piece);
      if (!isTurn && sender !== null && size > largeBody) awaitTurn(sender);
    };
    const finish = (): void => {
      stop();
      done(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size));
    };
    const breakOff = (error?: Error): void => {
      stop();
      fail(error instanceof ApiError ? error : cutOff());
    };

    if (announced > limit) {
      refuse(tooLarge(sender !== null, limit));
      return;
    }
    // It may have been refused, or broken off, while it was found out who sends it.
    if (payload.destroyed) {
      breakOff(payload.errored ?? undefined);
      return;
    }
    payload.on('data', take).once('end', finish).once('error', breakOff).once('close', breakOff);
    if (sender !== null && announced > largeBody) awaitTurn(sender);
  });
};
