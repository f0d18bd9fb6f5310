// Large answers that their clients have not taken yet stand in memory. They go out in pieces, so that nothing but the
// answer itself does. When there are too many, anyone who has taken nothing for three seconds is cut off; anyone who reads,
// however slowly, has as long as ever.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pieceLength, pieces } from './pieces.ts';

interface UnreadLimits {
  /** Of all large answers together. */
  bytes: number;
  /** Milliseconds that a client may take nothing of an answer, when there is room. */
  patience: number;
}

interface Waiting {
  raw: ServerResponse;
  bytes: number;
  /** How often it was looked at since the client last took something. */
  looks: number;
}

const large = 65_536;
/** To count its bytes takes as long as it took to read it from the database: others have their turn in between. */
const veryLarge = 2_000_000;
const lookEvery = 250;
/**
 * Three seconds: the system takes up to some megabytes for anyone who reads slowly, and asks for more when a third of it is gone. Looks are counted rather than the time: when the server
 * itself stands still, nobody can be seen to read.
 */
const looksOfPatience = 12;

/** An answer that is made while it is sent holds about as much as the request it is made from. */
const sizeOf = (payload: unknown, { headers }: FastifyRequest): number => {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof Readable ? Number(headers['content-length'] ?? large + 1) : 0;
};

export const addUnreadLimit = (app: FastifyInstance, limits: UnreadLimits): void => {
  const waiting = new Set<Waiting>();
  let bytes = 0;

  const dropStalledReaders = (): void => {
    let excess = bytes - limits.bytes;
    for (const held of waiting) {
      held.looks += 1;
      if (excess <= 0 || held.looks <= looksOfPatience) continue;
      held.raw.destroy();
      excess -= held.bytes;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    timer ??= setInterval(dropStalledReaders, lookEvery).unref();
  };
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  app.addHook('onClose', async () => rest());

  const hold = (raw: ServerResponse, length: number): Waiting => {
    const held: Waiting = { raw, bytes: length, looks: 0 };
    waiting.add(held);
    bytes += length;
    watch();
    raw.once('close', () => {
      waiting.delete(held);
      bytes -= length;
      if (waiting.size === 0) rest();
    });
    return held;
  };

  app.addHook('onSend', (request, reply, payload, done) => {
    // Asked for inside of this process: there is no client that could be slow.
    if (!(request.raw.socket instanceof Socket)) {
      done(null, payload);
      return;
    }
    // Node counts the progress of a write as a sign of life. Between requests the time for keeping alive holds.
    reply.raw.setTimeout(limits.patience);
    const length = sizeOf(payload, request);
    if (length <= large) {
      done(null, payload);
      return;
    }
    const held = hold(reply.raw, length);
    const noteMove = (): void => {
      held.looks = 0;
    };
    if (typeof payload !== 'string' || length <= pieceLength) {
      reply.raw.on('drain', noteMove);
      done(null, payload);
      return;
    }
    const send = (): void => {
      reply.header('content-length', Buffer.byteLength(payload));
      done(null, Readable.from(pieces(payload, noteMove), { objectMode: false, highWaterMark: 1 }));
    };
    if (length <= veryLarge) send();
    else setImmediate(send);
  });
};
