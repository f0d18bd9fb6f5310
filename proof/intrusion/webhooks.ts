// Webhooks that are to reach the network that the server is in: by another spelling of an address, or by a redirect.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhook, getWebhookDelivery, testWebhook } from '@rowhouse/contract/webhook.ts';
import { ground as newGround } from '../../test/support/table.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';
import { fetchInto, hosts } from './private-addresses.ts';

const listening = async (host: string, answer: RequestListener): Promise<{ port: number; close(): void }> => {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, host, done));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
};

/** Makes a webhook for each address and lets it send a test. Answers what became of it: refused, or what its first attempt says. */
export const tellAt = async (ground: Ground, urls: readonly string[]): Promise<string[]> => {
  const { call, baseId } = await newGround(ground);
  return Promise.all(
    urls.map(async (url, at) => {
      const body = { name: `Hook ${at}`, url, events: ['record.created' as const] };
      const made = await call(createWebhook, { params: { baseId }, body });
      if (made.status !== 201) return `refused ${made.status}`;
      const params = { baseId, webhookId: made.body.id };
      const deliveryId = (await call(testWebhook, { params })).body.id;
      for (const end = Date.now() + 30_000; Date.now() < end; ) {
        const { log } = (await call(getWebhookDelivery, { params: { ...params, deliveryId } })).body;
        if (log[0] !== undefined) return String(log[0].status ?? log[0].error);
        await new Promise((passed) => setTimeout(passed, 100));
      }
      return 'nothing was tried';
    }),
  );
};

export const attacks: Attack[] = [
  {
    name: 'a webhook is sent to an address of this machine, however it is written, or redirected to it',
    async run(scene) {
      let asked = 0;
      const inner = await listening('127.0.0.1', (_request, answer) => {
        asked += 1;
        answer.writeHead(200).end('inner');
      });
      const redirecting = await listening('127.0.0.2', (_request, answer) =>
        answer.writeHead(307, { location: `http://127.0.0.1:${inner.port}/` }).end(),
      );
      try {
        // The control: an instance that may, does. Another may reach the one that redirects, and nothing else.
        const open = await scene.open({ ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.1/32' });
        const [control] = await tellAt(open, [`http://127.0.0.1:${inner.port}/`]);
        const before = asked;
        const some = await scene.open({ ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.2/32' });
        const [redirected] = await tellAt(some, [`http://127.0.0.2:${redirecting.port}/`]);
        const told = await tellAt(
          scene.ground,
          hosts.map((host) => `http://${host}:${inner.port}/`),
        );
        return [
          ...unless(control === '200' && before === 1, `the control ended with ${control}`),
          ...unless(redirected === '307', `the redirect ended with ${redirected}`),
          ...told.flatMap((one, at) =>
            unless(/^refused 400$|not a public address|ENOTFOUND/.test(one), `${hosts[at]} ended with ${one}`),
          ),
          ...unless(asked === before, `the inner server was asked ${asked - before} times`),
        ];
      } finally {
        inner.close();
        redirecting.close();
      }
    },
  },
  {
    name: 'a receiver, and a server that a file is fetched from, offers another protocol and keeps the places of others',
    async run(scene) {
      let isOffering = true;
      const offering = await listening('127.0.0.1', (request, answer) => {
        if (isOffering)
          request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n');
        else answer.writeHead(200, { 'content-type': 'text/plain' }).end('here');
      });
      try {
        const open = await scene.open({ ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.1/32', ROWHOUSE_FETCH_PRIVATE: 'yes' });
        const url = `http://127.0.0.1:${offering.port}/a.txt`;
        const offered = await tellAt(open, Array<string>(10).fill(url));
        const fetched = await fetchInto(open, [url, url]);
        isOffering = false;
        const [told] = await tellAt(open, [url]);
        const [control] = await fetchInto(open, [url]);
        return [
          ...unless(
            offered.every((one) => one.includes('ended without an answer')),
            `deliveries ended with ${[...new Set(offered)].join()}`,
          ),
          ...unless(fetched.join() === '400,400', `fetching answered ${fetched.join()}`),
          ...unless(told === '200' && control === 201, `the control ended with ${told} and ${control}`),
        ];
      } finally {
        offering.close();
      }
    },
  },
];
