// Prometheus figures of this process.
import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Services } from '../context.ts';
import { hashSecret } from '../endpoint/credential.ts';
import { isLoopback } from './address.ts';
import type { Admission } from './admission.ts';
import { addJobMetrics } from './job-metrics.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Those of `/metrics`, for another way to send them. */
    figures: () => ReturnType<Registry['getMetricsAsJSON']>;
  }
}

/** From this machine. A proxy on it passes on what others send: then the address is theirs, or at least it is said that there is one. */
const isDirect = ({ ip, headers, socket }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopback(ip) &&
  headers['x-forwarded-for'] === undefined &&
  headers['forwarded'] === undefined;

const hasToken = ({ headers: { authorization } }: FastifyRequest, token: string | null): boolean =>
  token !== null &&
  authorization !== undefined &&
  timingSafeEqual(hashSecret(authorization), hashSecret(`Bearer ${token}`));

export const addMetrics = (app: FastifyInstance, services: Services, admission: Admission): void => {
  const { config, db, backgroundErrors } = services;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'rowhouse_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'rowhouse_db_statements_total',
    help: 'SQL statements sent by this process',
    registers: [registry],
    collect() {
      this.set(db.counters.statements);
    },
  });
  new Gauge({
    name: 'rowhouse_db_transactions_total',
    help: 'SQL transactions of several statements begun by this process',
    registers: [registry],
    collect() {
      this.set(db.counters.transactions);
    },
  });
  new Gauge({
    name: 'rowhouse_live_streams',
    help: 'Streams of events that are open',
    registers: [registry],
    collect() {
      this.set(services.live.streams());
    },
  });
  new Counter({
    name: 'rowhouse_background_failures_total',
    help: 'Failures of work that runs beside the requests, which is tried again by itself',
    labelNames: ['work'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [work, count] of backgroundErrors.counts()) this.inc({ work }, count);
    },
  });
  new Counter({
    name: 'rowhouse_slow_statements_total',
    help: 'Statements that took longer than ROWHOUSE_SLOW_STATEMENT, by the operation they belong to',
    labelNames: ['operation'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [operation, count] of services.recent.slowCounts()) this.inc({ operation }, count);
    },
  });
  addJobMetrics(registry, services);
  new Gauge({
    name: 'rowhouse_http_requests_in_flight',
    help: 'Requests that are worked on; see ROWHOUSE_REQUESTS_AT_ONCE',
    registers: [registry],
    collect() {
      this.set(admission.counters.inFlight);
    },
  });
  new Gauge({
    name: 'rowhouse_http_uploads_in_flight',
    help: 'Files that are being received, or fetched from elsewhere for a cell',
    registers: [registry],
    collect() {
      this.set(admission.counters.slow);
    },
  });
  new Gauge({
    name: 'rowhouse_http_body_bytes',
    help: 'Bytes of large request bodies that arrive or are worked on',
    registers: [registry],
    collect() {
      this.set(admission.counters.bodyBytes);
    },
  });
  new Gauge({
    name: 'rowhouse_http_refused_total',
    help: 'Requests refused because there was too much to do',
    registers: [registry],
    collect() {
      this.set(admission.counters.refused);
    },
  });
  const failures = new Counter({
    name: 'rowhouse_http_failures_total',
    help: 'Answers with status 500 and above',
    registers: [registry],
  });
  // Found by a text instead of by three labels each time. There are as many as routes and what they answer.
  const known = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const { statusCode: status } = reply;
    const key = `${method} ${status} ${route}`;
    const own = known.get(key) ?? requests.labels({ method, route, status });
    known.set(key, own);
    own.observe(reply.elapsedTime / 1_000);
    if (status >= 500) failures.inc();
    done();
  });
  app.decorate('figures', () => registry.getMetricsAsJSON());
  const demandNear = (request: FastifyRequest): void => {
    if (!isDirect(request) && !hasToken(request, config.metricsToken))
      throw new ApiError(
        'unauthorized',
        'The figures are shown on this machine, or with the token of ROWHOUSE_METRICS_TOKEN',
      );
  };
  app.get('/metrics', async (request, reply) => {
    demandNear(request);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  app.get('/metrics/recent', async (request) => {
    demandNear(request);
    const { recent } = services;
    return { slowStatements: recent.slowStatements(), errors: recent.errors() };
  });
};
