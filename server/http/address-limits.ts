// What one address may have without a credential: so many sockets at once, so many requests per second. The endpoints of the
// contract count their callers themselves (bind.ts); here it is everything else: pages, documents, figures, addresses that
// lead nowhere.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { clientOf } from './address.ts';

interface AddressLimits {
  sockets: number;
  /** Per second. */
  requests: number;
  /** All sockets are the proxy's, and it is for the proxy to limit those of its clients. */
  isBehindProxy: boolean;
}

/** On routes that count their callers themselves. */
export const countsItself = { countsItself: true };

/** Cheap, and a balancer that is told no takes the server away from everybody. */
const isHealth = (url: string | undefined): boolean => url === '/health' || url === '/health/ready';

const limitSockets = (app: FastifyInstance, most: number): void => {
  const open = new Map<string, number>();
  app.server.on('connection', (socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const count = (open.get(client) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) as number) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
};

export const addAddressLimits = (app: FastifyInstance, { sockets, requests, isBehindProxy }: AddressLimits): void => {
  if (!isBehindProxy) limitSockets(app, sockets);
  const limiter = new RateLimiterMemory({ points: requests, duration: 1 });
  const faultOf = async (client: string): Promise<ApiError | undefined> => {
    try {
      await limiter.consume(client);
      return undefined;
    } catch {
      return tooMany();
    }
  };
  const tooMany = (): ApiError =>
    new ApiError(
      'too_many_requests',
      `More than ${requests} requests in one second from this address`,
      { limit: requests },
      { 'retry-after': '1' },
    );
  app.addHook('onRequest', (request, _reply, done) => {
    const { config, url } = request.routeOptions;
    if ((config as Partial<typeof countsItself>).countsItself === true || isHealth(url)) done();
    else void (async () => done(await faultOf(clientOf(request.ip))))();
  });
};
