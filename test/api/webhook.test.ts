// Webhooks against a receiver of the test: what is told, in which order, what becomes of failures, and who may.
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deleteBase } from '@rowhouse/contract/base.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords, deleteRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createView } from '@rowhouse/contract/view.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  resendWebhookDeliveries,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@rowhouse/contract/webhook.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { answerLimit } from '../../server/domain/record/read/json.sql.ts';
import { startDeadEnd } from '../support/receiver.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ webhookNetworks: ['127.0.0.0/8'] });

interface Heard {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  type: string;
  data: Record<string, unknown>;
}

/** By the first part of the path: what arrived, and what is answered. */
const heard = new Map<string, Heard[]>();
const answers = new Map<string, (one: Heard) => number>();
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    const key = (request.url ?? '').slice(1);
    const { type, data } = JSON.parse(body) as Pick<Heard, 'type' | 'data'>;
    const one: Heard = { id: String(request.headers['webhook-id']), headers: request.headers, body, type, data };
    heard.set(key, [...(heard.get(key) ?? []), one]);
    const status = answers.get(key)?.(one) ?? 200;
    if (status === 101) {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n');
      return;
    }
    response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end('{"seen":true}');
  });
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await sleep(20);
};
const at = (key: string): Heard[] => heard.get(key) ?? [];
/** But for those that are being sent: their time is the end of a lease. */
const dueNow = (): Promise<unknown> =>
  world().db.query(
    sql`with due as (update rowhouse.webhook_deliveries d set due_time = now() where state = 'waiting' and due_time > now()
          and attempts = (select count(*) from rowhouse.webhook_attempts a where a.delivery = d.seq))
        update rowhouse.jobs set due_time = now() where kind in ('deliver-webhook', 'find-deliveries') and state = 'waiting'`,
  );

/** A base with a table Name, Count, and a webhook that sends to its own path. */
const hooked = async (key: string, given: Record<string, unknown> = {}) => {
  const { owner, table, baseId, spaceId } = await openWorkshop(world());
  const made = await table({
    records: [],
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Count', type: 'number' },
    ],
  });
  const [name, count] = made.fields.map(({ id }) => id) as [string, string];
  const webhook = await owner.call(createWebhook, {
    params: { baseId },
    body: {
      name: key,
      url: `${origin}/${key}`,
      events: ['record.created', 'record.updated', 'record.deleted', 'record.restored', 'comment.changed'],
      ...given,
      ...(typeof given['only'] === 'function' ? (given['only'] as (table: typeof made) => object)(made) : {}),
    },
  });
  expect(webhook.status, JSON.stringify(webhook.error)).toBe(201);
  const tableParams = { tableId: made.id };
  const create = async (...rows: object[]): Promise<string[]> =>
    (
      await owner.call(createRecords, {
        params: tableParams,
        body: { fieldKeyType: 'name', records: rows.map((fields) => ({ fields: fields as Record<string, unknown> })) },
      })
    ).body.records.map(({ id }) => id);
  const update = (id: string, fields: Record<string, unknown>) =>
    owner.call(updateRecords, { params: tableParams, body: { fieldKeyType: 'name', records: [{ id, fields }] } });
  const params = { baseId, webhookId: webhook.body.id };
  return {
    owner,
    baseId,
    spaceId,
    table: made,
    tableParams,
    name,
    count,
    webhook: webhook.body,
    params,
    create,
    update,
  };
};

const isSignedBy = ({ headers, body, id }: Heard, secret: string): boolean => {
  const text = `${id}.${String(headers['webhook-timestamp'])}.${body}`;
  const wanted = `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(text)
    .digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(wanted);
};

test('tells of records with their cells before and after, signed by secret and by key', async () => {
  const { owner, create, update, table, tableParams, name, count, webhook } = await hooked('whole');
  const [id] = (await create({ Name: 'one', Count: 1 })) as [string];
  await update(id, { Count: 2 });
  await update(id, { Count: null });
  await owner.call(createComment, {
    params: { tableId: table.id, recordId: id },
    body: { content: [{ type: 'p', children: [{ type: 'span', value: 'hello' }] }] },
  });
  const deleted = await owner.call(deleteRecords, { params: tableParams, query: { recordIds: [id] } });
  const operationId = deleted.headers.get('x-operation-id') as string;
  await owner.call(restoreHistory, { params: tableParams, body: { operationId } });
  await until(() => at('whole').length >= 6);
  expect(at('whole').map(({ type, data }) => [type, data['fields'], data['before'], data['fieldIds']])).toEqual([
    ['record.created', { [name]: 'one', [count]: 1 }, undefined, undefined],
    ['record.updated', { [name]: 'one', [count]: 2 }, { [count]: 1 }, [count]],
    ['record.updated', { [name]: 'one' }, { [count]: 2 }, [count]],
    ['comment.changed', undefined, undefined, undefined],
    ['record.deleted', undefined, { [name]: 'one' }, undefined],
    ['record.restored', { [name]: 'one' }, undefined, undefined],
  ]);
  expect(at('whole').every(({ data }) => data['recordId'] === id)).toBe(true);
  const key = createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(webhook.publicKey.slice('whpk_'.length), 'base64'),
    ]),
    type: 'spki',
    format: 'der',
  });
  for (const one of at('whole')) {
    expect(isSignedBy(one, webhook.secret)).toBe(true);
    const asymmetric = String(one.headers['webhook-signature'])
      .split(' ')
      .find((text) => text.startsWith('v1a,'));
    const text = Buffer.from(`${one.id}.${String(one.headers['webhook-timestamp'])}.${one.body}`);
    expect(verify(null, text, key, Buffer.from((asymmetric as string).slice(4), 'base64'))).toBe(true);
  }
});

test('tells only what is asked for: watched fields, a condition before and after, a view; by name, without cells', async () => {
  const { update, create, name, params, owner, count } = await hooked('some', {
    only: (table: { id: string; fields: { id: string }[] }) => ({
      events: ['record.updated'],
      tableIds: [table.id],
      fieldIds: [table.fields[1]?.id as string],
      filter: {
        before: { conjunction: 'and', filterSet: [{ fieldId: table.fields[1]?.id, operator: 'isLess', value: 10 }] },
        after: {
          conjunction: 'and',
          filterSet: [{ fieldId: table.fields[1]?.id, operator: 'isGreaterEqual', value: 10 }],
        },
      },
      fieldKeyType: 'name',
    }),
  });
  const [id] = (await create({ Name: 'one', Count: 1 })) as [string];
  await update(id, { Name: 'two' });
  await update(id, { Count: 5 });
  await update(id, { Count: 15 });
  await update(id, { Count: 16 });
  await until(() => at('some').length >= 1);
  expect(at('some').map(({ type, data }) => [type, data['fields'], data['before']])).toEqual([
    ['record.updated', { Name: 'two', Count: 15 }, { Count: 5 }],
  ]);
  const view = await owner.call(createView, {
    params: { tableId: at('some')[0]?.data['tableId'] as string },
    body: {
      name: 'Large',
      type: 'grid',
      filter: { conjunction: 'and', filterSet: [{ fieldId: count, operator: 'isGreater', value: 10 }] },
    },
  });
  const changed = await owner.call(updateWebhook, {
    params,
    body: {
      events: ['view.entered', 'view.left'],
      viewId: view.body.id,
      filter: null,
      fieldIds: null,
      withValues: false,
    },
  });
  expect(changed.status, JSON.stringify(changed.error)).toBe(200);
  await update(id, { Count: 1 });
  await update(id, { Name: 'three' });
  await update(id, { Count: 20 });
  await until(() => at('some').length >= 3);
  expect(
    at('some')
      .slice(1)
      .map(({ type, data }) => [type, data['fields'], data['viewId']]),
  ).toEqual([
    ['view.left', undefined, view.body.id],
    ['view.entered', undefined, view.body.id],
  ]);
  expect(name).toBeTruthy();
});

test('a watched formula is told of when a cell that it is computed from is written, without what it was', async () => {
  const { owner, create, update, tableParams, params, name, count } = await hooked('formula', {
    events: ['record.updated'],
  });
  const formula = await owner.call(createField, {
    params: tableParams,
    body: { name: 'Twice', type: 'formula', options: { expression: `{${count}} * 2` } },
  });
  const changed = await owner.call(updateWebhook, {
    params,
    body: { tableIds: [tableParams.tableId], fieldIds: [formula.body.id] },
  });
  expect(changed.status, JSON.stringify(changed.error)).toBe(200);
  const [id] = (await create({ Name: 'one', Count: 1 })) as [string];
  await update(id, { Name: 'two' });
  await update(id, { Count: 5 });
  await until(() => at('formula').length >= 1);
  expect(at('formula').map(({ data }) => [data['fields'], data['before'], data['fieldIds']])).toEqual([
    [{ [name]: 'two', [count]: 5, [formula.body.id]: 10 }, { [count]: 1 }, [count, formula.body.id]],
  ]);
});

test('a delivery that fails holds up its own record and no other; it is tried again under the same id', async () => {
  let isBroken = true;
  const { create, update, params, owner } = await hooked('order');
  const [first, second] = (await create({ Name: 'one' }, { Name: 'two' })) as [string, string];
  await until(() => at('order').length >= 2);
  heard.set('order', []);
  answers.set('order', ({ data }) => (isBroken && data['recordId'] === first ? 302 : 204));
  for (const value of [1, 2, 3]) {
    await update(first, { Count: value });
    await update(second, { Count: value });
  }
  const of = (id: string): Heard[] => at('order').filter(({ data }) => data['recordId'] === id);
  await until(() => of(second).length >= 3 && of(first).length >= 1);
  // It may have been tried again by now, but nothing behind it was sent.
  expect(new Set(of(first).map(({ id }) => id)).size).toBe(1);
  const waiting = await owner.call(listWebhookDeliveries, { params, query: { state: 'waiting', search: first } });
  expect(waiting.body.deliveries).toHaveLength(3);
  const deliveryId = of(first)[0]?.id as string;
  const failed = async () => (await owner.call(getWebhookDelivery, { params: { ...params, deliveryId } })).body;
  // What became of an attempt is noted behind the answer.
  await until(async () => (await failed()).log.length > 0);
  const { state, log } = await failed();
  expect(state).toBe('waiting');
  expect(log.find(({ attempt }) => attempt === 1)).toMatchObject({ status: 302, answer: '{"seen":true}' });
  isBroken = false;
  const different = (): Heard[] => [...new Map(of(first).map((one) => [one.id, one])).values()];
  await until(async () => (await dueNow(), different().length >= 3));
  expect(of(first)[1]?.id).toBe(deliveryId);
  const counts = of(first).map(({ data }) => Object.values(data['fields'] as object).at(-1) as number);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(different().map(({ data }) => Object.values(data['fields'] as object).at(-1))).toEqual([1, 2, 3]);
});

test('records that hold more together than an answer may are told of, and what comes behind them', async () => {
  const { create, owner, params, tableParams, name } = await hooked('large', { events: ['record.restored'] });
  const usual = answerLimit.bytes;
  onTestFinished(() => void (answerLimit.bytes = usual));
  answerLimit.bytes = 100_000;
  const text = 'x'.repeat(40_000);
  const ids = [
    ...(await create({ Name: text }, { Name: text })),
    ...(await create({ Name: text }, { Name: text })),
    ...(await create({ Name: 'small' })),
  ];
  const deleted = await owner.call(deleteRecords, { params: tableParams, query: { recordIds: ids } });
  const operationId = deleted.headers.get('x-operation-id') as string;
  const restored = await owner.call(restoreHistory, { params: tableParams, body: { operationId } });
  expect(restored.status, JSON.stringify(restored.error)).toBe(200);
  await until(() => at('large').length >= 5);
  const told = at('large').map(({ data }) => (data['fields'] as Record<string, string>)[name]?.length);
  expect(told.toSorted()).toEqual([40_000, 40_000, 40_000, 40_000, 5]);
  await until(async () => (await owner.call(getWebhook, { params })).body.waiting === 0);
});

test('a receiver that offers another protocol has not answered: its place is free for the next attempt', async () => {
  let offers = 0;
  answers.set('offer', () => ((offers += 1) <= 9 ? 101 : 200));
  const { owner, params } = await hooked('offer');
  const { id: deliveryId } = (await owner.call(testWebhook, { params })).body;
  const delivery = async () => (await owner.call(getWebhookDelivery, { params: { ...params, deliveryId } })).body;
  // More often than one receiver is asked at once.
  await until(async () => (await dueNow(), (await delivery()).state === 'delivered'));
  expect((await delivery()).log.find(({ attempt }) => attempt === 1)).toMatchObject({
    error: 'the connection ended without an answer',
  });
});

test('receivers that never answer take at most three quarters of the places: a neighbour is told at once', async () => {
  const deadEnd = await startDeadEnd();
  onTestFinished(() => deadEnd.stop());
  const { owner, baseId, create } = await hooked('beside-dead-ends', { url: deadEnd.url });
  // Each alone would take eight of the 64.
  for (let more = 1; more < 10; more += 1) {
    const body = { name: `dead end ${more}`, url: deadEnd.url, events: ['record.created' as const] };
    expect((await owner.call(createWebhook, { params: { baseId }, body })).status).toBe(201);
  }
  await create(...Array.from({ length: 12 }, (_, count) => ({ Count: count })));
  await until(() => deadEnd.mostAtOnce() >= 48);

  const neighbour = await hooked('neighbour');
  const [id] = await neighbour.create({ Name: 'quiet' });
  await until(() => at('neighbour').some(({ data }) => data['recordId'] === id));
  expect(deadEnd.mostAtOnce()).toBe(48);
});

test('after ten failures it is paused and owners are told; turned on, everything that waited arrives', async () => {
  answers.set('dead', () => 500);
  const { create, owner, params } = await hooked('dead');
  await create({ Name: 'one' });
  await until(async () => {
    await dueNow();
    return (await owner.call(getWebhook, { params })).body.state === 'paused';
  });
  expect(at('dead')).toHaveLength(10);
  expect(new Set(at('dead').map(({ id }) => id)).size).toBe(1);
  await create({ Name: 'two' });
  await until(async () => (await owner.call(getWebhook, { params })).body.waiting === 2);
  await until(async () =>
    (await owner.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications.some(
      ({ message }) => message.includes('The webhook dead of the base'),
    ),
  );
  answers.set('dead', () => 200);
  heard.set('dead', []);
  expect((await owner.call(updateWebhook, { params, body: { isOn: true } })).body.state).toBe('on');
  await until(() => at('dead').length >= 2);
  expect(at('dead').map(({ data }) => Object.values(data['fields'] as object)[0])).toEqual(['one', 'two']);
});

test('410 turns it off; what happens then is not told later', async () => {
  answers.set('gone', () => 410);
  const { create, owner, params } = await hooked('gone');
  await create({ Name: 'one' });
  await until(async () => (await owner.call(getWebhook, { params })).body.state === 'off');
  await create({ Name: 'meanwhile' });
  answers.set('gone', () => 200);
  heard.set('gone', []);
  await owner.call(updateWebhook, { params, body: { isOn: true } });
  await create({ Name: 'two' });
  await until(() => at('gone').length >= 2);
  expect(at('gone').map(({ data }) => Object.values(data['fields'] as object)[0])).toEqual(['one', 'two']);
});

test('deliveries can be sent again: a test, one, all since a moment; both secrets sign while one is rotated', async () => {
  const { create, owner, params, webhook } = await hooked('again');
  const since = new Date().toISOString();
  expect((await owner.call(testWebhook, { params })).status).toBe(201);
  await create({ Name: 'one' });
  await until(() => at('again').length >= 2);
  const { body: rotated } = await owner.call(rotateWebhookSecret, { params });
  await until(async () => (await owner.call(getWebhook, { params })).body.waiting === 0);
  const [latest] = (await owner.call(listWebhookDeliveries, { params })).body.deliveries;
  await owner.call(resendWebhookDelivery, { params: { ...params, deliveryId: latest?.id as string } });
  await until(() => at('again').length >= 3);
  expect(at('again')[2]?.id).toBe(latest?.id);
  for (const secret of [webhook.secret, rotated.secret]) expect(isSignedBy(at('again')[2] as Heard, secret)).toBe(true);
  await until(async () => (await owner.call(getWebhook, { params })).body.waiting === 0);
  expect((await owner.call(resendWebhookDeliveries, { params, body: { since } })).body).toEqual({ count: 2 });
  await until(() => at('again').length >= 5);
  const stored = JSON.stringify(
    await world().db.query(sql`select * from rowhouse.webhooks where id = ${params.webhookId}`),
  );
  for (const secret of [webhook.secret, rotated.secret]) expect(stored.includes(secret)).toBe(false);
  expect((await owner.call(deleteWebhook, { params })).status).toBe(200);
  expect((await owner.call(getWebhook, { params })).status).toBe(404);
});

test('when the person it acts as is shut out it stops with a reason; somebody else can turn it on, and nothing is lost', async () => {
  const { create, owner, params } = await hooked('shut');
  await world().db.query(
    sql`update rowhouse.webhooks set acts_as = jsonb_set(acts_as, '{userId}', '"usrNobody000000000"') where id = ${params.webhookId}`,
  );
  await create({ Name: 'one' });
  await until(async () => (await owner.call(getWebhook, { params })).body.state === 'stopped');
  expect((await owner.call(getWebhook, { params })).body.reason).toContain('not valid any more');
  expect(at('shut')).toEqual([]);
  await owner.call(updateWebhook, { params, body: { isOn: true } });
  await until(() => at('shut').length >= 1);
});

test('private addresses, other protocols and what is not in the base are refused', async () => {
  const { owner, baseId, table } = await hooked('refused');
  const body = { name: 'x', url: `${origin}/x`, events: ['record.created' as const] };
  for (const url of [
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/',
    'ftp://example.com/',
    'http://a:b@example.com/',
    'x',
  ])
    expect((await owner.call(createWebhook, { params: { baseId }, body: { ...body, url } })).status, url).toBe(400);
  for (const wrong of [
    { tableIds: ['tblNone000000000000'] },
    { fieldIds: [table.fields[0]?.id as string] },
    { events: ['view.left' as const] },
  ])
    expect(
      (await owner.call(createWebhook, { params: { baseId }, body: { ...body, ...wrong } })).status,
    ).toBeGreaterThanOrEqual(400);
  const { body: resolved } = await owner.call(createWebhook, {
    params: { baseId },
    body: { ...body, url: 'http://localhost.:1/', name: 'name' },
  });
  await owner.call(createField, { params: { tableId: table.id }, body: { type: 'singleLineText', name: 'More' } });
  expect(resolved.state).toBe('on');
  expect((await owner.call(deleteBase, { params: { baseId } })).status).toBe(200);
});
