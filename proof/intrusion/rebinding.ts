// A name that first leads to a public address and then to one of the network that the server is in (DNS rebinding).
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { listOtherBases } from '@rowhouse/contract/import-from.ts';
import { ground as newGround } from '../../test/support/table.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';
import { fetchInto } from './private-addresses.ts';
import { tellAt } from './webhooks.ts';

interface Resolver {
  address: string;
  /** How often a name was looked up. */
  asked: Map<string, number>;
  close(): void;
}

const bytesOfAddress = (address: string): number[] =>
  address.includes(':')
    ? address
        .replace('::', `:${'0:'.repeat(9 - address.split(':').length)}`)
        .split(':')
        .flatMap((part) => [Number.parseInt(part || '0', 16) >> 8, Number.parseInt(part || '0', 16) & 255])
    : address.split('.').map(Number);

const [ofIpv4, ofIpv6] = [1, 28];

/** Answers a name with the next of its lists of addresses, the last one again and again. Nothing may be remembered: each answer is good for no time. */
const startResolver = async (names: Record<string, string[][]>): Promise<Resolver> => {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (message, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] as number; length > 0; length = message[at] as number) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    const type = message.readUInt16BE(at + 1);
    // A lookup asks for both kinds.
    const count = (asked.get(name) ?? 0) + (type === ofIpv4 ? 1 : 0);
    asked.set(name, count);
    const lists = names[name] ?? [];
    const list = lists[Math.min(Math.max(count - 1, 0), lists.length - 1)] ?? [];
    const answers = list.filter((address) => address.includes(':') === (type === ofIpv6));
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    const records = answers.map((address) => {
      const bytes = bytesOfAddress(address);
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
    });
    socket.send(Buffer.concat([head, message.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
};

/** Global, and nobody has it. */
const nowhere = '2a0e:ffff::1';

const asTeable = async (ground: Ground, url: string): Promise<number> => {
  const { call, spaceId } = await newGround(ground);
  const answer = await call(listOtherBases, {
    body: { spaceId, source: { type: 'teable', url, token: 'token' } },
  });
  return answer.status;
};

export const attacks: Attack[] = [
  {
    name: 'a name leads to a public address when it is looked at, and to this machine afterwards',
    isLong: true,
    async run({ open }) {
      let heard = 0;
      const inner = createServer((_request, answer) => {
        heard += 1;
        answer.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      });
      await new Promise<void>((done) => inner.listen(0, '127.0.0.1', done));
      const { port } = inner.address() as AddressInfo;
      const resolver = await startResolver({
        'inside.rebind.test': [['127.0.0.1']],
        'turning.rebind.test': [[nowhere], ['127.0.0.1']],
        'turning-import.rebind.test': [[nowhere], ['127.0.0.1']],
        'turning-hook.rebind.test': [[nowhere], ['127.0.0.1']],
        'both.rebind.test': [[nowhere, '127.0.0.1']],
        'mapped.rebind.test': [['::ffff:7f00:1'], ['127.0.0.1']],
      });
      const env = {
        NODE_OPTIONS: `--require=${fileURLToPath(new URL('resolver.cjs', import.meta.url))}`,
        PROOF_RESOLVER: resolver.address,
      };
      try {
        // The control: an instance that may fetch from there does, by the same resolver.
        const trusting = await open({ ...env, ROWHOUSE_FETCH_PRIVATE: 'yes' });
        const [control] = await fetchInto(trusting, [`http://inside.rebind.test:${port}/a.txt`]);
        const asControl = heard;
        const guarded = await open(env);
        const names = ['inside', 'turning', 'both', 'mapped'];
        const [statuses, listed, told] = await Promise.all([
          fetchInto(
            guarded,
            names.map((name) => `http://${name}.rebind.test:${port}/a.txt`),
          ),
          asTeable(guarded, `http://turning-import.rebind.test:${port}`),
          tellAt(
            guarded,
            ['inside', 'turning-hook', 'mapped'].map((name) => `http://${name}.rebind.test:${port}/`),
          ),
        ]);
        const lookups = ['turning', 'turning-import'].map((name) => resolver.asked.get(`${name}.rebind.test`) ?? 0);
        return [
          ...unless(
            control === 201 && asControl === 1,
            `the control answered ${control}, and asked ${asControl} times`,
          ),
          ...statuses.flatMap((status, at) => unless(status === 400, `${names[at]} answered ${status}`)),
          ...told.flatMap((one) => unless(one !== '200', `a webhook ended with ${one}`)),
          ...unless(listed >= 400, `bases of another service were listed: ${listed}`),
          ...unless(heard === asControl, `the inner server was asked ${heard - asControl} times`),
          ...unless(
            lookups[0] === 1 && (lookups[1] as number) >= 1,
            `the names were looked up ${lookups.join()} times`,
          ),
        ];
      } finally {
        inner.close();
        resolver.close();
      }
    },
  },
];
