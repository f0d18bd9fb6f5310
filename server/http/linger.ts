// A connection that ends while its client is still sending takes the answer along: the system resets it, and the client
// hears of nothing but that. So the rest is read and thrown away for a while.
import type { IncomingMessage } from 'node:http';

const longest = 30_000;

/** The connection ends after the answer, but not before the client has ended its side, or has had time enough to read. */
export const linger = ({ socket }: IncomingMessage): void => {
  // What Node calls when an answer with `connection: close` is out.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), longest).unref();
    socket.once('close', () => clearTimeout(timer));
  };
};
