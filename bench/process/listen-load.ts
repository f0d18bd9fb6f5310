// Worker that holds many streams of a table open, and counts what it hears without reading it: so that those who only
// listen cost little beside what is measured.
import { connect } from 'node:net';
import { beWorker } from './worker.ts';

export interface ListenLoad {
  origin: string;
  token: string;
  path: string;
  listeners: number;
}

const needle = Buffer.from('event: records.updated');

interface Ear {
  count: number;
  /** The end of what came last: an event may come in two pieces. */
  rest: Buffer;
}

const listen = ({ origin, token, path }: ListenLoad): Promise<Ear> =>
  new Promise((open, fail) => {
    const { hostname, port, host } = new URL(origin);
    const ear: Ear = { count: 0, rest: Buffer.alloc(0) };
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`),
    );
    socket.once('data', (chunk) =>
      chunk.toString('latin1').startsWith('HTTP/1.1 200') ? open(ear) : fail(new Error(chunk.toString('utf8', 0, 500))),
    );
    socket.on('error', fail);
    socket.on('data', (chunk) => {
      const text = ear.rest.length === 0 ? chunk : Buffer.concat([ear.rest, chunk]);
      let end = 0;
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, end)) {
        ear.count += 1;
        end = at + needle.length;
      }
      ear.rest = text.subarray(Math.max(end, text.length - needle.length + 1));
    });
  });

/** Answers how many events each of them has heard. */
beWorker<ListenLoad, object, number[]>(async (setting) => {
  const ears: Ear[] = [];
  for (let at = 0; at < setting.listeners; at += 50)
    ears.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, setting.listeners - at) }, () => listen(setting)))),
    );
  return async () => ears.map(({ count }) => count);
});
