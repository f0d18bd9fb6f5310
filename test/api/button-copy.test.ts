// Buttons in copies: a press there starts nothing of the base they were copied from.
import { activateAutomation, createAutomation, listAutomationRuns } from '@rowhouse/contract/automation.ts';
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { pressButton } from '@rowhouse/contract/button.ts';
import { createField, listFields } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { duplicateTable, listTables } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { openAutomations } from '../support/automations.ts';
import { exportToFile, importFromFile } from '../support/base-file.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

/** A table whose button was pressed once, which started an automation. */
const withButton = async () => {
  const shop = await openAutomations(world());
  const { owner, orders, create, automation, logs, ended, baseId } = shop;
  const made = await automation({ type: 'buttonPressed', tableId: orders.id, fieldIds: null }, [
    logs('{trigger.Name}'),
  ]);
  const workflow = { id: made.id, name: 'Automation', isActive: true };
  const field = (
    await owner.call(createField, {
      params: { tableId: orders.id },
      body: { name: 'Go', type: 'button', options: { label: 'Go', maxCount: 1, workflow } },
    })
  ).body;
  const [recordId] = (await create({ Name: 'one' })) as [string];
  const pressed = await owner.call(pressButton, { params: { tableId: orders.id, recordId, fieldId: field.id } });
  expect([pressed.status, pressed.body.runId]).toEqual([200, expect.stringMatching(/^wru/)]);
  await ended(made.id);
  const startedThere = async (): Promise<number> =>
    (await owner.call(listAutomationRuns, { params: { baseId, automationId: made.id }, query: {} })).body.runs.length;
  /** Presses the button of a copy. */
  const pressIn = async (tableId: string) => {
    const [button] = (await owner.call(listFields, { params: { tableId } })).body.filter(
      ({ type }) => type === 'button',
    );
    const [record] = (await owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id' } })).body
      .records;
    const fieldId = button?.id as string;
    const before = record?.fields[fieldId];
    const answer = await owner.call(pressButton, { params: { tableId, recordId: record?.id as string, fieldId } });
    return { before, options: button?.options as Record<string, unknown>, answer };
  };
  return { ...shop, startedThere, pressIn };
};

const ordersIn = async (owner: Awaited<ReturnType<typeof withButton>>['owner'], baseId: string): Promise<string> =>
  (await owner.call(listTables, { params: { baseId } })).body.find(({ name }) => name === 'Orders')?.id as string;

test('of a table, of a base, and of a file of one', async () => {
  const { owner, baseId, spaceId, orders, startedThere, pressIn, texts } = await withButton();
  const table = await owner.call(duplicateTable, {
    params: { baseId, tableId: orders.id },
    body: { name: 'Copy', includeRecords: true },
  });
  const base = await owner.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } });
  const imported = await importFromFile(owner, spaceId, await exportToFile(owner, baseId));
  for (const tableId of [table.body.id, await ordersIn(owner, base.body.id)]) {
    const { before, options, answer } = await pressIn(tableId);
    expect(before).toBeUndefined();
    expect([answer.status, answer.body.runId]).toEqual([200, '']);
    expect(answer.body.record.fields).toMatchObject({ [answer.body.fieldId]: { count: 1 } });
    expect(options).toEqual({ label: 'Go', color: 'teal', maxCount: 1 });
  }
  // The file of a base is the base as it was: what was pressed stays pressed. It holds no automations.
  const { before, options, answer } = await pressIn(await ordersIn(owner, imported));
  expect(before).toEqual({ count: 1 });
  expect(answer.status).toBe(409);
  expect(options).toEqual({ label: 'Go', color: 'teal', maxCount: 1 });
  expect(await startedThere()).toBe(1);
  expect(await texts()).toEqual(['one']);
});

test('an automation of the copy listens to the button of the copy alone', async () => {
  const { owner, baseId, spaceId, startedThere, pressIn } = await withButton();
  const base = await owner.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } });
  const params = { baseId: base.body.id };
  const tableId = await ordersIn(owner, params.baseId);
  const made = await owner.call(createAutomation, {
    params,
    body: {
      name: 'Own',
      trigger: { type: 'buttonPressed', tableId, fieldIds: null },
      steps: [{ type: 'wait', id: 'pause', seconds: 0 }],
    },
  });
  await owner.call(activateAutomation, { params: { ...params, automationId: made.body.id } });
  const { answer } = await pressIn(tableId);
  const { runs } = (
    await owner.call(listAutomationRuns, { params: { ...params, automationId: made.body.id }, query: {} })
  ).body;
  expect(runs.map(({ id }) => id)).toEqual([answer.body.runId]);
  expect(await startedThere()).toBe(1);
});
