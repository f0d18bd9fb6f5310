// A receiver of webhooks that fails, hangs up, redirects, asks for patience and goes away at random. It says which events it has accepted.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';

interface Arrival {
  id: string;
  recordId: string;
  before: number | null;
  after: number;
}

export interface Receiver {
  url: string;
  /** In the order of their first arrival. */
  accepted: Arrival[];
  requests: () => number;
  doubles: () => number;
  faults: string[];
  trust: (secret: string) => void;
  /** From now on it takes everything. */
  settle: () => void;
  close: () => void;
}

interface Event {
  type: string;
  data: { recordId: string; fields: Record<string, number>; before?: Record<string, number | null> };
}

const isSigned = ({ headers }: IncomingMessage, body: string, secret: string): boolean => {
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const wanted = Buffer.from(
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(text)
      .digest('base64'),
  );
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3)))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
};

export const openReceiver = async (random: Random, field: () => string): Promise<Receiver> => {
  const accepted: Arrival[] = [];
  const bodies = new Map<string, string>();
  const faults: string[] = [];
  const sockets = new Set<Socket>();
  let requests = 0;
  let doubles = 0;
  let isCalm = false;
  let isAway = false;
  let secret = '';

  const accept = (request: IncomingMessage, body: string): void => {
    const id = String(request.headers['webhook-id']);
    const known = bodies.get(id);
    if (known !== undefined) {
      doubles += 1;
      if (known !== body) faults.push(`the delivery ${id} came with another body`);
      return;
    }
    bodies.set(id, body);
    const { data } = JSON.parse(body) as Event;
    accepted.push({
      id,
      recordId: data.recordId,
      before: data.before?.[field()] ?? null,
      after: data.fields[field()] ?? 0,
    });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<void> => {
    requests += 1;
    if (!isSigned(request, body, secret))
      faults.push(`a request is not signed: ${String(request.headers['webhook-id'])}`);
    const draw = isCalm ? 100 : random.below(100);
    if (isAway || draw < 8) request.socket.destroy();
    else if (draw < 18) response.writeHead(500).end('{"no":');
    else if (draw < 22) response.writeHead(302, { location: '/elsewhere' }).end();
    else if (draw < 26) response.writeHead(429, { 'retry-after': '1' }).end();
    else if (draw < 29) {
      await sleep(500);
      request.socket.destroy();
    } else {
      accept(request, body);
      // It has the event, and the sender does not hear of it.
      if (draw < 34) request.socket.destroy();
      else response.writeHead(draw % 2 === 0 ? 200 : 204).end(draw % 2 === 0 ? 'not JSON' : undefined);
    }
  };

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => void answer(request, response, Buffer.concat(parts).toString()).catch(() => undefined));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const dying = setInterval(() => {
    isAway = !isCalm && random.once(4);
    if (isAway) for (const socket of sockets) socket.destroy();
  }, 300);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    accepted,
    requests: () => requests,
    doubles: () => doubles,
    faults,
    trust: (given) => (secret = given),
    settle: () => (isCalm = true),
    close: () => {
      clearInterval(dying);
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
