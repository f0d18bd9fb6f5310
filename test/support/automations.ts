// A base with a table that automations watch, and a log that they write.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  activateAutomation,
  type Automation,
  createAutomation,
  getAutomationRun,
  listAutomationRuns,
  type WholeRun,
} from '@rowhouse/contract/automation.ts';
import type { Step, Trigger } from '@rowhouse/contract/automation-definition.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { expect } from 'vitest';
import { openWorkshop } from './tables.ts';
import type { World } from './world.ts';

export const until = async <T>(find: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> => {
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
};

/** A base with a table of orders and an empty log. */
export const openAutomations = async (world: World) => {
  const { owner, table, baseId, spaceId } = await openWorkshop(world);
  const orders = await table({
    name: 'Orders',
    records: [],
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Count', type: 'number' },
      { name: 'Due', type: 'date' },
    ],
  });
  const log = await table({ name: 'Log', records: [], fields: [{ name: 'Text', type: 'singleLineText' }] });
  const [name, count, due] = orders.fields.map(({ id }) => id) as [string, string, string];
  const [text] = log.fields.map(({ id }) => id) as [string];
  const create = async (...rows: object[]): Promise<string[]> =>
    (
      await owner.call(createRecords, {
        params: { tableId: orders.id },
        body: { fieldKeyType: 'name', records: rows.map((fields) => ({ fields: fields as Record<string, unknown> })) },
      })
    ).body.records.map(({ id }) => id);
  const update = (id: string, fields: Record<string, unknown>) =>
    owner.call(updateRecords, {
      params: { tableId: orders.id },
      body: { fieldKeyType: 'name', records: [{ id, fields }] },
    });
  const texts = async (tableId = log.id, field = text): Promise<unknown[]> =>
    (
      await owner.call(listRecords, { params: { tableId }, query: { fieldKeyType: 'id', take: 1_000 } })
    ).body.records.map(({ fields }) => fields[field] ?? null);
  const automation = async (trigger: Trigger, steps: Step[], isOn = true): Promise<Automation> => {
    const made = await owner.call(createAutomation, {
      params: { baseId },
      body: { name: 'Automation', trigger, steps },
    });
    expect(made.status, JSON.stringify(made.error)).toBe(201);
    if (!isOn) return made.body;
    const on = await owner.call(activateAutomation, { params: { baseId, automationId: made.body.id } });
    expect(on.status, JSON.stringify(on.error)).toBe(200);
    return on.body;
  };
  const runs = async (automationId: string) =>
    (await owner.call(listAutomationRuns, { params: { baseId, automationId }, query: { take: 200 } })).body.runs;
  const ended = (automationId: string, wanted = 1): Promise<WholeRun[]> =>
    until(async () => {
      const found = (await runs(automationId)).filter(({ endedTime }) => endedTime !== undefined);
      if (found.length < wanted) return undefined;
      return Promise.all(
        found
          .toReversed()
          .map(
            async ({ id: runId }) =>
              (await owner.call(getAutomationRun, { params: { baseId, automationId, runId } })).body,
          ),
      );
    });
  const logs = (template: string): Step => ({
    type: 'createRecord',
    id: 'log',
    tableId: log.id,
    fields: { Text: { template } },
  });
  return {
    owner,
    table,
    baseId,
    spaceId,
    orders,
    log,
    name,
    count,
    due,
    text,
    create,
    update,
    texts,
    automation,
    runs,
    ended,
    logs,
  };
};
