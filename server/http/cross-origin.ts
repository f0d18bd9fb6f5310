// Pages of other origins call the API with access tokens (CORS). Cookies are never allowed: `access-control-allow-credentials` is
// not sent, and requests with a session from another origin are refused (bind.ts).
import type { FastifyInstance } from 'fastify';
import type { Origins } from '../config-value.ts';

const exposed = [
  'ETag',
  'Link',
  'Location',
  'Content-Disposition',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'X-Job-Id',
  'X-Operation-Id',
  'X-Request-Id',
  'X-Side-Effects',
  'X-View-As',
].join(', ');

/** Headers that clients of this API send. */
const accepted = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'Tea-Share-Id',
  'X-Request-Id',
  'X-Tea-Base-Share',
  'X-View-As',
  'X-Window-Id',
].join(', ');

/** Seconds for which a browser remembers the answer to a preflight: the most that any of them does. */
const remembered = '86400';

export const addCrossOrigin = (app: FastifyInstance, { origins }: Origins): void => {
  if (origins?.size === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !request.url.startsWith('/api/')) return done();
    // A cache must not give the answer for one origin to another.
    if (origins !== null) reply.header('vary', 'Origin');
    if (origins?.has(origin) === false) return done();
    reply.header('access-control-allow-origin', origins === null ? '*' : origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', exposed);
      return done();
    }
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', accepted)
      .header('access-control-max-age', remembered)
      .send();
  });
};
