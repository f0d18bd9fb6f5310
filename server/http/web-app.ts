// Serves the built web app from web/dist: hashed files for ever, the page itself never cached.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../context.ts';
import { serverRoot } from '../db/root.ts';
import { frameAncestorsOf } from '../domain/share/open-share.ts';
import { pathBehind } from '../domain/share/short-link.ts';
import { errorBody, handleError } from './error.ts';

/** `elsewhere`: where browsers read and send files, if not here. */
const contentSecurityPolicy = (elsewhere: string): string =>
  [
    "default-src 'self'",
    `img-src 'self' data: blob:${elsewhere}`,
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self'${elsewhere}`,
    `frame-src 'self'${elsewhere}`,
    `media-src 'self'${elsewhere}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** Below a folder, as they stand in addresses; none where there is no such folder. */
const filesBelow = (folder: string): Set<string> => {
  if (!existsSync(folder)) return new Set();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')));
};

/** Anyone who leaves in the middle of a file is told nothing. */
const errorHandler = (error: { code?: string }, request: FastifyRequest, reply: FastifyReply): void => {
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') request.raw.destroy();
  else handleError(error, request, reply);
};

/** First steps of the addresses that the app has pages for; a test compares them with its router. */
export const appPlaces: ReadonlySet<string> = new Set([
  '',
  'account',
  'admin',
  'auth',
  'base',
  'forgot-password',
  'invite',
  'login',
  'oauth',
  'organization',
  'reset-password',
  'share',
  'signup',
  'space',
  'trash',
]);

type Whereabouts = 'page' | 'unknown' | 'none';

/** `none`: nothing that a person goes to. */
const placeOf = (path: string): Whereabouts => {
  const first = path.split('/')[1] ?? '';
  if (['api', 'assets', 'socket', '.well-known'].includes(first)) return 'none';
  return appPlaces.has(first) ? 'page' : 'unknown';
};

/** Browsers ask for HTML. A program that took a wrong address is told so; one that takes anything gets pages that there are. */
const isProgram = (accept: string | undefined, place: Whereabouts): boolean =>
  !accept?.includes('text/html') && (place === 'unknown' || accept?.includes('json') === true);

export const addWebApp = (app: FastifyInstance, services: Services): void => {
  const { s3PublicUrl } = services.config;
  const policy = contentSecurityPolicy(s3PublicUrl === null ? '' : ` ${new URL(s3PublicUrl).origin}`);
  const policyFor = (ancestors: readonly string[]): string =>
    `${policy}; frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`;
  const folder = join(serverRoot(), '../web/dist');
  const files = filesBelow(folder);
  if (!files.has('index.html')) return;
  // Sends files and has no routes: with one per file and method, making the first server of a process took 490 ms instead of 380.
  void app.register(fastifyStatic, {
    root: folder,
    serve: false,
    index: false,
    preCompressed: true,
    // Its own would be put in the place of ours.
    cacheControl: false,
    setHeaders(reply, path) {
      reply.setHeader(
        'cache-control',
        /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  // Every address that is not the API's is a place in the app.
  app.get<{ Params: { '*': string } }>('/*', { errorHandler }, async (request, reply) => {
    if (files.has(request.params['*'])) return reply.sendFile(request.params['*']);
    const path = request.url.split('?')[0] as string;
    const [, code] = /^\/s\/([^/]+)$/.exec(path) ?? [];
    const behind = code === undefined ? undefined : await pathBehind(services, code);
    // Looked up each time: the share behind it may end.
    if (behind !== undefined) return reply.header('cache-control', 'no-store').redirect(behind.path);
    const place = placeOf(path);
    if (place === 'none' || isProgram(request.headers.accept, place)) {
      return reply.code(404).send(errorBody(new ApiError('not_found', `Cannot GET ${path}`), request.id));
    }
    const [, shareId] = /^\/share\/([^/]+)/.exec(path) ?? [];
    if (shareId !== undefined) {
      // The page of a share is one of its own, which says itself who may show it. The older header could only forbid it.
      const ancestors = await frameAncestorsOf(services, shareId);
      if (ancestors.length > 0) reply.removeHeader('x-frame-options');
      return reply
        .header('content-security-policy', policyFor(ancestors))
        .header('referrer-policy', 'no-referrer')
        .sendFile('share.html');
    }
    if (place === 'unknown') reply.code(404);
    return reply.header('content-security-policy', policyFor([])).sendFile('index.html');
  });
};
