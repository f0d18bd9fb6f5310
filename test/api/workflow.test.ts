// Teable's workflow operations: the automations of a base, built and changed node by node, run, tested and read.
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { listAutomations, getAutomation, callAutomation, updateAutomation } from '@rowhouse/contract/automation.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import * as overall from '@rowhouse/contract/workflow-admin.ts';
import * as told from '@rowhouse/contract/workflow-run.ts';
import * as contract from '@rowhouse/contract/workflow.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { openAutomations, until } from '../support/automations.ts';
import { person } from '../support/people.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const literal = (value: unknown) => ({ resolvable: true, type: 'literal', value });
const fact = (node: string, path: string) => ({ resolvable: true, type: 'fact', fact: node, path });
const mixed = (...nodes: object[]) => ({ resolvable: true, type: 'array', nodes });

const workshop = async () => {
  const shop = await openAutomations(world());
  const { owner, baseId } = shop;
  const made = await owner.call(contract.createWorkflow, {
    params: { baseId },
    body: { name: 'Orders', trigger: { type: 'recordCreated', config: { tableId: shop.orders.id } } },
  });
  expect(made.status, JSON.stringify(made.error)).toBe(201);
  const workflowId = made.body.id;
  const params = { baseId, workflowId };
  const action = async (parentNodeId: string, type: string, config: Record<string, unknown>) => {
    const added = await owner.call(contract.createWorkflowAction, { params, body: { parentNodeId, type, config } });
    expect(added.status, JSON.stringify(added.error)).toBe(201);
    return added.body;
  };
  const logic = async (parentNodeId: string, type: string, config: Record<string, unknown>) => {
    const added = await owner.call(contract.createWorkflowLogic, { params, body: { parentNodeId, type, config } });
    expect(added.status, JSON.stringify(added.error)).toBe(201);
    return added.body;
  };
  const logged = (...nodes: object[]) => ({ tableId: shop.log.id, fields: { [shop.text]: mixed(...nodes) } });
  const active = (method: 'activate' | 'deactivate' | 'discard', id = workflowId) =>
    owner.call(contract.setWorkflowActive, { params: { baseId, workflowId: id }, body: { method } });
  const read = async (id = workflowId) =>
    (await owner.call(contract.getWorkflow, { params: { baseId, workflowId: id } })).body;
  return { ...shop, params, workflowId, triggerId: `wtr${workflowId.slice(3)}`, action, logic, logged, active, read };
};

test('a workflow is built node by node, activated, runs, and tells of its runs', async () => {
  const shop = await workshop();
  const { owner, params, workflowId, triggerId, action, logic, logged, active, create, texts, read, count } = shop;
  const asked = await logic(triggerId, 'condition', {
    conditions: { conjunction: 'and', filterSet: [{ fieldId: count, operator: 'isGreater', value: 10 }] },
  });
  expect(asked.controls.map(({ type, config }) => [type, config.truthy])).toEqual([
    ['conditionBranch', true],
    ['conditionBranch', false],
    ['conditionEnd', undefined],
  ]);
  const [yes, no, end] = asked.controls.map(({ id }) => id) as [string, string, string];
  await action(yes, 'createRecord', logged(literal('large '), fact(triggerId, '$.record.fields.Name')));
  await action(no, 'createRecord', logged(literal('small '), fact(triggerId, '$.record.name')));
  const found = await action(end, 'getRecords', {
    tableId: shop.log.id,
    filter: { conjunction: 'and', filterSet: [{ fieldId: shop.text, operator: 'contains', value: 'l' }] },
  });
  const loop = await logic(found.id, 'Repeat', { fact: fact(found.id, '$.records') });
  await action(loop.logic.id, 'updateRecord', {
    ...logged(fact(loop.logic.id, `$.record.fields.${shop.text}`), literal('!')),
    recordId: fact(loop.logic.id, '$.record.id'),
  });
  const draft = await read();
  expect(draft).toMatchObject({ name: 'Orders', hasDraft: true, isActive: false });
  expect(draft.nodes.map(({ category, type }) => `${category} ${type}`)).toEqual([
    'trigger recordCreated',
    'logic condition',
    'control conditionBranch',
    'control conditionBranch',
    'control conditionEnd',
    'action createRecord',
    'action createRecord',
    'action getRecords',
    'logic Repeat',
    'control repeatEnd',
    'action updateRecord',
  ]);
  // Names of fields became ids.
  expect(draft.nodes[5]?.config).toEqual(logged(literal('large '), fact(triggerId, `$.record.fields.${shop.name}`)));
  expect((await owner.call(contract.getActiveWorkflow, { params })).status).toBe(404);
  expect((await active('activate')).status).toBe(200);
  expect(await read()).toMatchObject({ hasDraft: false, isActive: true, activeUser: { name: 'Owner' } });
  await create({ Name: 'one', Count: 20 }, { Name: 'two', Count: 1 });
  const { runs, rowCount } = await until(async () => {
    const { body } = await owner.call(told.listWorkflowRuns, { params, query: { status: 'success' } });
    return body.rowCount === 2 ? body : undefined;
  });
  expect([rowCount, runs.length]).toEqual([2, 2]);
  expect((await texts()).toSorted()).toEqual(['large one!!', 'small two!']);
  const summary = (await owner.call(told.getWorkflowRunSummary, { params })).body;
  expect(summary).toMatchObject({ totalCount: 2, statusStats: { success: 2, failed: 0, pending: 0 } });
  const steps = (await owner.call(told.getWorkflowRun, { params: { ...params, runId: runs[1]?.id as string } })).body;
  expect(steps.map(({ nodeId, nodeType, status }) => [nodeId, nodeType, status])).toEqual([
    [triggerId, 'recordCreated', 'success'],
    [asked.logic.id, 'condition', 'success'],
    [draft.nodes[5]?.id, 'createRecord', 'success'],
    [found.id, 'getRecords', 'success'],
    [loop.logic.id, 'Repeat', 'success'],
    [draft.nodes[10]?.id, 'updateRecord', 'success'],
  ]);
  const listed = (await owner.call(contract.listWorkflows, { params, query: {} })).body;
  expect(listed).toMatchObject([{ id: workflowId, isActive: true, hasDraft: false }]);
  expect(listed[0]?.nodes).toEqual(draft.nodes.map(({ id, type, category }) => ({ id, type, category })));
  // It is the same automation as in the other form.
  const [automation] = (await owner.call(listAutomations, { params: { baseId: params.baseId } })).body;
  expect(automation).toMatchObject({ id: workflowId, state: 'on', triggerType: 'recordCreated' });
});

test('a draft changes while the published version runs, until it is activated again or discarded', async () => {
  const { owner, params, triggerId, action, logged, active, read, create, texts, ended, workflowId } = await workshop();
  const one = await action(triggerId, 'createRecord', logged(literal('first '), fact(triggerId, '$.record.name')));
  await active('activate');
  const ofOne = { params: { ...params, actionId: one.id } };
  const changed = await owner.call(contract.updateWorkflowAction, {
    ...ofOne,
    body: { name: 'Log', description: 'Writes', config: logged(literal('second '), fact(triggerId, '$.record.name')) },
  });
  expect(changed.body).toMatchObject({ id: one.id, name: 'Log', description: 'Writes' });
  expect((await read()).hasDraft).toBe(true);
  expect((await owner.call(contract.getActiveWorkflow, { params })).body.nodes[1]?.config).toEqual(one.config);
  await create({ Name: 'a' });
  await ended(workflowId);
  await active('discard');
  expect((await owner.call(contract.getWorkflowAction, ofOne)).body).toEqual(one);
  const copy = (await owner.call(contract.duplicateWorkflowAction, ofOne)).body;
  expect(copy).toEqual({ ...one, id: copy.id });
  expect((await read()).edges).toEqual([
    { source: triggerId, target: one.id },
    { source: one.id, target: copy.id },
  ]);
  expect((await owner.call(contract.deleteWorkflowAction, ofOne)).status).toBe(200);
  expect((await owner.call(contract.deleteWorkflowAction, ofOne)).status).toBe(404);
  await active('activate');
  await create({ Name: 'b' });
  await ended(workflowId, 2);
  await active('deactivate');
  expect((await read()).isActive).toBe(false);
  expect((await texts()).toSorted()).toEqual(['first a', 'first b']);
});

test('what does not map is refused with the place and the name of the node, and what is not complete is not activated', async () => {
  const { owner, params, triggerId, action, logic, active, workflowId } = await workshop();
  const refused = async (type: string, config: object): Promise<unknown> => {
    const answer = await owner.call(contract.createWorkflowAction, {
      params,
      body: { parentNodeId: triggerId, type, config: config as Record<string, unknown> },
    });
    expect(answer.status).toBe(400);
    return answer.error?.message;
  };
  expect(await refused('script', { code: '1' })).toContain('Node script: there is no action script here');
  expect(await refused('sendEmail', { to: literal('a@example.com'), bcc: literal('b@example.com') })).toContain('bcc');
  expect(await refused('condition', {})).toContain('Node condition');
  const empty = await action(triggerId, 'updateRecord', {});
  const { logic: asked } = await logic(empty.id, 'condition', {});
  const activated = await active('activate');
  expect([activated.status, activated.error?.message]).toEqual([400, expect.stringContaining('steps[0].tableId')]);
  const wrong = await owner.call(contract.updateWorkflowLogic, {
    params: { ...params, logicId: asked.id },
    body: { config: { conditions: { logic: 'not', items: [] } } },
  });
  expect([wrong.status, wrong.error?.message]).toEqual([400, expect.stringContaining(`Node ${asked.id}`)]);
  const behind = await owner.call(contract.createWorkflowAction, {
    params,
    body: { parentNodeId: 'wacNone', type: 'wait' },
  });
  expect(behind.status).toBe(404);
  const trigger = await owner.call(contract.createWorkflowTrigger, { params, body: { type: 'emailReceived' } });
  expect([trigger.status, trigger.error?.message]).toEqual([400, expect.stringContaining('emailReceived')]);
  expect((await owner.call(contract.getWorkflowLogic, { params: { ...params, logicId: empty.id } })).status).toBe(404);
  expect((await owner.call(contract.getWorkflowAction, { params: { ...params, actionId: empty.id } })).status).toBe(
    200,
  );
  const viewer = await member(world(), owner, params.baseId, 'viewer');
  expect((await viewer.call(contract.listWorkflows, { params, query: { onlyFirst: true } })).body).toMatchObject([
    { id: workflowId, nodes: [{ type: 'recordCreated' }] },
  ]);
  expect((await viewer.call(contract.getWorkflow, { params })).status).toBe(403);
});

test('two clients who add nodes at once both do, and so do two who change trigger and steps', async () => {
  const { owner, params, triggerId, read, logs, orders } = await workshop();
  const add = (name: string) =>
    owner.call(contract.createWorkflowAction, { params, body: { parentNodeId: triggerId, type: 'wait', name } });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect((await Promise.all(names.map(add))).map(({ status }) => status)).toEqual(names.map(() => 201));
  expect((await read()).nodes.flatMap(({ name }) => name ?? []).toSorted()).toEqual(names);
  const automation = { params: { baseId: params.baseId, automationId: params.workflowId } };
  const both = await Promise.all([
    owner.call(updateAutomation, { ...automation, body: { steps: [logs('x')] } }),
    owner.call(updateAutomation, { ...automation, body: { trigger: { type: 'commentAdded', tableId: orders.id } } }),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect((await owner.call(getAutomation, automation)).body).toMatchObject({
    trigger: { type: 'commentAdded' },
    steps: [{ id: 'log' }],
  });
});

test('a test changes nothing, of one node and of all', async () => {
  const { owner, params, triggerId, action, logged, create, texts, orders, name } = await workshop();
  const one = await action(triggerId, 'createRecord', logged(literal('for '), fact(triggerId, '$.record.name')));
  const [recordId] = (await create({ Name: 'sample' })) as [string];
  const of = (testedNodeId: string, body: object) =>
    owner.call(told.testWorkflowNode, { params: { ...params, testedNodeId }, body: { recordId, ...body } });
  expect((await of(one.id, {})).body).toMatchObject({
    outputRaw: { record: { name: 'for sample' } },
    createdTime: expect.any(String),
  });
  expect((await of(triggerId, {})).body.outputRaw).toMatchObject({
    record: { id: recordId, fields: { [name]: 'sample' } },
  });
  expect((await of(one.id, { sideEffect: true })).status).toBe(400);
  expect((await of('wacNone', {})).status).toBe(404);
  expect((await owner.call(told.testWorkflow, { params, body: { recordId } })).body).toBe(true);
  await action(one.id, 'deleteRecord', { tableId: orders.id, recordId: 'recNone' });
  expect((await owner.call(told.testWorkflow, { params, body: { recordId } })).body).toBe(false);
  expect(await texts()).toEqual([]);
});

test('workflows are copied, put in order, deleted, restored, and deleted for good', async () => {
  const { owner, baseId, params, workflowId, triggerId, action, logged, active, read } = await workshop();
  await action(triggerId, 'createRecord', logged(literal('x')));
  await active('activate');
  const copy = (await owner.call(contract.duplicateWorkflow, { params })).body;
  expect(copy).toMatchObject({ name: 'Orders 2', isActive: false, hasDraft: true });
  expect(copy.nodes.map(({ type }) => type)).toEqual(['recordCreated', 'createRecord']);
  const third = (await owner.call(contract.createWorkflow, { params: { baseId }, body: {} })).body;
  expect(third).toMatchObject({ name: 'New workflow', nodes: [], edges: [] });
  const order = async () =>
    (await owner.call(contract.listWorkflows, { params: { baseId }, query: {} })).body.map(({ id }) => id);
  const move = (id: string, anchorId: string, position: 'before' | 'after') =>
    owner.call(contract.moveWorkflow, { params: { baseId, workflowId: id }, body: { anchorId, position } });
  expect(await order()).toEqual([workflowId, copy.id, third.id]);
  await move(third.id, workflowId, 'before');
  expect(await order()).toEqual([third.id, workflowId, copy.id]);
  await move(third.id, workflowId, 'after');
  expect(await order()).toEqual([workflowId, third.id, copy.id]);
  expect((await move(third.id, third.id, 'after')).status).toBe(400);
  expect((await move(third.id, 'wflNone', 'after')).status).toBe(404);
  expect((await owner.call(contract.deleteWorkflow, { params })).status).toBe(200);
  expect(await order()).toEqual([third.id, copy.id]);
  await owner.call(restoreTrash, { params: { trashId: `tra${workflowId.slice(3)}` } });
  expect(await order()).toEqual([third.id, copy.id, workflowId]);
  expect((await read()).isActive).toBe(false);
  await owner.call(contract.deleteWorkflow, { params });
  expect((await owner.call(contract.deleteWorkflowPermanently, { params })).status).toBe(200);
  expect((await owner.call(contract.deleteWorkflowPermanently, { params })).status).toBe(404);
  expect(
    (await owner.call(contract.deleteWorkflowPermanently, { params: { baseId, workflowId: third.id } })).status,
  ).toBe(200);
  expect(await order()).toEqual([copy.id]);
});

test('a webhook starts it by an address that can be made again; schedules say when', async () => {
  const { owner, baseId, params, triggerId, action, logged, active, texts, ended, workflowId } = await workshop();
  const set = (body: { type: string; config?: Record<string, unknown> }) =>
    owner.call(contract.createWorkflowTrigger, { params, body });
  const ofTrigger = { params: { ...params, triggerId } };
  expect((await set({ type: 'webhook', config: { authorization: { type: 'none' } } })).body.id).toBe(triggerId);
  await action(triggerId, 'createRecord', logged(literal('order '), fact(triggerId, '$.body.order.id')));
  await active('activate');
  const made = (await owner.call(contract.generateWorkflowToken, ofTrigger)).body;
  expect(made.url.endsWith(`/api/automation/call/${made.token}`)).toBe(true);
  await owner.call(callAutomation, { params: { token: made.token }, body: { order: { id: 7 } } } as never);
  await ended(workflowId);
  expect(await texts()).toEqual(['order 7']);
  const timing = { type: 'weeks', interval: 1, weekdays: ['MO', 'FR'], triggerTime: { hour: 9, minute: 30 } };
  const starting = '2026-01-01T00:00:00.000Z';
  expect((await set({ type: 'scheduledTime', config: { starting, tz: 'Europe/Berlin', timing } })).status).toBe(201);
  expect((await owner.call(contract.getWorkflowTrigger, ofTrigger)).body.config).toMatchObject({ timing });
  expect((await owner.call(contract.generateWorkflowToken, ofTrigger)).status).toBe(400);
  const daily = { ...timing, type: 'days' };
  await owner.call(contract.updateWorkflowTrigger, { ...ofTrigger, body: { config: { tz: 'UTC', timing: daily } } });
  expect((await owner.call(getAutomation, { params: { baseId, automationId: workflowId } })).body.trigger).toEqual({
    type: 'schedule',
    cron: '30 9 * * *',
    timeZone: 'UTC',
  });
  const renamed = await owner.call(contract.updateWorkflow, {
    params,
    body: { name: 'Reports', description: 'Weekly' },
  });
  expect(renamed.status).toBe(200);
  expect((await owner.call(contract.getWorkflow, { params })).body).toMatchObject({
    name: 'Reports',
    description: 'Weekly',
    isActive: true,
    hasDraft: true,
  });
});

test('records that a filter names are listed with their titles', async () => {
  const { owner, params, orders, log, create } = await workshop();
  const [recordId] = (await create({ Name: 'linked' })) as [string];
  const link = (
    await owner.call(createField, {
      params: { tableId: log.id },
      body: { name: 'Order', type: 'link', options: { relationship: 'manyOne', foreignTableId: orders.id } },
    })
  ).body;
  await owner.call(createRecords, {
    params: { tableId: log.id },
    body: { fieldKeyType: 'id', records: [{ fields: { [link.id]: { id: recordId } } }] },
  });
  expect((await owner.call(listRecords, { params: { tableId: log.id }, query: {} })).body.records).toHaveLength(1);
  const named = await owner.call(told.listWorkflowFilterRecords, {
    params: { baseId: params.baseId, tableId: log.id },
    body: { conjunction: 'and', filterSet: [{ fieldId: link.id, operator: 'is', value: recordId }] as never },
  });
  expect(named.body).toEqual([{ tableId: orders.id, records: [{ id: recordId, title: 'linked' }] }]);
});

test('administrators see how the workflows of all bases do, and end one, without what it holds', async () => {
  const shop = await workshop();
  const { owner, params, workflowId, triggerId, action, logged, active, create, baseId, spaceId } = shop;
  await action(triggerId, 'createRecord', logged(literal('new '), fact(triggerId, '$.record.fields.Name')));
  await active('activate');
  await create({ Name: 'a secret name' });
  const admin = await person(world(), { admin: true });
  const list = async (query: object = {}) =>
    (await admin.call(overall.observeWorkflows, { query: { spaceIds: [spaceId], ...query } as never })).body;
  await until(async () => (await list()).data[0]?.runStats.statusStats.success === 1);
  const { data, total } = await list();
  expect([total, data]).toMatchObject([
    1,
    [
      {
        id: workflowId,
        base: { id: baseId },
        triggerType: 'recordCreated',
        isActive: true,
        level: 'healthy',
        runStats: { totalCount: 1 },
      },
    ],
  ]);
  const runs = await admin.call(overall.observeWorkflowRuns, { params: { workflowId }, query: { relativeTime: '1h' } });
  expect(runs.body).toMatchObject({ total: 1, runs: [{ status: 'success' }] });
  expect(JSON.stringify([data, runs.body])).not.toContain('secret');
  const later = { 'timeRange[start]': new Date(Date.now() + 60_000).toISOString() };
  expect((await list(later)).data[0]?.runStats.totalCount).toBe(0);
  expect((await admin.call(overall.observeWorkflowRuns, { params: { workflowId }, query: later })).body.total).toBe(0);
  expect((await list({ triggerType: ['webhook'] })).total).toBe(0);
  expect((await list({ triggerType: ['recordCreated'], workflowIds: [workflowId], baseIds: [baseId] })).total).toBe(1);
  const twice = await admin.call(overall.observeWorkflows, { query: { relativeTime: '1h', ...later } });
  expect([twice.status, twice.error.message]).toEqual([400, expect.stringContaining('given twice')]);

  await world().db.query(
    sql`update rowhouse.automation_runs set state = 'failed', error = 'a secret fault' where automation_id = ${workflowId}`,
  );
  expect(await list()).toMatchObject({ data: [{ level: 'critical', runStats: { statusStats: { failed: 1 } } }] });
  const { body: summary } = await admin.call(overall.summarizeWorkflows, { query: { relativeTime: '7d' } });
  expect(summary.workflowRuns.levelStats.critical).toBeGreaterThanOrEqual(1);
  expect(summary.workflow.totalCount).toBeGreaterThanOrEqual(summary.workflow.activeCount);

  expect((await admin.call(overall.stopWorkflow, { params: { workflowId } })).status).toBe(200);
  expect((await list({ isActive: true })).total).toBe(0);
  expect((await owner.call(contract.getWorkflow, { params })).body.isActive).toBe(false);
  expect((await admin.call(overall.removeWorkflow, { params: { workflowId } })).status).toBe(200);
  expect([(await list()).total, (await owner.call(contract.getWorkflow, { params })).status]).toEqual([0, 404]);
  expect((await admin.call(overall.stopWorkflow, { params: { workflowId } })).status).toBe(404);
  expect((await owner.call(restoreTrash, { params: { trashId: `tra${workflowId.slice(3)}` } })).status).toBe(201);
});
