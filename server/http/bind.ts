// Binds routes to Fastify: authenticate, authorise, validate, run, answer. In that order: 401 before
// 403 and 404, and those before 400.
import { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, conflict, forbidden, invalid, unauthorized } from '@rowhouse/contract/error.ts';
import { type Declaration, pathParams } from '@rowhouse/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Credential, type Resource, selectEpoch } from '../catalog/access.sql.ts';
import { type Access, type AccessCache, createAccessCache, demand, lookUpAccess, resolveAccess } from '../catalog/access.ts';
import type { Plans } from '../catalog/plans.ts';
import { createRateLimiter, rateHeaders, type RateLimiter } from '../catalog/rate-limit.ts';
import { createLastUsed, type LastUsed } from '../catalog/last-used.ts';
import { hasScope } from '../catalog/principal.ts';
import { Stale } from '../catalog/stale.ts';
import type { Context, Services } from '../context.ts';
import { isGone, isOfOldSchema } from '../db/error.ts';
import { isUnrestricted } from '../domain/user/demand-unrestricted.ts';
import type { Admission } from './admission.ts';
import { credentialOf, refuseCrossSite } from './auth.ts';
import type { Recheck } from '../live.ts';
import { openOutlet } from './outlet.ts';
import { coerceQuery, type RawQuery } from './query.ts';
import { Answer, type Input, type Route } from './route.ts';
import { type Validate, validator } from './validate.ts';

const resourceOf = (endpoint: Declaration, params: Record<string, string>): Resource | null => {
  const { access } = endpoint;
  if (access.on !== 'space' && access.on !== 'base' && access.on !== 'table') return null;
  return { type: access.on, id: params[`${access.on}Id`] as string, trashed: access.trashed ?? false };
};

const demandFor = (endpoint: Declaration, access: Access, resource: Resource | null): void => {
  const wanted = endpoint.access;
  switch (wanted.on) {
    case 'public':
      return;
    case 'user':
      if (wanted.scope !== undefined && !hasScope(access.principal, wanted.scope)) throw forbidden(`This token lacks the scope ${wanted.scope}`);
      if (wanted.own === true && access.principal.kind === 'oauth') throw forbidden('A token of an application cannot manage credentials');
      return;
    case 'admin':
      // No scope stands for it, so a token that is limited to anything may not.
      if (!access.principal.isAdmin || !isUnrestricted(access.principal)) throw forbidden('Only administrators of this instance may do this');
      return;
    default:
      demand(access, wanted.action, (resource as Resource).id);
  }
};

interface Validators {
  params: Validate | undefined;
  query: Validate | undefined;
  body: Validate | undefined;
}

const noRecheck: Recheck = { key: '', run: () => Promise.reject(unauthorized()) };

const readInput = (endpoint: Declaration, validators: Validators, request: FastifyRequest, recheck: Recheck): Input<Declaration> => {
  validators.params?.(request.params, 'path');
  const query = endpoint.query === undefined ? request.query : coerceQuery(request.query as RawQuery, endpoint.query);
  validators.query?.(query, 'query');
  let { body } = request;
  if (validators.body !== undefined) {
    if (body === undefined || body === null) {
      if (endpoint.bodyOptional !== true) throw invalid({ path: '', message: 'A JSON body is required' });
      body = undefined;
    } else validators.body(body, '');
  }
  return { params: request.params as never, query: query as never, body: body as never, headers: request.headers, ip: request.ip, recheck };
};

const send = (reply: FastifyReply, endpoint: Declaration, result: unknown): void => {
  const answer = result instanceof Answer ? result : new Answer({ body: result });
  reply.code(answer.status ?? endpoint.status).headers(answer.headers);
  if (answer.open !== undefined) {
    answer.open(openOutlet(reply));
    return;
  }
  const text = answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
  if (text === undefined) {
    void reply.send();
    return;
  }
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8');
  void reply.send(typeof text === 'string' ? text : Readable.from(text));
};

const maxTries = 50;

const cacheKey = (credential: Credential, resource: Resource | null): string =>
  `${credential.id}${credential.hash.toString('latin1')}${resource?.id ?? ''}`;

const recheckOf = (services: Services, endpoint: Declaration, headers: IncomingHttpHeaders, resource: Resource | null): Recheck => ({
  get key() {
    return cacheKey(credentialOf(headers) as Credential, resource);
  },
  async run() {
    const access = await resolveAccess(services.db, credentialOf(headers) as Credential, resource);
    demandFor(endpoint, access, resource);
    return access;
  },
});

/** A handler that has answered has committed: whoever follows the place may look. */
const wake = ({ live }: Services, endpoint: Declaration, access: Access): void => {
  if (access.baseId !== null) live.changed(access.baseId);
  if (endpoint.access.on !== 'table') live.toTell();
};

/** Counts the caller's request, once however often it is tried, and refuses it when there were too many in this second. */
type Count = (access: Access | null) => Promise<void>;

const countOnce = (limiter: RateLimiter, { plans }: Services, request: FastifyRequest, reply: FastifyReply): Count => {
  let isCounted = false;
  return async (access) => {
    if (isCounted) return;
    isCounted = true;
    const rate = await (access === null ? limiter.takeAnonymous(request.ip) : limiter.take(rateKey(access), rateLimitOf(plans, access)));
    reply.headers(rateHeaders(rate));
    if (!rate.allowed) throw new ApiError('too_many_requests', `More than ${rate.limit} requests in one second`, { limit: rate.limit }, { 'retry-after': String(rate.reset) });
  };
};

const rateKey = ({ principal }: Access): string => principal.tokenId ?? principal.userId;

const rateLimitOf = (plans: Plans, { levels }: Access): number =>
  levels.length === 0 ? plans.free.limit.apiRateLimit : Math.max(...levels.map((level) => plans.limitOf(level).apiRateLimit));

interface Binding {
  app: FastifyInstance;
  services: Services;
  cache: AccessCache;
  lastUsed: LastUsed;
  limiter: RateLimiter;
  admission: Admission;
  ownOrigins: ReadonlySet<string>;
}

const bindRoute = ({ app, services, cache, lastUsed, limiter, admission, ownOrigins }: Binding, { endpoint, handler, guarded }: Route): void => {
  const validators: Validators = {
    params: endpoint.params === undefined ? undefined : validator(endpoint.params),
    query: endpoint.query === undefined ? undefined : validator(endpoint.query),
    body: endpoint.body === undefined ? undefined : validator(endpoint.body),
  };

  const accessFor = async (request: FastifyRequest, resource: Resource | null, fresh: boolean, count: Count): Promise<Access> => {
    const credential = credentialOf(request.headers);
    if (credential === undefined) throw unauthorized();
    if (credential.kind === 'session') refuseCrossSite(request.method, request.headers, ownOrigins);
    const key = guarded ? cacheKey(credential, resource) : '';
    const remembered = guarded && !fresh ? cache.get(key, Date.now()) : undefined;
    const { access, refusal } = remembered === undefined ? await lookUpAccess(services.db, credential, resource) : { access: remembered, refusal: null };
    lastUsed.note(credential);
    await count(access);
    if (refusal !== null) throw refusal;
    if (guarded && remembered === undefined) cache.set(key, access);
    return access;
  };

  /**
   * A refusal that rests on what is remembered counts only while that does: another process may have raised a role or
   * added a field since, and whoever lost their role learns nothing from the error.
   */
  const staleOr = async (error: unknown, { epoch, baseId, tableId }: Access): Promise<unknown> => {
    if (baseId !== null && tableId !== null && (await services.catalog.isOutdated(services.db, baseId, tableId))) return new Stale('schema');
    return (await selectEpoch(services.db)) === epoch ? error : new Stale('access');
  };

  const attempt = async (request: FastifyRequest, fresh: boolean, count: Count): Promise<unknown> => {
    if (endpoint.access.on === 'public') {
      await count(null);
      const result = await handler({ ...services, requestId: request.id } as never, readInput(endpoint, validators, request, noRecheck));
      if (endpoint.method !== 'GET') services.live.toTell();
      return result;
    }
    const resource = resourceOf(endpoint, request.params as Record<string, string>);
    const access = await accessFor(request, resource, fresh, count);
    const db = resource === null ? services.db : services.db.at(resource.id);
    const context: Context = { ...services, db, principal: access.principal, access, requestId: request.id };
    const recheck = recheckOf(services, endpoint, request.headers, resource);
    try {
      demandFor(endpoint, access, resource);
      const result = await handler(context, readInput(endpoint, validators, request, recheck));
      if (endpoint.method !== 'GET') wake(services, endpoint, access);
      return result;
    } catch (error) {
      // Deleted for good, or changed, between the look at what there is and the statement: looked at again, it can be told.
      if (!fresh && access.baseId !== null && (isGone(error) || (endpoint.method === 'GET' && isOfOldSchema(error)))) throw new Stale('access');
      throw guarded && !fresh && !(error instanceof Stale) ? await staleOr(error, access) : error;
    }
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const count = countOnce(limiter, services, request, reply);
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(request, tries > 1, count);
      } catch (error) {
        if (!(error instanceof Stale)) {
          // Whoever has no good credential was not counted yet.
          await count(null);
          throw error;
        }
        // Each try lost against another change of the schema: only a storm of those gets here.
        if (tries >= maxTries) throw conflict('The schema of this table keeps changing at the moment; try again');
      }
    }
  };

  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    handler: async (request, reply) => {
      send(reply, endpoint, await admission.run(() => answer(request, reply)));
      return reply;
    },
  });
};

export const bindRoutes = (app: FastifyInstance, services: Services, routes: Route[], admission: Admission): void => {
  const lastUsed = createLastUsed(services.db, services.faults);
  app.addHook('onClose', () => lastUsed.close());
  const binding: Binding = {
    app,
    services,
    cache: createAccessCache(),
    lastUsed,
    limiter: createRateLimiter(services.db, services.now, services.plans.free.limit.apiRateLimit),
    admission,
    ownOrigins: new Set(services.config.publicUrl === null ? [] : [new URL(services.config.publicUrl).origin]),
  };
  const names = new Set<string>();
  for (const { endpoint } of routes) {
    if (names.has(endpoint.name)) throw new Error(`two endpoints are called ${endpoint.name}`);
    names.add(endpoint.name);
    const missing = pathParams(endpoint.path).filter((name) => !(name in ((endpoint.params as { properties?: object })?.properties ?? {})));
    if (missing.length > 0) throw new Error(`${endpoint.name} does not declare ${missing.join(', ')}`);
  }
  for (const item of routes) {
    if (item.endpoint.rawBody !== true) bindRoute(binding, item);
    else {
      void app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
        bindRoute({ ...binding, app: scope }, item);
      });
    }
  }
};
