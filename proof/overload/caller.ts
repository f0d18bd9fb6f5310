// Clients that each have one connection and one request under way, as bytes on a socket: a thousand of them cost less
// than what they call.
import { connect, type Socket } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  body?: unknown;
  /** What the request is remembered by. */
  mark?: string;
}

export interface Answered {
  asked: Asked;
  status: number;
  retryAfter: boolean;
  milliseconds: number;
}

export const bytesOf = ({ method, path, body }: Asked, token: string): Buffer => {
  const text = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const head = `${method} ${path} HTTP/1.1\r\nhost: rowhouse\r\nauthorization: Bearer ${token}\r\n`;
  const more = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${text.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}${more}\r\n`), text]);
};

export const dial = (origin: string): Promise<Socket> =>
  new Promise((open, fail) => {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.once('error', fail).once('connect', () => {
      socket.off('error', fail).on('error', () => undefined);
      open(socket);
    });
  });

const headEnd = Buffer.from('\r\n\r\n');

/** Sends one request and waits for all of its answer. Fails when the connection ends before. */
const exchange = (socket: Socket, bytes: Buffer): Promise<{ status: number; retryAfter: boolean }> =>
  new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0);
    let missing = -1;
    let seen: { status: number; retryAfter: boolean } | undefined;
    const leave = (): void => void socket.off('data', hear).off('close', lose);
    const lose = (): void => {
      leave();
      reject(new Error('the connection was closed'));
    };
    const hear = (chunk: Buffer): void => {
      if (seen === undefined) {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const end = held.indexOf(headEnd);
        if (end < 0) return;
        const head = held.toString('latin1', 0, end);
        seen = { status: Number(head.slice(9, 12)), retryAfter: /\r\nretry-after:/i.test(head) };
        missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (held.length - end - headEnd.length);
      } else missing -= chunk.length;
      if (missing > 0) return;
      leave();
      resolve(seen);
    };
    socket.on('data', hear).on('close', lose);
    if (socket.destroyed) lose();
    else socket.write(bytes);
  });

interface Crowd {
  origin: string;
  token: string;
  clients: number;
  seconds: number;
  next: () => Asked;
  heard: (answered: Answered) => void;
  lost: (asked: Asked) => void;
}

/** All at once, each again as soon as it has its answer. The time begins when the last one is connected: a slow machine has the same crowd. */
export const callTogether = async ({ origin, token, clients, seconds, next, heard, lost }: Crowd): Promise<void> => {
  const sockets = await Promise.all(Array.from({ length: clients }, () => dial(origin)));
  const end = performance.now() + seconds * 1_000;
  const beClient = async (first: Socket): Promise<void> => {
    let socket = first;
    while (performance.now() < end) {
      const asked = next();
      const begun = performance.now();
      try {
        const answer = await exchange(socket, bytesOf(asked, token));
        heard({ asked, ...answer, milliseconds: performance.now() - begun });
      } catch {
        lost(asked);
        socket = await dial(origin);
      }
    }
    socket.destroy();
  };
  await Promise.all(sockets.map(beClient));
};
