// Serves the built web app from web/dist: hashed files for ever, the page itself never cached.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { serverRoot } from '../db/root.ts';
import { frameAncestorsOf } from '../domain/share/open-share.ts';
import { errorBody } from './error.ts';

/** `elsewhere`: where browsers read and send files, if not here. */
const contentSecurityPolicy = (elsewhere: string): string => [
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

export const addWebApp = (app: FastifyInstance, services: Services): void => {
  const { s3PublicUrl } = services.config;
  const policy = contentSecurityPolicy(s3PublicUrl === null ? '' : ` ${new URL(s3PublicUrl).origin}`);
  const policyFor = (ancestors: readonly string[]): string => `${policy}; frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`;
  const folder = join(serverRoot(), '../web/dist');
  if (!existsSync(join(folder, 'index.html'))) return;
  void app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    // Its own would be put in the place of ours.
    cacheControl: false,
    setHeaders(reply, path) {
      reply.setHeader('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // Every address that is not the API's is a place in the app.
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0] as string;
    if (/^\/(api|assets|socket)(\/|$)/.test(path)) {
      return reply.code(404).send(errorBody(new ApiError('not_found', `Cannot GET ${path}`), request.id));
    }
    const [, shareId] = /^\/share\/([^/]+)/.exec(path) ?? [];
    if (shareId !== undefined) {
      // The page of a share is one of its own, which says itself who may show it. The older header could only forbid it.
      const ancestors = await frameAncestorsOf(services, shareId);
      if (ancestors.length > 0) reply.removeHeader('x-frame-options');
      return reply.header('content-security-policy', policyFor(ancestors)).header('referrer-policy', 'no-referrer').sendFile('share.html');
    }
    return reply.header('content-security-policy', policyFor([])).sendFile('index.html');
  });
};
