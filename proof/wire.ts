// HTTP by hand, over sockets: requests are bytes, so that they can be what no client would send.
import { connect, type Socket } from 'node:net';

export interface Reply {
  /** 0 when the connection ended without an answer, -1 when none came in time. */
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
  millis: number;
}

interface Parsed {
  reply: Omit<Reply, 'millis'>;
  /** Whether another request may follow on the connection. */
  isReusable: boolean;
}

const headOf = (bytes: Buffer): { status: number; headers: [string, string][]; length: number } | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { status: Number(first.split(' ')[1]), headers, length: end + 4 };
};

/** The body of a chunked answer once it is whole. */
const dechunk = (bytes: Buffer): Buffer | undefined => {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (size === 0) return bytes.length >= line + 4 ? Buffer.concat(parts) : undefined;
    if (bytes.length < line + 2 + size + 2) return undefined;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
};

const parse = (bytes: Buffer, isHead: boolean, isOver: boolean): Parsed | undefined => {
  const head = headOf(bytes);
  if (head === undefined) return undefined;
  const rest = bytes.subarray(head.length);
  if (head.status < 200) return parse(rest, isHead, isOver);
  const header = (name: string): string | undefined => head.headers.find(([key]) => key === name)?.[1];
  const done = (body: Buffer, isReusable: boolean): Parsed => ({
    reply: { status: head.status, headers: head.headers, body },
    isReusable: isReusable && header('connection') !== 'close',
  });
  if (isHead || head.status === 204 || head.status === 304) return done(Buffer.alloc(0), rest.length === 0);
  // A stream goes on for ever: that it begins is its answer.
  if (header('content-type')?.startsWith('text/event-stream') === true) return done(Buffer.alloc(0), false);
  if (header('transfer-encoding') === 'chunked') {
    const body = dechunk(rest);
    return body === undefined ? undefined : done(body, true);
  }
  const length = header('content-length');
  if (length === undefined) return isOver ? done(rest, false) : undefined;
  return rest.length < Number(length)
    ? undefined
    : done(rest.subarray(0, Number(length)), rest.length === Number(length));
};

export interface Wire {
  /** `alone`: on a connection of its own, because what it leaves behind on one cannot be told. */
  send: (bytes: Buffer, alone?: boolean) => Promise<Reply>;
  close: () => void;
}

/** One connection after another, each used for as long as the server lets it. */
export const openWire = (origin: string, limit: number): Wire => {
  const { hostname, port } = new URL(origin);
  let idle: Socket | undefined;

  const attempt = (socket: Socket, bytes: Buffer, begun: number, alone: boolean): Promise<Reply> =>
    new Promise((resolve) => {
      const isHead = bytes.subarray(0, 5).toString('latin1') === 'HEAD ';
      const chunks: Buffer[] = [];
      let isSettled = false;
      const settle = (reply: Omit<Reply, 'millis'>, keep: boolean): void => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        if (keep && !alone) idle = socket;
        else socket.destroy();
        resolve({ ...reply, millis: Date.now() - begun });
      };
      const look = (isOver: boolean): void => {
        const parsed = parse(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), isHead, isOver);
        if (parsed !== undefined) settle(parsed.reply, parsed.isReusable && !isOver);
        else if (isOver) settle({ status: 0, headers: [], body: Buffer.concat(chunks) }, false);
      };
      const timer = setTimeout(() => settle({ status: -1, headers: [], body: Buffer.concat(chunks) }, false), limit);
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        look(false);
      });
      socket.on('error', () => look(true));
      socket.on('close', () => look(true));
      socket.write(bytes);
    });

  return {
    async send(bytes, alone = false) {
      const begun = Date.now();
      const used = alone ? undefined : idle;
      if (!alone) idle = undefined;
      if (used !== undefined && !used.destroyed) {
        const reply = await attempt(used, bytes, begun, alone);
        // The server may have closed it in the meantime.
        if (reply.status !== 0) return reply;
      }
      return attempt(connect({ host: hostname, port: Number(port), noDelay: true }), bytes, begun, alone);
    },
    close: () => idle?.destroy(),
  };
};
