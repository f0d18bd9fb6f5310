// The audit log as a stream for a SIEM: to a file or an address, each act at least once under the id that it has everywhere.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAdminHealth } from '@rowhouse/contract/admin-health.ts';
import { listInstanceAudit } from '@rowhouse/contract/admin-audit.ts';
import { updateSetting } from '@rowhouse/contract/setting.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { sql } from '../../server/db/sql.ts';
import { removeOldAudit } from '../../server/domain/audit/jobs.ts';
import { jobRests } from '../support/jobs.sql.ts';
import { type Person, person } from '../support/people.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDatabase, openWorld, type LocalWorld } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const limits = [501, 502, 503, 504, 505, 506];
/** As many entries. */
const change = async (admin: Person, times: number): Promise<string[]> => {
  const act = await admin.withSession();
  for (const invitationsPerHour of limits.slice(0, times)) await act(updateSetting, { body: { invitationsPerHour } });
  const { body } = await act(listInstanceAudit, { query: { action: 'setting.changed', take: 500 } });
  return body.items.map(({ id }) => id).toReversed();
};

const idsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);

const healthOf = async (admin: Person) => (await admin.call(getAdminHealth)).body.auditStream;

const withWorld = async (
  config: Parameters<typeof openWorld>[1],
  work: (world: LocalWorld, admin: Person) => Promise<void>,
): Promise<void> => {
  const database = await createDatabase();
  const world = await openWorld(database.url, config);
  try {
    await work(world, await person(world, { admin: true }));
  } finally {
    await world.close();
    await database.drop();
  }
};

test('every act is appended to the file once, by two processes, and a line that was cut off stays by itself', async () => {
  const file = join(folder, 'audit.jsonl');
  writeFileSync(file, '{"id":"half of a li');
  await withWorld({ auditStream: { file } }, async (world, admin) => {
    const second = await openWorld(world.databaseUrl, { auditStream: { file } });
    const ids = await change(admin, 4);
    expect(ids).toHaveLength(4);
    await vi.waitFor(
      async () => {
        second.services.work.hurry('stream-audit');
        expect((await healthOf(admin))?.backlog).toBe(0);
      },
      { timeout: 20_000, interval: 200 },
    );
    const [cut, ...lines] = readFileSync(file, 'utf8').split('\n');
    expect(cut).toBe('{"id":"half of a li');
    expect(idsIn(lines.join('\n'))).toEqual(expect.arrayContaining(ids));
    expect(new Set(idsIn(lines.join('\n'))).size).toBe(idsIn(lines.join('\n')).length);
    const [entry] = (await admin.call(listInstanceAudit, { query: { action: 'setting.changed', take: 1 } })).body.items;
    expect(lines.map((line) => (line === '' ? null : JSON.parse(line)))).toContainEqual(entry);
    const health = await healthOf(admin);
    expect(health).toMatchObject({ target: 'file', backlog: 0, oldestTime: null, error: null });
    expect(Date.parse(health?.sentTime ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await second.close();
  });
  expect(statSync(file).size).toBeGreaterThan(0);
});

test('entries wait for an address that refuses, none is removed meanwhile, and all arrive when it takes them again', async () => {
  const receiver = await startReceiver();
  receiver.answer(503);
  const auditStreamToken = 'a token for the receiver';
  const config = { auditStream: { url: receiver.url }, auditStreamToken, webhookNetworks: ['127.0.0.0/8'] };
  await withWorld(config, async (world, admin) => {
    const ids = await change(admin, 3);
    await vi.waitFor(
      async () => {
        world.services.work.hurry('stream-audit');
        expect((await healthOf(admin))?.error).toBe('the receiver answered 503');
      },
      { timeout: 20_000, interval: 200 },
    );
    const waiting = await healthOf(admin);
    expect(waiting?.backlog).toBe(3);
    expect(waiting?.oldestTime).not.toBeNull();
    const { parts } = (await admin.call(getAdminHealth)).body;
    expect(parts.find(({ name }) => name === 'Stream of the audit log')).toMatchObject({ state: 'problem' });
    await world.db.query(sql`update rowhouse.audit_log set time = now() - interval '3 years'`);
    await removeOldAudit(world.services);
    expect((await healthOf(admin))?.backlog).toBe(3);
    receiver.answer(200);
    await vi.waitFor(
      async () => {
        world.services.work.hurry('stream-audit');
        expect((await healthOf(admin))?.backlog).toBe(0);
      },
      { timeout: 20_000, interval: 200 },
    );
    const last = receiver.received.at(-1);
    expect(idsIn(last?.body ?? '')).toEqual(ids);
    expect(last?.headers).toMatchObject({
      authorization: `Bearer ${auditStreamToken}`,
      'content-type': 'application/x-ndjson',
    });
    await removeOldAudit(world.services);
    expect(await world.db.query(sql`select from rowhouse.audit_log`)).toEqual([]);
  });
  await receiver.stop();
});

test('what is committed late is sent, though later acts were sent before', async () => {
  const file = join(folder, 'late.jsonl');
  await withWorld({ auditStream: { file } }, async (world, admin) => {
    const { db, services } = world;
    const sent = async (count: number): Promise<void> =>
      vi.waitFor(
        async () => {
          services.work.hurry('stream-audit');
          expect(idsIn(readFileSync(file, 'utf8'))).toHaveLength(count);
        },
        { timeout: 20_000, interval: 200 },
      );
    let go: () => void = () => undefined;
    const gate = new Promise<void>((open) => (go = open));
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((done) => (begun = done));
    const late = db.transaction(async (tx) => {
      await tx.query(
        sql`insert into rowhouse.audit_log (action, via, space_ids) values ('mail.tested', 'operator', '{}')`,
      );
      begun();
      await gate;
    });
    await hasBegun;
    const ids = await change(admin, 2);
    await sent(2);
    go();
    await late;
    await sent(3);
    const [first, second, third] = idsIn(readFileSync(file, 'utf8'));
    expect([first, second]).toEqual(ids);
    expect(Number(third)).toBeLessThan(Number(first));
  });
});

test('addresses of private networks are refused, and so is plain HTTP to the Internet', async () => {
  const receiver = await startReceiver();
  for (const [url, because] of [
    [receiver.url, 'plain HTTP stays in networks of your own'],
    [receiver.url.replace('http:', 'https:'), 'is not a public address'],
    ['http://93.184.216.34/', 'plain HTTP stays in networks of your own'],
  ] as const)
    await withWorld({ auditStream: { url } }, async (world, admin) => {
      await jobRests(world.db, 'stream-audit');
      await change(admin, 1);
      world.services.work.hurry('stream-audit');
      await vi.waitFor(async () => expect((await healthOf(admin))?.error).toContain(because), { timeout: 20_000 });
      expect((await healthOf(admin))?.backlog).toBe(1);
    });
  expect(receiver.received).toEqual([]);
  await receiver.stop();
});

test('the setting is a file or an address, and nothing else', () => {
  const read = (value: string) => readConfig({ ROWHOUSE_AUDIT_STREAM: value }).auditStream;
  expect(read('')).toBeNull();
  expect(read('/var/log/audit.jsonl')).toEqual({ file: '/var/log/audit.jsonl' });
  expect(read('https://siem.example.com/in?x=1')).toEqual({ url: 'https://siem.example.com/in?x=1' });
  for (const wrong of ['audit.jsonl', 'ftp://example.com', 'yes', 'https://'])
    expect(() => read(wrong), wrong).toThrow('ROWHOUSE_AUDIT_STREAM must be');
});
