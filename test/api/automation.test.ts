// Automations over HTTP: what starts them, what their steps write, exactly what a test shows, and how they end when something is gone.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  activateAutomation,
  callAutomation,
  cancelAutomationRun,
  createAutomation,
  deactivateAutomation,
  getAutomation,
  listAutomations,
  resumeAutomationRun,
  rotateAutomationAddress,
  testAutomation,
  updateAutomation,
} from '@rowhouse/contract/automation.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { createComment, listComments } from '@rowhouse/contract/comment.ts';
import { convertField, createField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { submitForm } from '@rowhouse/contract/form.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { importRecords } from '@rowhouse/contract/import.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords, deleteRecords, listRecords } from '@rowhouse/contract/record.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { startByButton } from '../../server/domain/automation/start-by-button.ts';
import { upload } from '../support/base-file.ts';
import { openAutomations, until } from '../support/automations.ts';
import { caller } from '../support/caller.ts';
import { howMany } from '../support/cases.ts';
import { member } from '../support/workspace.ts';
import { openWorld, useWorld } from '../support/world.ts';

const world = useWorld({ webhookNetworks: ['127.0.0.0/8'] });

interface Heard {
  path: string;
  id: string;
  body: string;
}
const heard: Heard[] = [];
const answers = new Map<string, () => number>();
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const path = (request.url ?? '').slice(1);
    heard.push({ path, id: String(request.headers['webhook-id']), body: Buffer.concat(parts).toString() });
    response.writeHead(answers.get(path)?.() ?? 200).end('{"price":{"net":12.5}}');
  });
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const hurry = (): Promise<unknown> =>
  world().db.query(
    sql`with due as (update rowhouse.automation_runs set due_time = now() where state = 'running' and due_time > now())
        update rowhouse.jobs set due_time = now() where kind in ('run-automations', 'find-runs', 'start-by-time') and state = 'waiting'`,
  );

const workshop = () => openAutomations(world());

test('a new record runs the steps with its values, as the person who published it, and history says it was an automation', async () => {
  const { create, orders, automation, ended, texts, logs, owner, baseId } = await workshop();
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    logs('{trigger.Name}: {= {trigger.Count} * 2}, \\{by {trigger.by}\\}'),
    {
      type: 'updateRecord',
      id: 'mark',
      tableId: orders.id,
      recordId: { formula: '{trigger.recordId}' },
      fields: { Count: { formula: '{trigger.Count} + 1' } },
    },
  ]);
  expect(made).toMatchObject({ state: 'on', hasDraft: false, issues: [], actsAs: { name: 'Owner' } });
  const [id] = (await create({ Name: 'one', Count: 20 })) as [string];
  const [run] = await ended(made.id);
  expect(run).toMatchObject({ state: 'success', recordId: id, recordName: 'one', depth: 1, chain: [] });
  expect(run?.steps.map(({ path, stepId, state }) => ({ path, stepId, state }))).toEqual([
    { path: '0', stepId: 'log', state: 'success' },
    { path: '1', stepId: 'mark', state: 'success' },
  ]);
  expect(await texts()).toEqual(['one: 40, {by Owner}']);
  // It began before any of its steps was done.
  expect(
    await world().db.query(
      sql`select s.path from rowhouse.automation_runs r join rowhouse.automation_steps s on s.run = r.seq
          where r.automation_id = ${made.id} and r.started_time > s.time`,
    ),
  ).toEqual([]);
  const { records } = (await owner.call(listRecords, { params: { tableId: orders.id }, query: {} })).body;
  expect(records[0]?.fields).toMatchObject({ Count: 21 });
  const operations = await world().db.query<{ client: string | null; kind: string }>(
    sql`select client_id as client, kind from ${sql.id(baseId, '__operation')} where kind in ('create', 'update') order by id`,
  );
  expect(operations.map(({ client }) => client)).toEqual([null, run?.id, run?.id]);
});

test('an update starts it by watched fields and condition; a condition on the transition only', async () => {
  const { create, update, orders, count, name, automation, ended, texts, logs } = await workshop();
  const watched = await automation({ type: 'recordUpdated', tableId: orders.id, fieldIds: ['Count'] }, [
    logs('watched {trigger.before.Count}→{trigger.Count}'),
  ]);
  const large = { conjunction: 'and' as const, filterSet: [{ fieldId: count, operator: 'isGreater', value: 10 }] };
  const matching = await automation({ type: 'recordMatches', tableId: orders.id, filter: large }, [
    logs('large {trigger.Name}'),
  ]);
  expect(watched.trigger).toMatchObject({ fieldIds: [count] });
  expect(name).not.toBe(count);
  const [id] = (await create({ Name: 'a', Count: 1 })) as [string];
  await update(id, { Name: 'b' });
  await update(id, { Count: 5 });
  await update(id, { Count: 11 });
  await update(id, { Count: 12 });
  await update(id, { Count: 3 });
  await update(id, { Count: 20 });
  await ended(watched.id, 5);
  await ended(matching.id, 2);
  await sleep(300);
  expect((await texts()).toSorted()).toEqual(
    ['large b', 'large b', 'watched 1→5', 'watched 5→11', 'watched 11→12', 'watched 12→3', 'watched 3→20'].toSorted(),
  );
});

test('conditions, loops over found records, upserts and deletions', async () => {
  const { create, orders, log, automation, ended, texts, owner, text } = await workshop();
  await owner.call(createRecords, {
    params: { tableId: log.id },
    body: { fieldKeyType: 'name', records: ['x', 'y', 'z', 'gone'].map((value) => ({ fields: { Text: value } })) },
  });
  const found = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: text, operator: 'isNot', value: { formula: '{trigger.Name}' } }],
  };
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    { type: 'findRecords', id: 'found', tableId: log.id, filter: found, sort: [{ fieldId: text, order: 'asc' }] },
    {
      type: 'forEach',
      id: 'each',
      of: 'found',
      steps: [
        {
          type: 'if',
          id: 'isX',
          condition: { formula: '{each.Text} = "x"' },
          then: [{ type: 'deleteRecord', id: 'drop', tableId: log.id, recordId: { formula: '{each.recordId}' } }],
          else: [
            {
              type: 'updateRecord',
              id: 'number',
              tableId: log.id,
              recordId: { formula: '{each.recordId}' },
              fields: { Text: { template: '{each.Text}{each.index} of {found.count}' } },
            },
          ],
        },
      ],
    },
    { type: 'upsertRecord', id: 'up', tableId: log.id, matchFieldIds: ['Text'], fields: { Text: 'gone' } },
    { type: 'upsertRecord', id: 'up2', tableId: log.id, matchFieldIds: ['Text'], fields: { Text: 'new' } },
  ]);
  await create({ Name: 'gone' });
  const [run] = await ended(made.id);
  expect(run?.error).toBeUndefined();
  expect(run?.steps.map(({ path }) => path)).toEqual([
    '0',
    '1',
    '1/0:3/0',
    '1/0:3/0/then/0',
    '1/1:3/0',
    '1/1:3/0/else/0',
    '1/2:3/0',
    '1/2:3/0/else/0',
    '2',
    '3',
  ]);
  expect((await texts()).toSorted()).toEqual(['gone', 'new', 'y1 of 3', 'z2 of 3']);
});

test('a form, a comment, a view and an incoming call start it; people are notified and records commented on', async () => {
  const { create, update, orders, count, name, automation, ended, texts, logs, owner, baseId } = await workshop();
  const form = (await owner.call(createView, { params: { tableId: orders.id }, body: { name: 'Form', type: 'form' } }))
    .body;
  const filter = { conjunction: 'and' as const, filterSet: [{ fieldId: count, operator: 'isGreater', value: 100 }] };
  const view = (
    await owner.call(createView, { params: { tableId: orders.id }, body: { name: 'Large', type: 'grid', filter } })
  ).body;
  const byForm = await automation({ type: 'formSubmitted', tableId: orders.id, viewId: form.id }, [
    logs('form {trigger.Name}'),
  ]);
  const byComment = await automation({ type: 'commentAdded', tableId: orders.id }, [logs('comment {trigger.comment}')]);
  const byView = await automation({ type: 'viewEntered', tableId: orders.id, viewId: view.id }, [
    {
      type: 'notify',
      id: 'tell',
      userIds: { formula: '{trigger.byId}' },
      message: { template: '{trigger.Name} is large' },
    },
    { type: 'comment', id: 'say', tableId: orders.id, recordId: { formula: '{trigger.recordId}' }, text: 'Seen' },
  ]);
  const byCall = await automation({ type: 'incomingCall' }, [logs('call {trigger.body.order.id}')]);
  const [id] = (await create({ Name: 'plain', Count: 1 })) as [string];
  const sent = await owner.call(submitForm, {
    params: { tableId: orders.id },
    body: { viewId: form.id, fields: { [name]: 'sent' } },
  });
  expect(sent.status, JSON.stringify(sent.error)).toBe(201);
  await ended(byForm.id);
  await owner.call(createComment, {
    params: { tableId: orders.id, recordId: id },
    body: { content: [{ type: 'p', children: [{ type: 'span', value: 'hello' }] }] },
  });
  await ended(byComment.id);
  await update(id, { Count: 200 });
  expect((await ended(byView.id))[0]).toMatchObject({ state: 'success' });
  const { url } = (await owner.call(rotateAutomationAddress, { params: { baseId, automationId: byCall.id } })).body;
  const token = url.split('/').at(-1) as string;
  const called = { params: { token }, body: { order: { id: 7 } }, headers: { 'idempotency-key': 'k1' } };
  const first = await owner.call(callAutomation, called as never);
  const again = await owner.call(callAutomation, called as never);
  expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
  await ended(byCall.id);
  // A key counts for a day, whatever the date is meanwhile, and also where two servers are asked at once.
  const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  const startedAt = async (time: number): Promise<string> => {
    const other = await openWorld(world().databaseUrl, {}, { now: () => new Date(time) });
    try {
      const late = { ...called, headers: { 'idempotency-key': 'late' } };
      const there = caller({ baseUrl: other.baseUrl, token: owner.token });
      const sent = await Promise.all([there, there].map((call) => call(callAutomation, late as never)));
      expect(sent.map(({ status, body }) => [status, body])).toEqual([1, 2].map(() => [202, sent[0]?.body]));
      return (sent[0]?.body as { runId: string }).runId;
    } finally {
      await other.close();
    }
  };
  const evening = await startedAt(midnight - 1_000);
  expect(await startedAt(midnight + 1_000)).toBe(evening);
  expect(await startedAt(midnight + 86_400_000 - 2_000)).toBe(evening);
  expect(await startedAt(midnight + 86_400_000)).not.toBe(evening);
  await ended(byCall.id, 3);
  expect((await owner.call(callAutomation, { params: { token: 'none' }, body: {} } as never)).status).toBe(404);
  // The comment of the other automation started this one, too.
  await ended(byComment.id, 2);
  expect((await texts()).toSorted()).toEqual([
    'call 7',
    'call 7',
    'call 7',
    'comment Seen',
    'comment hello',
    'form sent',
  ]);
  expect(
    (await owner.call(listComments, { params: { tableId: orders.id, recordId: id }, query: {} })).body.comments,
  ).toHaveLength(2);
  const { notifications } = (await owner.call(listNotifications, { query: { notifyStates: 'unread' } })).body;
  expect(notifications.map(({ message }) => message)).toContain('Automation: plain is large');
});

test('a call is signed, tried again under the same id, and its answer is read by later steps', async () => {
  const { create, orders, automation, ended, texts, logs, runs } = await workshop();
  let failures = 1;
  answers.set('order', () => (failures-- > 0 ? 503 : 200));
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    {
      type: 'callUrl',
      id: 'ask',
      url: { template: `${origin}/order` },
      method: 'POST',
      body: { template: '{trigger.Name}' },
    },
    logs('{ask.status} {ask.body.price.net}'),
  ]);
  await create({ Name: 'one' });
  await until(async () => (await runs(made.id))[0]?.error?.includes('503'));
  await hurry();
  const [run] = await ended(made.id);
  expect(run?.steps[0]).toMatchObject({ state: 'success', attempts: 2, output: { status: 200 } });
  expect(new Set(heard.filter(({ path }) => path === 'order').map(({ id }) => id)).size).toBe(1);
  expect(await texts()).toEqual(['200 12.5']);
});

test('a loop is ended by its depth, and named with its chain', async () => {
  const { create, orders, automation, ended } = await workshop();
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    { type: 'createRecord', id: 'again', tableId: orders.id, fields: { Name: { template: '{trigger.Name}!' } } },
  ]);
  await create({ Name: 'a' });
  const found = await ended(made.id, 6);
  expect(found.map(({ depth, state }) => [depth, state])).toEqual([
    [1, 'success'],
    [2, 'success'],
    [3, 'success'],
    [4, 'success'],
    [5, 'success'],
    [6, 'failed'],
  ]);
  expect(found[5]?.error).toContain(`${made.id} → ${made.id}`);
  expect(found[5]?.steps).toEqual([]);
});

test('a test shows exactly what would change, and changes and sends nothing', async () => {
  const { create, orders, log, count, automation, texts, logs, owner, baseId, runs } = await workshop();
  const [id] = (await create({ Name: 'one', Count: 1 })) as [string];
  const made = await automation(
    { type: 'recordCreated', tableId: orders.id },
    [
      logs('{trigger.Name}'),
      {
        type: 'updateRecord',
        id: 'mark',
        tableId: orders.id,
        recordId: { formula: '{trigger.recordId}' },
        fields: { Count: 9 },
      },
      { type: 'callUrl', id: 'ask', url: `${origin}/never`, method: 'POST', body: { template: '{log.Text}' } },
      { type: 'deleteRecord', id: 'drop', tableId: orders.id, recordId: { formula: '{trigger.recordId}' } },
    ],
    false,
  );
  const tested = await owner.call(testAutomation, {
    params: { baseId, automationId: made.id },
    body: { recordId: id },
  });
  expect(tested.status, JSON.stringify(tested.error)).toBe(200);
  expect(tested.body.error).toBeUndefined();
  expect(tested.body.steps.map(({ stepId, state }) => [stepId, state])).toEqual([
    ['log', 'success'],
    ['mark', 'success'],
    ['ask', 'skipped'],
    ['drop', 'success'],
  ]);
  expect(tested.body.steps[2]?.input).toMatchObject({ url: `${origin}/never`, body: 'one' });
  expect(tested.body.changes).toMatchObject([
    { kind: 'created', tableId: log.id },
    { kind: 'updated', tableId: orders.id, recordId: id, before: { [count]: 1 }, after: { [count]: 9 } },
    { kind: 'deleted', tableId: orders.id, recordId: id },
  ]);
  expect(await texts()).toEqual([]);
  expect(await texts(orders.id, count)).toEqual([1]);
  expect(heard.some(({ path }) => path === 'never')).toBe(false);
  expect(await runs(made.id)).toEqual([]);
});

test('a draft is checked when it is saved: each mistake has its place', async () => {
  const { orders, log, text, owner, baseId, automation } = await workshop();
  const made = await automation(
    { type: 'schedule', cron: '0 25 * * *', timeZone: 'Mars' },
    [
      { type: 'createRecord', id: 'a', tableId: log.id, fields: { Nothing: 1, Text: { formula: '{trigger.Name} +' } } },
      { type: 'updateRecord', id: 'a', tableId: orders.id, recordId: { template: '{later.recordId}' }, fields: {} },
      { type: 'forEach', id: 'b', of: 'none', steps: [{ type: 'nothing' } as never] },
    ],
    false,
  );
  expect(made.issues.map(({ path }) => path).toSorted()).toEqual(
    [
      'trigger.cron',
      'trigger.timeZone',
      'steps[0].fields.Nothing',
      `steps[0].fields.${text}`,
      'steps[1].id',
      'steps[1].recordId',
      'steps[2].of',
      'steps[2].steps[0].type',
    ].toSorted(),
  );
  const refused = await owner.call(activateAutomation, { params: { baseId, automationId: made.id } });
  expect(refused.status).toBe(400);
  const wrong = await owner.call(createAutomation, {
    params: { baseId },
    body: { name: 'x', steps: [{ type: 'wait' }] } as never,
  });
  expect([wrong.status, JSON.stringify(wrong.error)]).toEqual([400, expect.stringContaining('steps[0]')]);
});

test('a renamed field follows, a deleted one ends it in a visible error, and it never runs half', async () => {
  const { create, orders, name, count, text, automation, ended, texts, logs, owner, baseId, log } = await workshop();
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    logs('{trigger.Name} {trigger.Count}'),
    { type: 'createRecord', id: 'second', tableId: log.id, fields: { Text: 'second' } },
  ]);
  await owner.call(updateField, { params: { tableId: orders.id, fieldId: name }, body: { name: 'Title' } });
  await create({ Title: 'renamed', Count: 1 });
  await ended(made.id);
  expect((await texts()).toSorted()).toEqual(['renamed 1', 'second']);
  await owner.call(deleteField, { params: { tableId: orders.id, fieldId: count } });
  await create({ Title: 'after' });
  const broken = await until(async () => {
    const now = (await owner.call(getAutomation, { params: { baseId, automationId: made.id } })).body;
    return now.state === 'error' ? now : undefined;
  });
  expect(broken.reason).toContain(count);
  expect(broken.issues[0]).toMatchObject({ path: `steps[0].fields.${text}` });
  await sleep(300);
  expect(await texts()).toHaveLength(2);
  const { notifications } = (await owner.call(listNotifications, { query: { notifyStates: 'unread' } })).body;
  expect(notifications.map(({ message }) => message).join()).toContain('no longer runs (error)');
});

test('a run that fails says at which step, and is resumed there without doing the others again', async () => {
  const { create, orders, log, automation, ended, texts, owner, baseId, logs } = await workshop();
  const count = await owner.call(createField, {
    params: { tableId: log.id },
    body: { name: 'Unique', type: 'number' },
  });
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    logs('first'),
    { type: 'createRecord', id: 'number', tableId: log.id, fields: { Unique: { template: '{trigger.Name}' } } },
  ]);
  await create({ Name: 'no number' });
  const [failed] = await ended(made.id);
  expect(failed).toMatchObject({ state: 'failed', error: '"no number" does not fit the field "Unique"' });
  expect(failed?.steps.map(({ state }) => state)).toEqual(['success', 'failed']);
  const params = { baseId, automationId: made.id, runId: failed?.id as string };
  await owner.call(convertField, {
    params: { tableId: log.id, fieldId: count.body.id },
    body: { type: 'singleLineText' },
  });
  expect((await owner.call(resumeAutomationRun, { params })).status).toBe(200);
  const [resumed] = await until(async () => {
    const found = await ended(made.id);
    return found[0]?.state === 'success' ? found : undefined;
  });
  expect(resumed?.steps.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['success', 1],
    ['success', 1],
  ]);
  expect((await texts()).filter((one) => one === 'first')).toHaveLength(1);
  expect((await owner.call(resumeAutomationRun, { params })).status).toBe(409);
  expect((await owner.call(cancelAutomationRun, { params })).status).toBe(409);
});

test('schedules, dates and waits: at their time, once', async () => {
  const { create, orders, automation, ended, texts, logs, owner, baseId, runs } = await workshop();
  const at = (automationId: string, time: string) =>
    world().db.query(sql`update rowhouse.automations set next_time = ${time}::timestamptz where id = ${automationId}`);
  const daily = await automation({ type: 'schedule', cron: '0 9 * * *', timeZone: 'Europe/Berlin' }, [logs('daily')]);
  expect(new Date(daily.nextTime as string).getTime()).toBeGreaterThan(Date.now());
  await create({ Name: 'today', Due: '2026-03-10T10:00:00.000Z' }, { Name: 'other', Due: '2026-03-12T10:00:00.000Z' });
  const dates = await automation(
    { type: 'dateReached', tableId: orders.id, fieldId: 'Due', days: -2, time: '09:00', timeZone: 'UTC' },
    [logs('soon {trigger.Name}')],
  );
  await at(daily.id, '2026-03-08T08:00:00Z');
  await at(dates.id, '2026-03-08T09:00:00Z');
  await hurry();
  await ended(daily.id);
  await ended(dates.id);
  expect((await texts()).toSorted()).toEqual(['daily', 'soon today']);
  const next = (await owner.call(getAutomation, { params: { baseId, automationId: daily.id } })).body
    .nextTime as string;
  expect(Date.parse(next)).toBeGreaterThan(Date.now());
  const waiting = await automation({ type: 'recordCreated', tableId: orders.id }, [
    { type: 'wait', id: 'pause', seconds: 3_600 },
    logs('waited'),
  ]);
  await create({ Name: 'w' });
  await until(async () =>
    (await runs(waiting.id)).some(({ dueTime }) => Date.parse(dueTime ?? '') > Date.now() + 3_000_000),
  );
  expect(await texts()).toHaveLength(2);
  await hurry();
  await ended(waiting.id);
  expect(await texts()).toHaveLength(3);
  await create({ Name: 'w2' });
  await until(async () => (await runs(waiting.id)).length === 2);
  await owner.call(deactivateAutomation, { params: { baseId, automationId: waiting.id } });
  expect((await runs(waiting.id))[0]).toMatchObject({ state: 'canceled' });
});

test('what it wrote can be taken back; a table in the trash ends it; a changed draft waits to be published', async () => {
  const { create, orders, log, automation, ended, texts, logs, owner, baseId } = await workshop();
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [logs('{trigger.Name}')]);
  await create({ Name: 'one' });
  const [run] = await ended(made.id);
  const { operationId } = run?.steps[0]?.output as { operationId: string };
  expect((await owner.call(restoreHistory, { params: { tableId: log.id }, body: { operationId } })).status).toBe(200);
  expect(await texts()).toEqual([]);
  const params = { baseId, automationId: made.id };
  const changed = await owner.call(updateAutomation, { params, body: { steps: [logs('draft')] } });
  expect(changed.body).toMatchObject({ hasDraft: true, state: 'on' });
  const [second] = (await create({ Name: 'two' })) as [string];
  await ended(made.id, 2);
  expect(await texts()).toEqual(['two']);
  await owner.call(activateAutomation, { params });
  await owner.call(deleteRecords, { params: { tableId: orders.id }, query: { recordIds: [second] } });
  await create({ Name: 'three' });
  await ended(made.id, 3);
  expect(await texts()).toEqual(['two', 'draft']);
  await owner.call(deleteTable, { params: { baseId, tableId: log.id } });
  await until(async () => (await owner.call(listAutomations, { params: { baseId } })).body[0]?.state === 'error');
  await create({ Name: 'four' });
  await sleep(300);
  expect(await ended(made.id, 3)).toHaveLength(3);
});

test('a button that is pressed starts it in the transaction of the press, or not at all', async () => {
  const { create, orders, name, count, automation, ended, texts, logs, owner, baseId, runs } = await workshop();
  const filter = { conjunction: 'and' as const, filterSet: [{ fieldId: count, operator: 'isGreater', value: 1 }] };
  const made = await automation({ type: 'buttonPressed', tableId: orders.id, fieldIds: [name], filter }, [
    logs('pressed {trigger.Name} by {trigger.by}'),
  ]);
  const [small, large] = (await create({ Name: 'small', Count: 1 }, { Name: 'large', Count: 2 })) as [string, string];
  const { services } = world();
  const press = (recordId: string, fieldId: string): Promise<string> =>
    services.db.transaction((tx) =>
      startByButton(services, tx, { baseId, tableId: orders.id, fieldId, recordId, userId: owner.userId }),
    );
  expect(await press(small, name)).toBe('');
  expect(await press(large, count)).toBe('');
  const taken = services.db.transaction(async (tx) => {
    await startByButton(services, tx, { baseId, tableId: orders.id, fieldId: name, recordId: large, userId: null });
    throw new Error('not pressed');
  });
  await expect(taken).rejects.toThrow('not pressed');
  const runId = await press(large, name);
  const [run] = await ended(made.id);
  expect(run).toMatchObject({ id: runId, state: 'success', startedBy: owner.userId });
  expect(await runs(made.id)).toHaveLength(1);
  expect(await texts()).toEqual(['pressed large by Owner']);
});

test('the person it acts as loses the base: it stops with the reason, and does nothing', async () => {
  const { create, orders, automation, texts, logs, owner, baseId, spaceId } = await workshop();
  const creator = await member(world(), owner, spaceId, 'creator');
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [logs('{trigger.Name}')], false);
  const params = { baseId, automationId: made.id };
  expect((await creator.call(activateAutomation, { params })).body.actsAs).toMatchObject({ id: creator.userId });
  await owner.call(removeSpaceCollaborator, {
    params: { spaceId },
    query: { principalId: creator.userId, principalType: 'user' },
  });
  await create({ Name: 'one' });
  const stopped = await until(async () => {
    const { body } = await owner.call(getAutomation, { params });
    return body.state === 'on' ? undefined : body;
  });
  expect(stopped).toMatchObject({ state: 'stopped', reason: expect.stringContaining('may not') });
  expect(await texts()).toEqual([]);
  const viewer = await member(world(), owner, spaceId, 'viewer');
  expect((await viewer.call(listAutomations, { params: { baseId } })).body).toHaveLength(1);
  expect((await viewer.call(getAutomation, { params })).status).toBe(403);
});

test('an imported file starts one run for each new record, also with two servers at work', async () => {
  const { orders, automation, ended, texts, logs, owner, log, name, count, baseId } = await workshop();
  const filter = { conjunction: 'and' as const, filterSet: [{ fieldId: count, operator: 'isGreater', value: 5 }] };
  const made = await automation({ type: 'recordCreated', tableId: orders.id, filter }, [logs('{trigger.Name}')]);
  const other = await openWorld(world().databaseUrl);
  try {
    const wanted = Array.from({ length: howMany(30, 10) }, (_, n) => `row${n + 6}`);
    const csv = `Name,Count\n${Array.from({ length: howMany(36, 16) }, (_, n) => `row${n},${n}`).join('\n')}\n`;
    const { presignedUrl } = await upload(owner, Buffer.from(csv), 'text/csv');
    const imported = await owner.call(importRecords, {
      params: { baseId, tableId: orders.id },
      body: {
        attachmentUrl: presignedUrl,
        fileType: 'csv',
        insertConfig: {
          sourceWorkSheetKey: 'Import Table',
          excludeFirstRow: true,
          sourceColumnMap: { [name]: 0, [count]: 1 },
        },
      },
    });
    expect(imported.status, JSON.stringify(imported.error)).toBe(200);
    const runs = await ended(made.id, wanted.length);
    expect(runs.map(({ state }) => state)).toEqual(wanted.map(() => 'success'));
    expect((await texts()).toSorted()).toEqual(wanted.toSorted());
    await sleep(300);
    expect((await texts(log.id)).length).toBe(wanted.length);
  } finally {
    await other.close();
  }
});
