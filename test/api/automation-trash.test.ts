// A deleted automation is in the trash of its base: it does nothing there, and comes back as it was, switched off.
import {
  activateAutomation,
  createAutomation,
  deleteAutomation,
  getAutomation,
  getAutomationRun,
  listAutomationRuns,
  listAutomations,
  updateAutomation,
} from '@rowhouse/contract/automation.ts';
import { deleteBase } from '@rowhouse/contract/base.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { expect, test } from 'vitest';
import { openAutomations } from '../support/automations.ts';
import type { Person } from '../support/people.ts';
import { member } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

type Who = Pick<Person, 'call'>;

const trashIdOf = (id: string): string => `tra${id.slice(3)}`;

const workshop = async () => {
  const shop = await openAutomations(world());
  const { owner, baseId } = shop;
  return {
    ...shop,
    trash: (who: Who = owner) => who.call(listTrashItems, { query: { resourceId: baseId, resourceType: 'base' } }),
    restore: (automationId: string, who: Who = owner) =>
      who.call(restoreTrash, { params: { trashId: trashIdOf(automationId) } }),
  };
};

test('it stops, is listed beside the tables, and comes back with its runs, switched off', async () => {
  const { owner, baseId, orders, log, create, automation, ended, logs, texts, trash, restore } = await workshop();
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [logs('{trigger.Name}')]);
  const params = { baseId, automationId: made.id };
  await create({ Name: 'one' });
  const [run] = await ended(made.id);
  expect((await owner.call(deleteAutomation, { params })).status).toBe(200);
  expect((await owner.call(listAutomations, { params: { baseId } })).body).toEqual([]);
  for (const gone of [
    await owner.call(getAutomation, { params }),
    await owner.call(updateAutomation, { params, body: { name: 'Again' } }),
    await owner.call(activateAutomation, { params }),
    await owner.call(deleteAutomation, { params }),
    await owner.call(listAutomationRuns, { params, query: {} }),
  ])
    expect(gone.status).toBe(404);
  await create({ Name: 'two' });
  await owner.call(deleteTable, { params: { baseId, tableId: log.id } });
  const { body } = await trash();
  expect(body.trashItems.map(({ id, resourceType, resourceId }) => [id, resourceType, resourceId])).toEqual([
    [trashIdOf(log.id), 'table', log.id],
    [trashIdOf(made.id), 'workflow', made.id],
  ]);
  expect(body.resourceMap[made.id]).toEqual({ id: made.id, name: 'Automation' });
  expect(body.userMap[owner.userId]?.name).toBe('Owner');
  await owner.call(restoreTrash, { params: { trashId: trashIdOf(log.id) } });
  expect((await restore(made.id)).status).toBe(201);
  expect((await restore(made.id)).status).toBe(404);
  const back = (await owner.call(getAutomation, { params })).body;
  expect(back).toMatchObject({ state: 'off', name: 'Automation', trigger: made.trigger, steps: made.steps });
  expect((await owner.call(getAutomationRun, { params: { ...params, runId: run?.id as string } })).body).toEqual(run);
  expect((await trash()).body.trashItems).toEqual([]);
  await create({ Name: 'three' });
  await owner.call(activateAutomation, { params });
  await create({ Name: 'four' });
  await ended(made.id, 2);
  expect((await texts()).toSorted()).toEqual(['four', 'one']);
});

test('runs that have not ended are canceled', async () => {
  const { owner, baseId, orders, create, automation, runs, restore, logs } = await workshop();
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    { type: 'wait', id: 'pause', seconds: 3_600 },
    logs('waited'),
  ]);
  await create({ Name: 'one' });
  await expect.poll(() => runs(made.id), { timeout: 60_000 }).toHaveLength(1);
  await owner.call(deleteAutomation, { params: { baseId, automationId: made.id } });
  await restore(made.id);
  expect(await runs(made.id)).toMatchObject([{ state: 'canceled', error: 'The automation was deleted' }]);
});

test('it is restored by those who may delete it, while its base is there', async () => {
  const { owner, baseId, spaceId, automation, trash, restore, logs } = await workshop();
  const [first, second] = [
    await automation({ type: 'incomingCall' }, [logs('a')], false),
    await automation({ type: 'incomingCall' }, [logs('b')], false),
  ];
  const editor = await member(world(), owner, spaceId, 'editor');
  for (const { id } of [first, second]) await owner.call(deleteAutomation, { params: { baseId, automationId: id } });
  expect((await trash(editor)).status).toBe(403);
  expect((await restore(first.id, editor)).status).toBe(403);
  const tables = await owner.withToken({ hasFullAccess: true, scopes: ['table|delete', 'table|trash_reset'] });
  expect((await trash(tables)).body.trashItems).toEqual([]);
  expect((await restore(first.id, tables)).status).toBe(403);
  const whole = { query: { resourceId: baseId, resourceType: 'base' as const } };
  expect((await tables.call(resetTrashItems, whole)).status).toBe(200);
  expect((await trash()).body.trashItems).toHaveLength(2);
  expect((await restore(first.id)).status).toBe(201);
  expect((await owner.call(resetTrashItems, whole)).status).toBe(200);
  expect((await restore(second.id)).status).toBe(404);
  await owner.call(deleteAutomation, { params: { baseId, automationId: first.id } });
  await owner.call(deleteBase, { params: { baseId } });
  expect((await restore(first.id)).status).toBe(404);
});

test('one that would be more than a base can have stays in the trash', async () => {
  const { owner, baseId, automation, logs, restore } = await workshop();
  const made = await automation({ type: 'incomingCall' }, [logs('a')], false);
  await owner.call(deleteAutomation, { params: { baseId, automationId: made.id } });
  const body = { name: 'Other' };
  for (let count = 0; count < 200; count += 1)
    expect((await owner.call(createAutomation, { params: { baseId }, body })).status).toBe(201);
  expect((await owner.call(createAutomation, { params: { baseId }, body })).status).toBe(400);
  expect((await restore(made.id)).status).toBe(400);
  const [other] = (await owner.call(listAutomations, { params: { baseId } })).body;
  await owner.call(deleteAutomation, { params: { baseId, automationId: other?.id as string } });
  expect((await restore(made.id)).status).toBe(201);
});
