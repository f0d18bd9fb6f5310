// A listener to Server-Sent Events: keeps what it hears, checks it against the contract, and can be cut and come back.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Compile } from 'typebox/compile';
import { type EventName, eventSchemas } from '@rowhouse/contract/event.ts';

export interface Heard {
  id: number | undefined;
  name: EventName;
  data: any;
}

export interface Ear {
  status: number;
  heard: Heard[];
  /** The id of the newest event that has one. */
  lastId(): number | undefined;
  /** The first event, past or future, that fits. */
  until(fits: (event: Heard) => boolean): Promise<Heard>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
}

const validators = new Map(Object.entries(eventSchemas).map(([name, schema]) => [name, Compile(schema)]));

const parse = (block: string): Heard | undefined => {
  const parts = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const name = parts.get('event') as EventName | undefined;
  if (name === undefined) return undefined;
  const data = JSON.parse(parts.get('data') ?? 'null');
  const validator = validators.get(name);
  if (validator === undefined || !validator.Check(data))
    throw new Error(`the event ${name} is not what the contract says: ${block.slice(0, 500)}`);
  const id = parts.get('id');
  return { id: id === undefined ? undefined : Number(id), name, data };
};

export const listen = async (
  url: string,
  options: {
    token?: string;
    cookie?: string;
    lastEventId?: number | string | undefined;
    headers?: Record<string, string>;
  } = {},
): Promise<Ear> => {
  const headers: Record<string, string> = { accept: 'text/event-stream', ...options.headers };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.cookie !== undefined) headers.cookie = options.cookie;
  if (options.lastEventId !== undefined) headers['last-event-id'] = String(options.lastEventId);
  // A connection of its own: fetch would queue other requests behind one that lasts.
  const request = get(url, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let isCut = false;
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  let fault: unknown;
  let isOver = false;
  const read = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() as string;
      for (const block of blocks) {
        const event = parse(block);
        if (event !== undefined) heard.push(event);
      }
      for (const look of waiting) look();
    }
  };
  const status = response.statusCode as number;
  if (status !== 200) response.resume();
  const ended = (status === 200 ? read() : once(response, 'end').then(() => undefined))
    .catch((error: unknown) => {
      if (!isCut && (error as NodeJS.ErrnoException).code !== 'ECONNRESET') fault = error;
    })
    .finally(() => {
      isOver = true;
      for (const look of waiting) look();
    })
    .then(() => {
      if (fault !== undefined) throw fault;
    });
  ended.catch(() => undefined);
  return {
    status,
    heard,
    lastId: () => heard.findLast((event) => event.id !== undefined)?.id,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = heard.find(fits);
          if (found === undefined && !isOver) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else
            reject(fault ?? new Error(`the stream ended without it; heard: ${JSON.stringify(heard).slice(0, 1_000)}`));
        };
        waiting.add(look);
        look();
      }),
    ended,
    close() {
      isCut = true;
      request.destroy();
    },
  };
};
