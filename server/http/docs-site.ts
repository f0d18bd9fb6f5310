// The site of the documents at /docs, as scripts/docs.mjs made it: pages, images, a search that runs in the browser. It needs nobody's rights, and asks no other host.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serverRoot } from '../db/root.ts';
import { errorBody } from './error.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Names below the folder with a mark that changes with the file. */
const filesBelow = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        const { size, mtimeMs } = statSync(path);
        return [
          relative(folder, path).replaceAll(sep, '/'),
          `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
        ];
      }),
  );

export const addDocsSite = (app: FastifyInstance): void => {
  const folder = join(serverRoot(), '../docs/dist');
  if (!existsSync(join(folder, 'index.html'))) return;
  // With the first page that somebody reads: a start has better things to do than to look at some hundred files.
  let site: { files: Map<string, string>; missing: Buffer } | undefined;
  const read = (): NonNullable<typeof site> =>
    (site ??= { files: filesBelow(folder), missing: readFileSync(join(folder, 'missing.html')) });

  const send = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const { files } = read();
    const isPacked = files.has(`${name}.br`) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    const etag = files.get(name) as string;
    void reply
      .header('content-security-policy', policy)
      .header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (isPacked) void reply.header('content-encoding', 'br');
    return reply
      .type(types[extname(name)] ?? 'application/octet-stream')
      .send(await readFile(join(folder, isPacked ? `${name}.br` : name)));
  };

  app.get('/docs', (request, reply) => send(request, reply, 'index.html'));
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*'].replace(/\/$/, '');
    const { files, missing } = read();
    const found = [name, `${name}.html`].find((one) => files.has(one) && !one.endsWith('.br'));
    if (found !== undefined) return send(request, reply, found);
    void reply.code(404);
    return request.headers.accept?.includes('text/html') === true
      ? reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(missing)
      : reply.send(
          errorBody(new ApiError('not_found', `Cannot GET ${request.url.split('?')[0] as string}`), request.id),
        );
  });
};
