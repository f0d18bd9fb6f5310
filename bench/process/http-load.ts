// Worker that sends the requests of a script over keep-alive connections. It writes ready-made bytes to the
// socket and reads no more of an answer than its length, so that it costs little beside what is measured.
import { connect, type Socket } from 'node:net';
import { doStint, readScript, type Done, type ScriptLine, type Stint } from './script.ts';
import { beWorker } from './worker.ts';

export interface HttpLoad {
  origin: string;
  token: string;
  file: string;
  clients: number;
}

const bytesOf = ({ method, path, body }: ScriptLine, host: string, token: string): Buffer => {
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n`;
  const more = text === undefined ? '' : `content-type: application/json\r\ncontent-length: ${text.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}${more}\r\n`), ...(text === undefined ? [] : [text])]);
};

const headEnd = Buffer.from('\r\n\r\n');

interface Connection {
  socket: Socket;
  exchange(bytes: Buffer): Promise<void>;
}

const openConnection = async (host: string, port: number): Promise<Connection> => {
  const socket = connect({ host, port, noDelay: true });
  await new Promise<void>((open, fail) => socket.once('connect', open).once('error', fail));
  let head: Buffer = Buffer.alloc(0);
  let missing = -1;
  let settle: { done: () => void; fail: (error: Error) => void } | undefined;
  const fail = (why: string): void => settle?.fail(new Error(why));
  socket.on('error', (error) => fail(error.message)).on('close', () => fail('the connection was closed'));
  socket.on('data', (chunk: Buffer) => {
    if (missing >= 0) missing -= chunk.length;
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(headEnd);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!/^HTTP\/1.1 20[01] /.test(text) || length === undefined)
        return fail(`an unexpected answer: ${head.toString('utf8', 0, 2_000)}`);
      missing = Number(length) - (head.length - end - headEnd.length);
    }
    if (missing > 0) return;
    head = Buffer.alloc(0);
    missing = -1;
    settle?.done();
  });
  return {
    socket,
    exchange: (bytes) =>
      new Promise((done, failed) => {
        settle = { done, fail: failed };
        socket.write(bytes);
      }),
  };
};

beWorker<HttpLoad, Stint, Done>(async ({ origin, token, file, clients }) => {
  const { hostname, port, host } = new URL(origin);
  const requests = readScript(file).map((line) => bytesOf(line, host, token));
  return async (stint) => {
    const connections = await Promise.all(
      Array.from({ length: clients }, () => openConnection(hostname, Number(port))),
    );
    const done = await doStint(clients, stint, (client, place) =>
      (connections[client] as Connection).exchange(requests[place % requests.length] as Buffer),
    );
    for (const { socket } of connections) socket.removeAllListeners('close').destroy();
    return done;
  };
});
