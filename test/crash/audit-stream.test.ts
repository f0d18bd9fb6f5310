// The server is killed while its audit log is under way to the receiver, before and after it was taken: every act that was answered arrives,
// under an id of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { credentialsIn, type Known, request, serve, until, usedDataFolder } from '../support/program.ts';

interface Line {
  id: string;
  payload: { invitationsPerHour?: { after: number } };
}

type OnBatch = (answer: () => void) => void;

/** Takes what is sent to it; `onBatch` decides when it answers. */
const openReceiver = async () => {
  const lines: string[] = [];
  const receiver = { lines, onBatch: ((answer) => answer()) as OnBatch };
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (part: Buffer) => void (body += part.toString()));
    incoming.on('end', () => {
      lines.push(...body.split('\n').filter((line) => line !== ''));
      receiver.onBatch(() => response.writeHead(204).end());
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { receiver, url, stop: () => server.close() };
};

test('after kill -9 in the middle of streaming nothing is lost', { timeout: 240_000 }, async () => {
  const { receiver, url, stop } = await openReceiver();
  const data = usedDataFolder();
  const env = { ROWHOUSE_DATA: data, ROWHOUSE_AUDIT_STREAM: url, ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8' };
  const answered: number[] = [];
  let value = 1_000;
  const act = async (origin: string, known: Known): Promise<void> => {
    const wanted = (value += 1);
    const answer = await request(origin, known, 'PATCH', '/admin/setting', { invitationsPerHour: wanted });
    expect(answer.status).toBe(200);
    answered.push(wanted);
  };
  for (const moment of ['before it answers', 'as it answers'] as const) {
    const server = await serve(env);
    const known = credentialsIn(data);
    const killed = new Promise<void>((done) => {
      receiver.onBatch = (answer) => {
        if (moment === 'as it answers') answer();
        server.kill('SIGKILL');
        done();
      };
    });
    for (let n = 0; n < 5; n += 1) await act(server.origin, known).catch(() => undefined);
    await killed;
    expect(await server.ended).toBe('SIGKILL');
  }
  expect(answered.length).toBeGreaterThan(1);
  const early = receiver.lines.length;
  expect(early).toBeGreaterThan(0);
  receiver.onBatch = (answer) => answer();
  const last = await serve(env);
  const known = credentialsIn(data);
  await until('everything was sent', async () => {
    const answer = await request(last.origin, known, 'GET', '/admin/health');
    return ((await answer.json()) as { auditStream: { backlog: number } }).auditStream.backlog === 0;
  });
  last.kill('SIGTERM');
  await last.ended;
  stop();
  const lines = receiver.lines.map((line) => JSON.parse(line) as Line);
  const seen = new Set(lines.map(({ payload }) => payload.invitationsPerHour?.after));
  expect(answered.filter((one) => !seen.has(one))).toEqual([]);
  // What was under way when the server died came again, as the same act.
  expect(new Set(receiver.lines).size).toBe(new Set(lines.map(({ id }) => id)).size);
  expect(receiver.lines.length).toBeGreaterThan(new Set(receiver.lines).size);
});
