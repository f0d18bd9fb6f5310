// A server of the test that webhooks and automations send to: what arrived, and what it answers.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createPort, type Socket } from 'node:net';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

interface Receiver {
  url: string;
  received: Received[];
  /** The status of the answers from now on. */
  answer(status: number): void;
  stop(): Promise<void>;
}

export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(status).end(status < 300 ? 'thank you' : 'out of paper');
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => void (status = next),
    stop: () => new Promise((done) => void server.close(() => done())),
  };
};

interface DeadEnd {
  url: string;
  /** How many were ever open, and how many at once. */
  connections(): number;
  mostAtOnce(): number;
  stop(): Promise<void>;
}

/** Takes connections and never answers. */
export const startDeadEnd = async (): Promise<DeadEnd> => {
  const open = new Set<Socket>();
  let [connections, most] = [0, 0];
  const server = createPort((socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
    connections += 1;
    most = Math.max(most, open.size);
    socket.resume();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    mostAtOnce: () => most,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of open) socket.destroy();
      }),
  };
};

/** Whether one of its signatures is of this secret. */
export const isSignedWith = ({ headers, body }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(wanted);
};
