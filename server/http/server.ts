// The Fastify instance: limits, logging, headers, health, and the routes of the contract.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '@rowhouse/contract/error.ts';
import { openapi } from '@rowhouse/contract/openapi.ts';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Services } from '../context.ts';
import type { OptionalPart } from '../optional-part.ts';
import { createProbe } from '../db/probe.ts';
import { serverRoot } from '../db/root.ts';
import { versionOf } from '../db/version.ts';
import { oauthMetadata } from '../domain/oauth/metadata.ts';
import { addAccessLog } from './access-log.ts';
import { addAddressLimits } from './address-limits.ts';
import { addAdmission } from './admission.ts';
import { bindRoutes } from './bind.ts';
import { addBodyGate } from './body.ts';
import { answerClientError } from './client-error.ts';
import { addContentEncoding } from './content-encoding.ts';
import { addCrossOrigin } from './cross-origin.ts';
import type { Example } from './docs-example.ts';
import { docsPolicy } from './docs-look.ts';
import { addDocsSite } from './docs-site.ts';
import { renderDocs } from './docs.ts';
import { errorBody, handleError } from './error.ts';
import { addForms } from './form.ts';
import { addJson } from './json-body.ts';
import { addMetrics } from './metrics.ts';
import { parseQuery, queryFault } from './query.ts';
import type { Route } from '../endpoint/route.ts';
import { addSocket } from './socket.ts';
import { createStreamLimit } from './stream-limit.ts';
import { addUnreadLimit } from './unread.ts';
import { addWebApp } from './web-app.ts';

const requestIdForm = /^[\w.:-]{1,64}$/;

const maxConnections = 10_000;

/** Without what is secret in an address: the query, the number of a request that waits for its user's decision, and the code of a device. */
const shownPath = (url: string): string =>
  (url.split('?')[0] as string).replace(/^(\/api\/oauth\/(?:decision|device)\/).+/, '$1…');

const shareForm = /^shr[0-9A-Za-z]{16}$/;

/** Clients of Teable upload the files of a public form at the endpoints that members use, and name the share in a header. */
const throughShare = (url: string, shareId: string | string[] | undefined): string =>
  typeof shareId === 'string' && shareForm.test(shareId)
    ? url.replace(/^\/api\/attachments\/(?=signature\/?(?:\?|$)|notify\/)/, `/api/share/${shareId}/view/`)
    : url;

/**
 * Seconds that a connection on which nothing is asked is kept, and what clients are told. Told the same, they would now and then send a request
 * on a connection that is just ending, and lose it.
 */
const idle = { kept: 75, told: 60 };

const constantHeaders = {
  'keep-alive': `timeout=${idle.told}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export const createServer = (
  services: Services,
  routes: Route[],
  parts: readonly OptionalPart<unknown>[] = [],
): FastifyInstance => {
  const { config, db, stopping } = services;
  const clientWait = config.clientTimeout * 1_000;
  const app = Fastify({
    bodyLimit: config.bodyLimit,
    // The address that the proxy itself saw: whatever stands before it in X-Forwarded-For, the client may have written.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            stream: services.logStream,
            redact: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
            serializers: {
              req: (request) => ({ method: request.method, url: shownPath(request.url), ip: request.ip }),
            },
          },
    logController: new LogController({ disableRequestLogging: !['info', 'debug', 'trace'].includes(config.logLevel) }),
    rewriteUrl: ({ url = '/', headers }) => throughShare(url, headers['tea-share-id']),
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID();
    },
    // Field names are data, so keys such as `__proto__` must pass; nothing here copies keys of a body by assignment.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery as never, maxParamLength: 300 },
    forceCloseConnections: 'idle',
    requestTimeout: clientWait,
    keepAliveTimeout: idle.kept * 1_000,
    http: {
      // Filters and lists of ids travel in the address.
      maxHeaderSize: 65_536,
      headersTimeout: Math.min(clientWait, 20_000),
      connectionsCheckingInterval: Math.min(clientWait / 2, 5_000),
      // A client that has vanished is found out by the system.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    },
    clientErrorHandler: answerClientError,
    // What has arrived on a connection that is open is answered, and the connection ends with the answer.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => handleError(error, request, reply as never),
  });

  addAccessLog(app, services);
  // Hooks that wait for nothing are no promises: each would cost every request some microseconds.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(constantHeaders).header('x-request-id', request.id);
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    // No body is no body, whatever type is claimed for it: axios, and so the Teable client, names one on every POST.
    if (request.headers['content-length'] === '0') delete request.raw.headers['content-type'];
    done(queryFault(request.query));
  });
  addCrossOrigin(app, config.crossOrigins);
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
  addAddressLimits(app, {
    sockets: config.socketsPerAddress,
    requests: config.anonymousRequests,
    isBehindProxy: config.trustProxy,
  });
  addUnreadLimit(app, { bytes: 2 * config.bodyLimit, patience: clientWait });
  app.setErrorHandler(handleError);
  app.server.maxConnections = maxConnections;
  // Left to itself Node answers 417 without a body; an expectation that is not known may be left aside.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Before whatever counts the bytes of bodies.
  addContentEncoding(app, config.bodyLimit);
  const admission = addAdmission(app, { requests: config.requestsAtOnce, bodyBytes: 2 * config.bodyLimit });

  const probe = createProbe(db);
  app.addHook('onClose', () => probe.close());
  // 200 also without a part: anyone who restarts what is not healthy would restart it for ever.
  app.get('/health', async () => {
    const missing = parts.filter((part) => part.fault() !== undefined).map(({ name }) => name);
    return { ...(missing.length === 0 ? { status: 'ok' } : { status: 'degraded', missing }), ...versionOf() };
  });
  app.get('/health/ready', async () => {
    if (stopping.aborted) throw new ApiError('service_unavailable', 'The server is stopping');
    await probe.ask();
    return { status: 'ready' };
  });
  addMetrics(app, services, admission);

  // Made once: nobody has to have an account to ask for them.
  let document: { url: string; text: string } | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    const url = services.publicUrl();
    if (document?.url !== url)
      document = {
        url,
        text: JSON.stringify(
          openapi(
            routes.map((item) => item.endpoint),
            url,
          ),
        ),
      };
    return reply.type('application/json; charset=utf-8').send(document.text);
  });
  let reference: string | undefined;
  app.get('/api/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', docsPolicy)
      .send(
        (reference ??= renderDocs(
          routes.map((item) => item.endpoint),
          JSON.parse(readFileSync(join(serverRoot(), 'http/examples.json'), 'utf8')) as Record<string, Example>,
        )),
      ),
  );

  app.get('/.well-known/oauth-authorization-server', async () => oauthMetadata(services.publicUrl()));
  addJson(app, config);
  addForms(app, routes);

  const streams = createStreamLimit(config.streamsPerAccount);
  bindRoutes(app, services, routes, admission, addBodyGate(app), streams);
  addSocket(app, services, streams);
  addDocsSite(app);
  addWebApp(app, services);

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] as string;
    void reply.code(404).send(errorBody(new ApiError('not_found', `Cannot ${request.method} ${path}`), request.id));
  });
  return app;
};
