// What somebody without a credential may cost the others.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Ground } from '../ground.ts';
import { type Attack, type Scene, unless } from './attack.ts';

/** Milliseconds in which those that are too many have been cut off. */
const patience = 10_000;

const dial = async (origin: string, from: string): Promise<Socket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const statusOf = (url: string, from: string): Promise<number> =>
  new Promise((done) => {
    const sent = request(url, { localAddress: from, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode as number));
    });
    sent.on('error', () => done(0));
    sent.end();
  });

const post = (url: string, type: string, body: string): Promise<number> =>
  fetch(url, { method: 'POST', headers: { 'content-type': type }, body }).then(
    (answer) => answer.text().then(() => answer.status),
    // The connection was cut while the body was on its way.
    () => 413,
  );

const limited = new WeakMap<Scene, Promise<Ground>>();

/** An instance that takes little from one address, for both attacks from another one than all others come from. */
const limitedOf = (scene: Scene): Promise<Ground> => {
  const found =
    limited.get(scene) ?? scene.open({ ROWHOUSE_SOCKETS_PER_ADDRESS: '100', ROWHOUSE_ANONYMOUS_REQUESTS: '20' });
  limited.set(scene, found);
  return found;
};

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

export const attacks: Attack[] = [
  {
    name: 'a form of 65 kB of parameters freezes the process',
    isAnonymous: true,
    async run({ ground }) {
      const statuses = await times(20, () =>
        post(`${ground.baseUrl}/oauth/access_token`, 'application/x-www-form-urlencoded', 'a&'.repeat(32_500)),
      );
      return unless(
        statuses.every((status) => status === 400),
        `answered ${statuses.join()}`,
      );
    },
  },
  {
    name: 'a query string of thousands of parameters takes long to read',
    isAnonymous: true,
    async run({ ground }) {
      const query = Array.from({ length: 5_001 }, (_, at) => `a[${at}]`).join('&');
      const statuses = await times(20, () => statusOf(`${ground.baseUrl}/auth/user?${query}`, '127.0.0.1'));
      return unless(
        statuses.every((status) => status === 400),
        `answered ${statuses.join()}`,
      );
    },
  },
  {
    name: '52 MB of JSON are read before anybody asks who sends them',
    isAnonymous: true,
    async run({ ground }) {
      const before = ground.memory();
      const statuses = await times(4, () =>
        post(`${ground.baseUrl}/auth/signin`, 'application/json', `{"email":"${'x'.repeat(12_000_000)}"}`),
      );
      const grown = ground.memory() - before;
      return [
        ...unless(
          statuses.every((status) => status === 413),
          `answered ${statuses.join()}`,
        ),
        ...unless(grown < 200, `the server took ${grown} MB more`),
      ];
    },
  },
  {
    name: 'the sockets of one address leave none to others',
    async run(scene) {
      const ground = await limitedOf(scene);
      const sockets = await times(300, () => dial(ground.origin, '127.0.0.9'));
      const open = (): number => sockets.filter((socket) => !socket.closed).length;
      for (const deadline = Date.now() + patience; open() > 100 && Date.now() < deadline; )
        await new Promise((done) => setTimeout(done, 20));
      const kept = open();
      const other = await statusOf(`${ground.origin}/health`, '127.0.0.1');
      for (const socket of sockets) socket.destroy();
      return [
        ...unless(kept <= 100, `${kept} of 300 stayed open`),
        ...unless(other === 200, `another address was answered ${other}`),
      ];
    },
  },
  {
    name: 'pages, documents and addresses that lead nowhere are asked for without end',
    async run(scene) {
      const ground = await limitedOf(scene);
      const through: string[] = [];
      for (const path of ['/api/docs', '/api/openapi.json', '/', '/nothing', '/api/nothing', '/metrics']) {
        const statuses: number[] = [];
        for (let round = 0; round < 5; round += 1)
          statuses.push(...(await times(40, () => statusOf(`${ground.origin}${path}`, '127.0.0.9'))));
        through.push(...unless(statuses.includes(429), `${path} was never refused`));
      }
      return through;
    },
  },
  {
    name: 'the figures of the process are shown through a proxy',
    async run({ ground }) {
      const { status } = await fetch(`${ground.origin}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
      return unless(status === 401, `answered ${status}`);
    },
  },
];
