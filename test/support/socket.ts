// The client of the ShareDB library over a WebSocket, as programs written for Teable use it. It can be cut and come back to another server.
import { once } from 'node:events';
import { Connection, type Doc, type Query } from 'sharedb/lib/client/index.js';
import { WebSocket } from 'ws';

export interface SocketClient {
  connection: Connection;
  /** Every message of the server. */
  heard: any[];
  /** What the server said when it closed the connection. */
  closed: Promise<{ code: number; reason: string }>;
  query(collection: string, query?: object): Promise<Query>;
  subscribe(collection: string, id: string): Promise<Doc>;
  /** Goes on with the same documents on another connection. */
  rebind(origin: string): Promise<void>;
  close(): void;
}

interface SocketOptions {
  token?: string;
  cookie?: string;
  origin?: string;
  shareId?: string;
  viewAs?: string;
}

const addressOf = (origin: string, shareId: string | undefined): string =>
  `${origin.replace('http', 'ws')}/socket${shareId === undefined ? '' : `?shareId=${shareId}`}`;

const open = (at: string, { token, cookie, origin, shareId, viewAs }: SocketOptions): WebSocket =>
  new WebSocket(addressOf(at, shareId), {
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(origin === undefined ? {} : { origin }),
      ...(viewAs === undefined ? {} : { 'x-view-as': viewAs }),
    },
  });

/** Status and body of an upgrade that is refused; 101 when it is not. */
export const tryUpgrade = async (at: string, options: SocketOptions): Promise<{ status: number; body: any }> => {
  const socket = open(at, options);
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      resolve({ status: 101, body: undefined });
    });
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    socket.once('error', reject);
  });
};

export const connect = async (at: string, options: SocketOptions): Promise<SocketClient> => {
  let socket = open(at, options);
  const heard: any[] = [];
  const listenTo = (): Promise<{ code: number; reason: string }> => {
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
    return once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  };
  const closed = listenTo();
  const connection = new Connection(socket as never);
  connection.on('error', () => undefined);
  await once(connection, 'connected');
  return {
    connection,
    heard,
    closed,
    query: (collection, query = {}) =>
      new Promise((resolve, reject) => {
        const made = connection.createSubscribeQuery(collection, query, {}, (error) =>
          error ? reject(error) : resolve(made),
        );
      }),
    subscribe: (collection, id) =>
      new Promise((resolve, reject) => {
        const doc = connection.get(collection, id);
        doc.subscribe((error) => (error ? reject(error) : resolve(doc)));
      }),
    async rebind(other) {
      socket.terminate();
      socket = open(other, options);
      void listenTo();
      (connection as unknown as { bindToSocket(to: WebSocket): void }).bindToSocket(socket);
      await once(connection, 'connected');
    },
    close: () => socket.terminate(),
  };
};
