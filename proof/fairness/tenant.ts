// A quiet tenant: a table, a webhook that tells of its records, and an automation that writes a line into a log for each, which the webhook tells of, too.
import { activateAutomation, createAutomation } from '@rowhouse/contract/automation.ts';
import { createBase } from '@rowhouse/contract/base.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { createWebhook } from '@rowhouse/contract/webhook.ts';
import type { Line } from '../client.ts';
import { good } from '../stage.ts';

export interface Quarters {
  baseId: string;
  table: string;
  log: string;
}

/** A space of its own, with a base of two tables. */
export const newQuarters = async (line: Line, name: string): Promise<Quarters> => {
  const spaceId = good(await line.call(createSpace, { body: { name } })).body.id;
  const baseId = good(await line.call(createBase, { body: { spaceId, name } })).body.id;
  const newTable = async (title: string): Promise<string> =>
    good(
      await line.call(createTable, {
        params: { baseId },
        body: { name: title, records: [], fields: [{ name: 'Name', type: 'singleLineText' }] },
      }),
    ).body.id;
  return { baseId, table: await newTable('Names'), log: await newTable('Log') };
};

/** What is created in a table starts it; it writes a record into another one. */
export const newAutomation = async (
  line: Line,
  baseId: string,
  from: string,
  to: string,
  template: string,
): Promise<void> => {
  const made = await line.call(createAutomation, {
    params: { baseId },
    body: {
      name: 'Copies',
      trigger: { type: 'recordCreated', tableId: from },
      steps: [{ type: 'createRecord', id: 'copy', tableId: to, fields: { Name: { template } } }],
    },
  });
  const params = { baseId, automationId: good(made).body.id };
  good(await line.call(activateAutomation, { params }));
};

export const newTenant = async (line: Line, name: string, url: string): Promise<Quarters> => {
  const quarters = await newQuarters(line, name);
  const { baseId, table, log } = quarters;
  await newAutomation(line, baseId, table, log, '{trigger.recordName} answered');
  const body = { name: 'Mailbox', url, events: ['record.created' as const], tableIds: [table, log] };
  good(await line.call(createWebhook, { params: { baseId }, body }));
  return quarters;
};

/** The name of the answer of the automation is the name of the record with a word behind it. */
export const answerTo = (name: string): string => `${name} answered`;

export const writeName = async (line: Line, { table }: Quarters, name: string): Promise<void> => {
  good(await line.call(createRecords, { params: { tableId: table }, body: { records: [{ fields: { Name: name } }] } }));
};
