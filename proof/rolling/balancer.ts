// A simple balancer: asks every server whether it is ready, passes requests to those that are in turn, and sends one
// again only when it is certain that nobody has seen it.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Backend {
  origin: URL;
  agent: Agent;
  isReady: boolean;
}

export interface Balancer {
  origin: string;
  /** Requests that no server answered. */
  failed: string[];
  /** Requests that were passed on to another because a server took no connection. */
  passedOn: number;
  readiness(): boolean[];
  close(): Promise<void>;
}

const checkEvery = 100;

const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Of one hop, not of the message. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export const openBalancer = async (origins: readonly string[]): Promise<Balancer> => {
  const backends: Backend[] = origins.map((origin) => ({
    origin: new URL(origin),
    agent: new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
    isReady: false,
  }));
  const balancer = { origin: '', failed: [] as string[], passedOn: 0 };
  let turn = 0;

  const check = async (backend: Backend): Promise<void> => {
    backend.isReady = await fetch(new URL('/health/ready', backend.origin), {
      signal: AbortSignal.timeout(2_000),
    }).then(
      ({ status }) => status === 200,
      () => false,
    );
  };
  const timer = setInterval(() => backends.forEach((backend) => void check(backend)), checkEvery);
  await Promise.all(backends.map(check));

  const choose = (tried: ReadonlySet<Backend>): Backend | undefined => {
    const candidates = backends.filter((backend) => backend.isReady && !tried.has(backend));
    turn += 1;
    return candidates[turn % Math.max(1, candidates.length)];
  };

  const pass = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tried: Set<Backend>): void => {
    const fail = (why: string): void => {
      balancer.failed.push(`${incoming.method} ${incoming.url}: ${why}`);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    };
    const backend = choose(tried);
    if (backend === undefined) {
      fail('no server is ready');
      return;
    }
    tried.add(backend);
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !ownHeaders.has(name)));
    const sent = request({
      agent: backend.agent,
      hostname: backend.origin.hostname,
      port: backend.origin.port,
      method: incoming.method,
      path: incoming.url,
      headers,
    });
    sent.once('response', (response) => {
      outgoing.writeHead(
        response.statusCode as number,
        Object.fromEntries(Object.entries(response.headers).filter(([name]) => !ownHeaders.has(name))),
      );
      response.pipe(outgoing);
      response.once('error', () => outgoing.destroy());
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.destroyed) return;
      // Without a connection nothing was sent. After a reset nobody knows.
      if (error.code !== 'ECONNREFUSED') {
        fail(error.message);
        return;
      }
      backend.isReady = false;
      balancer.passedOn += 1;
      pass(incoming, body, outgoing, tried);
    });
    outgoing.once('close', () => sent.destroy());
    sent.end(body);
  };

  const server = createServer((incoming, outgoing) => {
    readBody(incoming).then(
      (body) => pass(incoming, body, outgoing, new Set()),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  balancer.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(balancer, {
    readiness: () => backends.map(({ isReady }) => isReady),
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      for (const { agent } of backends) agent.destroy();
    },
  });
};
