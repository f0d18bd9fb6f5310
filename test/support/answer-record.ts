// Writes down answers of the servers under test, one of each shape: at the end of the run Teable's own schemas read them.
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

export interface RecordedAnswer {
  method: string;
  path: string;
  body: unknown;
}

const longest = 20_000;
/** Enough for all: with fewer it would depend on the order of the tests which are read. */
const mostShapes = 1_000;
const shapes = new Map<string, Set<string>>();
const file = `${process.pid}-${randomBytes(4).toString('hex')}.answers`;
let folder: string | undefined;

export const keepAnswersIn = (path: string): void => {
  folder = path;
};

/** Which keys there are, and of what kind their values: answers of one shape fit a schema, or do not, alike. */
const shapeOf = (value: unknown, depth = 0): string => {
  if (Array.isArray(value))
    return `[${depth > 4 ? '' : [...new Set(value.slice(0, 10).map((item) => shapeOf(item, depth + 1)))].join('|')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const { type } = value as { type?: unknown };
  return `{${typeof type === 'string' ? type : ''}${
    depth > 4
      ? ''
      : Object.entries(value)
          .map(([key, inner]) => `${/^(fld|rec|usr|viw)\w{16,}$/.test(key) ? '*' : key}:${shapeOf(inner, depth + 1)}`)
          .toSorted()
          .join()
  }}`;
};

export const recordAnswer = ({ method, path }: { method: string; path: string }, text: string, body: unknown): void => {
  if (folder === undefined || text.length > longest) return;
  const key = `${method} ${path}`;
  const known = shapes.get(key) ?? new Set<string>();
  shapes.set(key, known);
  if (known.size >= mostShapes) return;
  const shape = shapeOf(body);
  if (known.has(shape)) return;
  known.add(shape);
  appendFileSync(join(folder, file), `${JSON.stringify({ method, path, body } satisfies RecordedAnswer)}\n`);
};

/** Every answer of a server, to any client: what is made piece by piece is seen by `caller`. */
export const recordAnswersOf = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    const { url } = request.routeOptions;
    const isRead =
      typeof payload === 'string' &&
      payload !== '' &&
      payload.length <= longest &&
      reply.statusCode >= 200 &&
      reply.statusCode < 300;
    if (
      folder === undefined ||
      !isRead ||
      url?.startsWith('/api/') !== true ||
      !String(reply.getHeader('content-type')).includes('json')
    )
      return payload;
    recordAnswer({ method: request.method, path: url.slice('/api'.length) }, payload, JSON.parse(payload) as unknown);
    return payload;
  });
};
