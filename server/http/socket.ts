// `/socket`: the upgrade of a request to a WebSocket. Who may have one is decided here; what is said over it is the business of `realtime/`.
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, unauthorized } from '@rowhouse/contract/error.ts';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { resolveAccess } from '../catalog/access.ts';
import type { From } from '../catalog/audit.sql.ts';
import type { Services } from '../context.ts';
import { openShare } from '../domain/share/open-share.ts';
import { credentialOf, ownOriginsOf, refuseCrossSite } from '../endpoint/credential.ts';
import type { SocketEnds } from '../live.ts';
import { parseInSlices } from '../work/parse-slices.ts';
import { createPause } from '../work/slices.ts';
import { clientOf } from './address.ts';
import { errorBody } from './error.ts';
import type { StreamLimit } from './stream-limit.ts';
import { refuseViewAs } from './view-as.ts';

/** Of one message. A client that comes back names the documents that it has. */
const mostBytes = 262_144;
const lookEvery = 30_000;

/** The address that Fastify would find; see `trustProxy` in server.ts. */
const addressOf = ({ headers, socket }: IncomingMessage, trustsProxy: boolean): string => {
  const forwarded = trustsProxy ? [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() : '';
  return forwarded || (socket.remoteAddress ?? '');
};

const refuse = (socket: Duplex, error: unknown): void => {
  const known =
    error instanceof ApiError ? error : new ApiError('internal_server_error', 'Something went wrong on the server');
  const body = JSON.stringify(errorBody(known, randomUUID()));
  const headers = {
    ...known.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\n${lines.join('')}\r\n${body}`);
};

const served = new WeakSet<Duplex>();

/**
 * Without a listener for upgrades Node answers a request that offers one as any other, and clients such as Java's offer HTTP/2 with
 * each. So what is no WebSocket goes to the server again, without the offer. Its answer is the last of its connection: each time that
 * a connection is handed to the server, Node listens to it once more, and loses the order of answers.
 */
const serveWithoutUpgrade = (app: FastifyInstance, request: IncomingMessage, socket: Duplex, head: Buffer): void => {
  if (served.has(socket)) return;
  served.add(socket);
  const { method, url, rawHeaders, httpVersion } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\nConnection: close\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(rawHeaders[at] as string))
      text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
};

const endsOf = (client: WebSocket): SocketEnds => ({
  send: (text) => client.send(text),
  backlog: () => client.bufferedAmount,
  // A reason has 123 bytes at most.
  close: (code, reason) =>
    client.close(
      code,
      Buffer.from(reason)
        .subarray(0, 120)
        .toString()
        .replace(/\uFFFD+$/, ''),
    ),
  cut: () => client.terminate(),
  onMessage: (act) => void client.on('message', (data: Buffer) => act(data.toString())),
  onClose: (act) => void client.once('close', act),
});

/** Clients that have vanished without a word are cut off. */
const watch = (clients: ReadonlySet<WebSocket>): NodeJS.Timeout => {
  const silent = new WeakSet<WebSocket>();
  return setInterval(() => {
    for (const client of clients) {
      if (silent.has(client)) client.terminate();
      else {
        silent.add(client);
        client.once('pong', () => silent.delete(client));
        client.ping();
      }
    }
  }, lookEvery).unref();
};

export const addSocket = (app: FastifyInstance, services: Services, streams: StreamLimit): void => {
  const { config, db } = services;
  const ownOrigins = ownOriginsOf(config);
  // Without compression, which takes memory for every connection.
  const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes, perMessageDeflate: false });
  const looks = watch(server.clients);

  /** Whom the connection is counted for. */
  const admit = async (request: IncomingMessage, shareId: string | null, from: From): Promise<string> => {
    const { headers } = request;
    if (shareId !== null) {
      await openShare({ ...services, requestId: randomUUID(), from }, shareId, headers);
      return clientOf(from.ip ?? '');
    }
    const credential = credentialOf(headers);
    if (credential === undefined) throw unauthorized();
    // No preflight asks for a WebSocket: any page could open one with the cookie of its visitor.
    if (credential.kind === 'session') refuseCrossSite('POST', headers, ownOrigins);
    return (await resolveAccess(db, credential, null)).principal.userId;
  };

  const open = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (!/^\/{1,2}socket\/?$/.test(pathname)) throw new ApiError('not_found', `Cannot upgrade ${pathname}`);
    refuseViewAs(request.headers, searchParams);
    const shareId = searchParams.get('shareId');
    const ip = addressOf(request, config.trustProxy);
    const from: From = { ip, userAgent: request.headers['user-agent'] ?? null };
    streams.admit(await admit(request, shareId, from), socket);
    if (socket.destroyed) return;
    const { cookie, authorization, host, 'x-forwarded-for': forwarded } = request.headers;
    const headers = Object.fromEntries(
      Object.entries({ cookie, authorization, host, 'x-forwarded-for': forwarded }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as Record<string, string>;
    server.handleUpgrade(request, socket, head, (client) => {
      // A message that is too large, or no WebSocket's: the connection is closed with the reason.
      client.on('error', () => undefined);
      services.live.openSocket({
        socket: endsOf(client),
        headers: request.headers,
        from,
        shareId,
        async read(path) {
          const answer = await app.inject({
            method: 'GET',
            url: `/api${path}`,
            headers,
            remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
          });
          const { statusCode: status, payload } = answer;
          return { status, body: payload === '' ? undefined : await parseInSlices(payload, createPause()) };
        },
      });
    });
  };

  app.server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      serveWithoutUpgrade(app, request, socket, head);
      return;
    }
    socket.on('error', () => socket.destroy());
    open(request, socket, head).catch((error: unknown) => {
      if (!(error instanceof ApiError)) services.backgroundErrors.note('socket', error);
      refuse(socket, error);
    });
  });

  app.addHook('preClose', (done) => {
    clearInterval(looks);
    for (const client of server.clients) {
      client.close(1001, 'The server is stopping');
      setTimeout(() => client.terminate(), 1_000).unref();
    }
    done();
  });
};
