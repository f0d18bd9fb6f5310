// One account, and somebody without one, that send and read as slowly as they can. Others are served meanwhile, and the slow are cut off.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileSignature } from '@rowhouse/contract/attachment.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { ground as newGround, tableWith } from '../../test/support/table.ts';
import { type Attack, unless } from './attack.ts';

/** Of each kind. */
const crowd = 100;
/** More than all places there are: they are read by their operation while they come. */
const uploads = 300;
/** Seconds that the server of the attack waits for somebody who is silent. */
const clientTimeout = 2;

const dial = async (origin: string): Promise<Socket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

export const attacks: Attack[] = [
  {
    name: 'heads, bodies and uploads come by the byte, and answers are not taken',
    isLong: true,
    async run({ open }) {
      const ground = await open({ ROWHOUSE_CLIENT_TIMEOUT: String(clientTimeout) });
      const table = await tableWith(await newGround(ground), [{ name: 'Name', type: 'longText' }]);
      await table.call(createRecords, {
        params: table,
        body: { records: Array.from({ length: 4 }, () => ({ fields: { Name: 'x'.repeat(990_000) } })) },
      });
      const other = await tableWith(await newGround(ground), [{ name: 'Name', type: 'singleLineText' }]);
      const bearer = `host: rowhouse\r\nauthorization: Bearer ${table.owner.token}\r\n`;
      const upload = async (): Promise<string> => {
        const body = { contentType: 'text/plain', contentLength: 1_000, type: 1 as const, baseId: table.baseId };
        const signed = await table.call(createFileSignature, { body });
        return `PUT /api/attachments/upload/${signed.body.token} HTTP/1.1\r\n${bearer}content-type: text/plain\r\ncontent-length: 1000\r\n\r\n`;
      };
      const record = `/api/table/${table.tableId}/record`;
      const heads: Record<string, () => string | Promise<string>> = {
        'slow heads': () => `GET ${record} HTTP/1.1\r\n${bearer}x-slow: `,
        'slow bodies': () =>
          `POST ${record} HTTP/1.1\r\n${bearer}content-type: application/json\r\ncontent-length: 900000\r\n\r\n{"records":[`,
        'large slow bodies': () =>
          `POST ${record} HTTP/1.1\r\n${bearer}content-type: application/json\r\ncontent-length: 9000000\r\n\r\n{"records":[`,
        'slow uploads': upload,
      };
      const slow = new Map<string, Socket[]>();
      for (const [kind, head] of Object.entries(heads)) {
        const count = kind === 'slow uploads' ? uploads : crowd;
        const sockets = await Promise.all(Array.from({ length: count }, () => dial(ground.origin)));
        for (const socket of sockets) {
          socket.resume();
          socket.write(await head());
        }
        slow.set(kind, sockets);
      }
      // They ask for 4 MB each, and take nothing.
      const deaf = await Promise.all(Array.from({ length: 20 }, () => dial(ground.origin)));
      for (const socket of deaf) {
        socket.pause();
        socket.write(`GET ${record} HTTP/1.1\r\n${bearer}\r\n`);
      }
      const all = [...slow.values()].flat();
      const drip = setInterval(() => {
        for (const socket of all) if (socket.writable) socket.write(' ');
      }, 400);
      try {
        const statuses: number[] = [];
        for (let round = 0; round < 50; round += 1) {
          const made = await other.call(createRecords, {
            params: other,
            body: { records: [{ fields: { Name: 'a' } }] },
          });
          statuses.push(made.status, (await other.call(listRecords, { params: other })).status);
        }
        const isOpen = (socket: Socket): boolean => !socket.closed && !socket.readableEnded;
        const left = (kind: string): number => (slow.get(kind) ?? []).filter(isOpen).length;
        const kinds = ['slow heads', 'slow bodies', 'large slow bodies'];
        for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(200))
          if (kinds.every((kind) => left(kind) === 0)) break;
        const own = await table.call(listRecords, { params: table, query: { take: 1 } });
        return [
          ...unless(
            statuses.every((status) => status < 300),
            `others were answered ${[...new Set(statuses)].join()}`,
          ),
          ...kinds.flatMap((kind) => unless(left(kind) === 0, `${left(kind)} ${kind} were not cut off`)),
          ...unless(own.status === 200 || own.status === 429, `the account itself is answered ${own.status}`),
        ];
      } finally {
        clearInterval(drip);
        for (const socket of [...all, ...deaf]) socket.destroy();
      }
    },
  },
];
