// Binds routes to Fastify: authenticate, authorise, validate, run, answer. In that order: 401 before
// 403 and 404, and those before 400.
import { conflict, invalid, unauthorized } from '@rowhouse/contract/error.ts';
import { type Declaration, isStream, pathParams } from '@rowhouse/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Resource } from '../catalog/access.sql.ts';
import { type Access, type AccessCache, createAccessCache, lookUpAccess } from '../catalog/access.ts';
import { createRateLimiter, type RateLimiter } from '../catalog/rate-limit.ts';
import { createLastUsed, type LastUsed } from '../catalog/last-used.ts';
import { askerOf } from '../catalog/principal.ts';
import { viewedAccess } from '../catalog/view-as.ts';
import type { Context, Services } from '../context.ts';
import type { Share } from '../db/connection-shares.ts';
import type { Caller } from '../db/db.ts';
import { presentTracer } from '../trace.ts';
import { isGone, isOfOldSchema } from '../db/error.ts';
import { personalAddresses } from '../domain/file/person-address.ts';
import { clientOf } from './address.ts';
import { contextOf, effectsHeader, fromOf } from './request-context.ts';
import { accessOfVisitor, baseShareOf } from './base-share.ts';
import { createViewingLog, viewAsHeader, viewAsOf } from './view-as.ts';
import { countsItself } from './address-limits.ts';
import type { Admission, Claim } from './admission.ts';
import { addStreamBody, type BodyGate, smallBody } from './body.ts';
import { credentialOf, ownOriginsOf, refuseCrossSite } from '../endpoint/credential.ts';
import type { Recheck } from '../live.ts';
import { anonymousLimitOf, type Count, countOf } from './count-request.ts';
import { cacheKey, demandFor, holderOf, recheckOf, resourceOf } from './decision.ts';
import { coerceQuery, type RawQuery } from './query.ts';
import { type Answered, send, sendStream } from './send.ts';
import type { StreamLimit } from './stream-limit.ts';
import { unfoldQuery } from './saved-query.ts';
import { stepOf } from '../domain/history/window.ts';
import { Answer, type Input, type Route, StreamAnswer } from '../endpoint/route.ts';
import { type Validate, validator } from '../endpoint/validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    countOnce: Count | undefined;
  }
}

/** Whom the connections of a request are counted for. */
const shareOf = ({ principal: { userId }, spaceId }: Access, resource: Resource | null): Share => ({
  resource: resource?.id ?? userId,
  holders: spaceId === null ? [userId] : [userId, spaceId],
});

interface Validators {
  params: Validate | undefined;
  query: Validate | undefined;
  body: Validate | undefined;
}

const noRecheck: Recheck = { key: () => '', run: () => Promise.reject(unauthorized()) };

const readInput = (
  endpoint: Declaration,
  validators: Validators,
  request: FastifyRequest,
  recheck: Recheck,
  asked = request.query as RawQuery,
): Input<Declaration> => {
  validators.params?.(request.params, 'path');
  const query = endpoint.query === undefined ? asked : coerceQuery(asked, endpoint.query);
  validators.query?.(query, 'query');
  let { body } = request;
  if (isStream(endpoint.body) && endpoint.bodyOptional !== true && (body === undefined || body === null))
    throw invalid({ path: '', message: `A body is required, as ${endpoint.body.contentMediaType}` });
  if (validators.body !== undefined) {
    if (body === undefined || body === null) {
      if (endpoint.bodyOptional !== true) throw invalid({ path: '', message: 'A JSON body is required' });
      body = undefined;
    } else validators.body(body, '');
  }
  return {
    params: request.params as never,
    query: query as never,
    body: body as never,
    headers: request.headers,
    ip: request.ip,
    recheck,
  };
};

/** A handler that has answered has committed: anyone who follows the place may look. */
const wake = ({ live, work }: Services, endpoint: Declaration, access: Access): void => {
  if (access.baseId !== null) live.changed(access.baseId);
  if (endpoint.access.on !== 'table') work.wake();
};

interface Binding {
  app: FastifyInstance;
  gate: BodyGate;
  services: Services;
  cache: AccessCache;
  lastUsed: LastUsed;
  limiter: RateLimiter;
  streams: StreamLimit;
  admission: Admission;
  ownOrigins: ReadonlySet<string>;
  noteViewing: ReturnType<typeof createViewingLog>;
}

/** Tells the statements of a request when nobody waits for its answer any more. */
const callerOf = (reply: FastifyReply, operation: string): Caller => {
  const caller: Caller = { hasLeft: false, onLeave: new Set(), operation, requestId: reply.request.id };
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return;
    caller.hasLeft = true;
    for (const act of caller.onLeave) act();
  });
  return caller;
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** In a span that began with the request, when traces are wanted. */
const traced =
  ({ name, method, path }: Declaration, handle: Handler): Handler =>
  (request, reply) => {
    const tracer = presentTracer();
    if (tracer === undefined) return handle(request, reply);
    const route = `/api${path}`;
    const { traceparent } = request.headers;
    return tracer.span(
      `${method} ${route}`,
      {
        kind: 'server',
        parent: typeof traceparent === 'string' ? traceparent : undefined,
        since: reply.elapsedTime,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'rowhouse.operation': name,
          'rowhouse.request_id': request.id,
        },
      },
      async (span) => {
        const sent = await handle(request, reply);
        span.set({ 'http.response.status_code': reply.statusCode });
        return sent;
      },
    );
  };

/** Reads of what changes all the time are read again this often. */
const maxReads = 50;

const bindRoute = (
  { app, gate, services, cache, lastUsed, limiter, streams, admission, ownOrigins, noteViewing }: Binding,
  { endpoint, handler, isGuarded }: Route,
): void => {
  const validators: Validators = {
    params: endpoint.params === undefined ? undefined : validator(endpoint.params),
    query: endpoint.query === undefined ? undefined : validator(endpoint.query),
    body: endpoint.body === undefined || isStream(endpoint.body) ? undefined : validator(endpoint.body),
  };

  const servePublic = async (
    request: FastifyRequest,
    reply: FastifyReply,
    count: Count,
    claim: Claim,
  ): Promise<Answered> => {
    await count(null);
    viewAsOf(endpoint, request.headers, {});
    claim(clientOf(request.ip));
    const result = await handler(
      { ...services, requestId: request.id, from: fromOf(request), caller: callerOf(reply, endpoint.name) } as never,
      readInput(endpoint, validators, request, noRecheck),
    );
    if (endpoint.method !== 'GET') services.work.wake();
    return { result, receiver: null };
  };

  /**
   * When the table is gone, or of another shape than a moment ago, the request is decided about again and refused. Reads are
   * read again. Writes are not: this place does not know what they have committed. Those of records go through `pipeline/`.
   */
  const run = async (context: Context, input: Input<Declaration>): Promise<unknown> => {
    if (isGuarded) return handler({ unconfirmed: context } as never, input);
    for (let reads = 1; ; reads += 1) {
      try {
        return await handler(context as never, input);
      } catch (error) {
        const isRead = endpoint.method === 'GET';
        if (context.access.baseId === null || !(isRead ? isOfOldSchema(error) : isGone(error))) throw error;
        await context.refresh();
        if (!isRead) throw conflict('Another request changed the same table at the same time; try again');
        if (reads >= maxReads) throw error;
      }
    }
  };

  /** What decides about a caller: what is remembered, where that may be used, and what the database says. */
  const decisionFor = (request: FastifyRequest, count: Count) => {
    const shareId = baseShareOf(endpoint, request.headers, request.query as RawQuery);
    return shareId === undefined ? decisionOnCaller(request, count) : decisionOnVisitor(request, count, shareId);
  };

  /** Nothing of it is remembered: a share that was ended has ended. */
  const decisionOnVisitor = (request: FastifyRequest, count: Count, shareId: string) => {
    const resource = resourceOf(endpoint, request.params as Record<string, string>);
    const decide = async (): Promise<Access> => {
      await count(null);
      const access = await accessOfVisitor(services, endpoint, shareId, request.headers, resource);
      demandFor(endpoint, access, resource);
      return access;
    };
    return {
      resource,
      as: undefined,
      shareId,
      decide,
      decideFor: async <T>(use: (access: Access) => T) => use(await decide()),
    };
  };

  const decisionOnCaller = (request: FastifyRequest, count: Count) => {
    const credential = credentialOf(request.headers);
    if (credential === undefined) throw unauthorized();
    if (credential.kind === 'session') refuseCrossSite(request.method, request.headers, ownOrigins);
    const as = viewAsOf(endpoint, request.headers, request.query as RawQuery);
    const resource = resourceOf(endpoint, request.params as Record<string, string>);
    const key = isGuarded ? cacheKey(credential, resource, as) : '';

    const decide = async (): Promise<Access> => {
      const { access: own, refusal } = await lookUpAccess(services.db, credential, resource);
      lastUsed.note(credential);
      await count(own);
      if (refusal !== null) throw refusal;
      const access = as === undefined ? own : await viewedAccess(services.db, own, as);
      if (isGuarded) cache.set(key, access);
      demandFor(endpoint, access, resource);
      return access;
    };

    /** `use` fails on what is remembered: then it does not count. Anyone who lost their role learns nothing from it, anyone who got one is let in. */
    const decideFor = async <T>(use: (access: Access) => T): Promise<T> => {
      const remembered = isGuarded ? cache.get(key, Date.now()) : undefined;
      if (remembered !== undefined) {
        lastUsed.note(credential);
        await count(remembered);
        try {
          demandFor(endpoint, remembered, resource);
          return use(remembered);
        } catch {
          // Decided again below.
        }
      }
      return use(await decide());
    };

    return { resource, as, shareId: undefined, decide, decideFor };
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply, count: Count, claim: Claim): Promise<Answered> => {
    const { resource, as, shareId, decide, decideFor } = decisionFor(request, count);
    const recheck = recheckOf(services, endpoint, request.headers, resource, { as, shareId });
    const unfold = await unfoldQuery(services, endpoint, request);
    const { access, input } = await decideFor((found) => ({
      access: found,
      input: readInput(endpoint, validators, request, recheck, unfold(askerOf(found.principal).userId)),
    }));
    claim(holderOf(access.principal, request.ip));
    if (as !== undefined) {
      await noteViewing(services, access, as, fromOf(request));
      void reply.header(viewAsHeader, as);
    }
    const db = services.db.at(shareOf(access, resource), callerOf(reply, endpoint.name));
    const noteOperation = (id: string): void => void reply.header('x-operation-id', id);
    const step =
      endpoint.isStep === false ? undefined : stepOf(request.headers, access.tableId ?? '', services.newId('opr'));
    // What was remembered may be out of date: the answer is made by what was decided last, and so are the addresses in it.
    let present = access;
    const again = async (): Promise<Access> => (present = await decide());
    const result = await run(
      contextOf(services, db, access, request, again, noteOperation, step, effectsHeader(reply), () =>
        reply.header('idempotency-replayed', 'true'),
      ),
      input,
    );
    if (endpoint.method !== 'GET') wake(services, endpoint, access);
    const { principal, baseId } = present;
    return { result, receiver: { principal, baseId, addressed: personalAddresses(services, present) } };
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply, claim: Claim): Promise<Answered> => {
    const count = countOf(limiter, services, request, reply);
    try {
      return await (endpoint.access.on === 'public'
        ? servePublic(request, reply, count, claim)
        : serve(request, reply, count, claim));
    } catch (error) {
      // Anyone who has no good credential was not counted yet.
      await count(null);
      throw error;
    }
  };

  /** Before a large body is read: who sends it, and whether they may. */
  const knowSender = async (request: FastifyRequest, reply: FastifyReply): Promise<string | null> => {
    if (endpoint.access.on === 'public') return null;
    const count = countOf(limiter, services, request, reply);
    try {
      return await decisionFor(request, count).decideFor(({ principal }) => principal.userId);
    } catch (error) {
      await count(null);
      throw error;
    }
  };

  app.route({
    config: {
      ...countsItself,
      operation: endpoint.name,
      ...(isStream(endpoint.body) ? { streamLimit: endpoint.body.maxBytes ?? services.config.bodyLimit } : {}),
      ...(endpoint.maxBodyBytes === undefined ? {} : { jsonLimit: endpoint.maxBodyBytes }),
    },
    ...(isStream(endpoint.body)
      ? {}
      : { preParsing: gate((request, reply) => admission.run(() => knowSender(request, reply))) }),
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    handler: traced(endpoint, async (request, reply) => {
      await (isStream(endpoint.body) ? admission.runSlow : admission.run)(async (claim) => {
        const { result, receiver } = await answer(request, reply, claim);
        if (result instanceof Answer && result.open !== undefined)
          streams.admit(receiver === null ? clientOf(request.ip) : holderOf(receiver.principal, request.ip), reply.raw);
        if (result instanceof StreamAnswer) await sendStream(reply, endpoint, result);
        else await send(reply, endpoint, result, receiver, services);
      });
      return reply;
    }),
  });
};

export const bindRoutes = (
  app: FastifyInstance,
  services: Services,
  routes: Route[],
  admission: Admission,
  gate: BodyGate,
  streams: StreamLimit,
): void => {
  app.decorateRequest('countOnce', undefined);
  const lastUsed = createLastUsed(services.db, services.backgroundErrors, services.config);
  app.addHook('onClose', () => lastUsed.close());
  const binding: Binding = {
    app,
    gate,
    services,
    cache: createAccessCache(),
    lastUsed,
    limiter: createRateLimiter(services.db, services.now, anonymousLimitOf(services)),
    streams,
    admission,
    ownOrigins: ownOriginsOf(services.config),
    noteViewing: createViewingLog(),
  };
  const names = new Set<string>();
  for (const { endpoint } of routes) {
    if (names.has(endpoint.name)) throw new Error(`two endpoints are called ${endpoint.name}`);
    names.add(endpoint.name);
    const missing = pathParams(endpoint.path).filter(
      (name) => !(name in ((endpoint.params as { properties?: object })?.properties ?? {})),
    );
    if (missing.length > 0) throw new Error(`${endpoint.name} does not declare ${missing.join(', ')}`);
  }
  for (const item of routes) {
    const { body } = item.endpoint;
    if (isStream(body)) {
      void app.register(async (scope) => {
        addStreamBody(scope, body.contentMediaType, body.maxBytes ?? services.config.bodyLimit);
        bindRoute({ ...binding, app: scope }, item);
      });
    } else if (item.endpoint.rawBody !== true) bindRoute(binding, item);
    else {
      void app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: smallBody }, (_request, body, done) =>
          done(null, body),
        );
        bindRoute({ ...binding, app: scope }, item);
      });
    }
  }
};
