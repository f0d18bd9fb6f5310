// Large answers that their clients have not taken yet stand in memory. When there are too many, whoever has taken
// nothing for a second is cut off; whoever reads, however slowly, has as long as ever.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

export interface UnreadLimits {
  /** Of all large answers together. */
  bytes: number;
  /** Milliseconds that a client may take nothing of an answer, when there is room. */
  patience: number;
}

const large = 65_536;
const impatience = 1_000;

export const addUnreadLimit = (app: FastifyInstance, limits: UnreadLimits): void => {
  const waiting = new Set<ServerResponse>();
  let bytes = 0;

  app.addHook('onSend', (_request, reply, payload, done) => {
    const length = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const { raw } = reply;
    if (length > large) {
      waiting.add(raw);
      bytes += length;
      raw.once('close', () => {
        waiting.delete(raw);
        bytes -= length;
      });
    }
    const isFull = bytes > limits.bytes;
    // Node counts the progress of a write as a sign of life. Between requests the time for keeping alive holds.
    raw.setTimeout(isFull ? impatience : limits.patience);
    if (isFull && length > large) for (const other of waiting) other.setTimeout(impatience);
    done(null, payload);
  });
};
