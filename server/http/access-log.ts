// One JSON line for each request that is answered. Routes and names of operations instead of addresses, in which secrets can stand: codes of
// invitations, tokens of files, queries.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../context.ts';
import type { Recent } from '../recent.ts';

declare module 'fastify' {
  interface FastifyInstance {
    recent: Recent;
  }
  interface FastifyContextConfig {
    /** The name of its endpoint. */
    operation?: string;
  }
}

/** What is no endpoint of the contract is told by its route. */
export const operationOf = ({ routeOptions }: FastifyRequest): string =>
  routeOptions.config?.operation ?? routeOptions.url ?? 'unknown';

/** Of ids that are no secret: shares and invitations are left out. */
const placesOf = (params: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((params ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string] =>
        ['spaceId', 'baseId', 'tableId'].includes(entry[0]) && /^(spc|bse|tbl)[0-9A-Za-z]{16}$/.test(String(entry[1])),
    ),
  );

export const addAccessLog = (app: FastifyInstance, { config, logStream, recent }: Services): void => {
  app.decorate('recent', recent);
  if (!config.accessLog) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, ip, id } = request;
    const line = {
      time: new Date().toISOString(),
      kind: 'access',
      requestId: id,
      method,
      route: routeOptions.url ?? null,
      operation: operationOf(request),
      ...placesOf(request.params),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      bytes: Number(reply.getHeader('content-length') ?? 0) || null,
      ip,
    };
    logStream.write(`${JSON.stringify(line)}\n`);
    done();
  });
};
