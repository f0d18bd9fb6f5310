// A table full of canaries: values that must not be in the answer to a token that may not see them. In cells of every kind that can hold a text, in titles, names of
// files, comments, the trash, the history, a notification, the result of a job, a delivery and a run; and the addresses of all people, in cells and beside them.
import {
  activateAutomation,
  createAutomation,
  deactivateAutomation,
  listAutomationRuns,
} from '@rowhouse/contract/automation.ts';
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { createComment } from '@rowhouse/contract/comment.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords, deleteRecord, updateRecord } from '@rowhouse/contract/record.ts';
import { createRecordTemplate } from '@rowhouse/contract/record-template.ts';
import { enableShare } from '@rowhouse/contract/share.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { createView, setViewGroup } from '@rowhouse/contract/view.ts';
import { listTrashItems } from '@rowhouse/contract/trash.ts';
import { createWebhook, listWebhookDeliveries, updateWebhook } from '@rowhouse/contract/webhook.ts';
import { setTimeout } from 'node:timers/promises';
import { sql } from '../../server/db/sql.ts';
import { endedImport, nodesOf, type Tenant, type Things } from './access-tenant.ts';
import { member } from './workspace.ts';
import type { World } from './world.ts';

/** In every cell, title, comment and name of a file. */
export const inCells = 'Cellbird';
/** In choices that no cell has, and in descriptions of fields, tables and views. */
export const inDefinitions = 'Planbird';
/** In another base of the same owner. */
export const elsewhere = 'Farbird';

export interface Aviary {
  things: Things;
  fields: Record<'title' | 'number' | 'people' | 'select' | 'link' | 'sum' | 'files', string>;
  /** Of a file of rows that the owner has uploaded. */
  rowsUrl: string;
  /** A file of the owner that has arrived and was not announced yet. */
  arrivedFile(): Promise<string>;
  /** A new record with canaries. */
  bird(): Promise<string>;
  /** An operation whose restoring meets a conflict. */
  conflictId: string;
  /** A new template of records, with canaries. */
  birdTemplate(): Promise<string>;
  recordTrashId: string;
  linkedId: string;
  shareId: string;
  /** Addresses of files that hold all cells and addresses of the base, once a set-up has had one written. */
  exportedFiles: string[];
  /** Of an automation that was started by a record with canaries, and found some. */
  runId: string;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(`set-up failed: ${JSON.stringify(error)}`);
  return body;
};

const untilThere = async <T>(find: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await setTimeout(20);
  }
};

const comment = (...children: { type: 'span' | 'mention'; value: string }[]) => [{ type: 'p' as const, children }];

export const openAviary = async (world: World, { owner, things }: Tenant): Promise<Aviary> => {
  const { call } = owner;
  const params = { baseId: things.baseId };
  const keeper = await member(world, owner, things.baseId, 'editor');
  const nest = must(
    await call(createTable, {
      params,
      body: {
        name: 'Nests',
        fields: [
          { name: 'Name', type: 'singleLineText' },
          { name: 'fields', type: 'user' },
        ],
        records: [{ fields: { Name: `${inCells} nest`, fields: { id: keeper.userId, title: '' } } }],
      },
    }),
  );
  const made = must(
    await call(createTable, {
      params,
      body: {
        name: 'Birds',
        description: `${inDefinitions} of a table`,
        fields: [
          { name: 'Title', type: 'singleLineText' },
          { name: 'Number', type: 'number' },
          // Of the same name as the key that holds the cells of a record.
          { name: 'fields', type: 'user' },
          { name: 'Keepers', type: 'user', options: { isMultiple: true } },
          {
            name: 'Select',
            type: 'singleSelect',
            options: { choices: [{ name: 'plain' }, { name: `${inDefinitions} choice` }] },
            description: `${inDefinitions} of a field`,
          },
          { name: 'Text', type: 'longText' },
          { name: 'Files', type: 'attachment' },
          { name: 'Maker', type: 'createdBy' },
          { name: 'Changer', type: 'lastModifiedBy' },
          { name: 'When', type: 'date' },
          { name: 'Sum', type: 'formula', options: { expression: '{Title} & " computed"' } },
        ],
        records: [],
      },
    }),
  );
  const tableId = made.id;
  const idOf = (name: string): string => made.fields.find((field) => field.name === name)?.id as string;
  const link = must(
    await call(createField, {
      params: { tableId },
      body: { type: 'link', name: 'Nest', options: { relationship: 'manyMany', foreignTableId: nest.id } },
    }),
  ).id;
  must(
    await call(createField, {
      params: { tableId },
      body: {
        type: 'user',
        name: 'Nest keepers',
        isLookup: true,
        lookupOptions: { foreignTableId: nest.id, linkFieldId: link, lookupFieldId: nest.fields[1]?.id as string },
      },
    }),
  );
  const linkedId = nest.records[0]?.id as string;
  const upload = async (text: string, type: 1 | 5): Promise<string> => {
    const contentType = type === 5 ? 'text/csv' : 'text/plain';
    const body = { contentType, contentLength: Buffer.byteLength(text), type };
    const { url, token } = must(await call(createFileSignature, { body }));
    await fetch(url, { method: 'PUT', body: text, headers: { 'content-type': contentType } });
    return token;
  };
  const token = await upload('seed', 1);
  must(await call(notifyFile, { params: { token }, query: { filename: `${inCells} file.txt` } }));
  const rows = must(
    await call(notifyFile, {
      params: { token: await upload('Number\n1\nnone\n', 5) },
      query: { filename: 'rows.csv' },
    }),
  );
  // They tell of one record with canaries; then they are turned off, so that what a walk writes is no work for them.
  const webhook = must(
    await call(createWebhook, {
      params,
      body: { name: 'Birds', url: 'https://receiver.invalid/', events: ['record.created'], tableIds: [tableId] },
    }),
  );
  const automation = must(
    await call(createAutomation, {
      params,
      body: {
        name: 'Birds',
        trigger: { type: 'recordCreated', tableId },
        steps: [
          { type: 'findRecords', id: 'all', tableId },
          { type: 'if', id: 'asked', condition: { formula: '1 = 1' }, then: [] },
        ],
      },
    }),
  );
  const ofAutomation = { params: { ...params, automationId: automation.id } };
  must(await call(activateAutomation, ofAutomation));
  const birdCells = {
    Title: `${inCells} title`,
    Number: 7,
    fields: { id: keeper.userId, title: '' },
    Keepers: [{ id: keeper.userId, title: '' }],
    Text: `${inCells} text`,
    Files: [{ token, name: `${inCells} attached.txt` }],
    When: '2024-01-15T00:00:00.000Z',
    Nest: [{ id: linkedId }],
  };
  const hatch = () => call(createRecords, { params: { tableId }, body: { records: [{ fields: birdCells }] } });
  const birdTemplate = async (): Promise<string> => {
    const { Files: _files, ...fields } = birdCells;
    return must(await call(createRecordTemplate, { params: { tableId }, body: { name: 'Bird', fields } })).id;
  };
  /** A walk converts fields of the table meanwhile: that passes. */
  const bird = async (tries = 5): Promise<string> => {
    const made = await hatch();
    if (made.status === 409 && tries > 1) return bird(tries - 1);
    return must(made).records[0]?.id as string;
  };
  const siblingBird = await bird();
  const ofWebhook = { params: { ...params, webhookId: webhook.id } };
  const findRun = async () =>
    must(await call(listAutomationRuns, { ...ofAutomation, query: {} })).runs.find(({ endedTime }) => endedTime)?.id;
  const findDelivery = async () =>
    must(await call(listWebhookDeliveries, { ...ofWebhook, query: {} })).deliveries[0]?.id;
  const runId = await untilThere(findRun);
  const deliveryId = await untilThere(findDelivery);
  must(await call(deactivateAutomation, ofAutomation));
  must(await call(updateWebhook, { ...ofWebhook, body: { isOn: false } }));
  const [recordId, siblingRecordId, gone] = [await bird(), siblingBird, await bird()];
  const update = (fields: Record<string, unknown>) =>
    call(updateRecord, { params: { tableId, recordId }, body: { record: { fields } } });
  const first = await update({ Text: `${inCells} second`, fields: null });
  must(first);
  must(await update({ Text: `${inCells} third`, fields: { id: keeper.userId, title: '' } }));
  must(await call(deleteRecord, { params: { tableId, recordId: gone } }));
  const view = must(
    await call(createView, {
      params: { tableId },
      body: { type: 'grid', name: 'Grouped', description: `${inDefinitions} of a view` },
    }),
  );
  must(
    await call(setViewGroup, {
      params: { tableId, viewId: view.id },
      body: { group: [{ fieldId: idOf('fields'), order: 'asc' }] },
    }),
  );
  const { shareId } = must(await call(enableShare, { params: { tableId, viewId: view.id } }));
  must(
    await keeper.call(createComment, {
      params: { tableId, recordId },
      body: {
        content: comment(
          { type: 'span', value: `${inCells} comment` },
          { type: 'mention', value: owner.userId },
          { type: 'mention', value: recordId },
        ),
      },
    }),
  );
  const own = must(
    await call(createComment, {
      params: { tableId, recordId },
      body: { content: comment({ type: 'span', value: `${inCells} own comment` }) },
    }),
  );
  const jobId = await endedImport(world, { baseId: things.baseId, tableId });
  await world.db.query(
    sql`update rowhouse.jobs set result = ${JSON.stringify({ read: 1, records: 0, misfits: [{ row: 1, field: 'Number', value: `${inCells} misfit` }], misfitCount: 1, operationIds: [] })}::jsonb, error = ${`Rows 1 to 1: ${inCells} error`} where id = ${jobId}`,
  );
  must(
    await call(createTable, {
      params: { baseId: things.siblingBaseId },
      body: { name: `${elsewhere} table`, records: [{ fields: { Name: `${elsewhere} cell` } }] },
    }),
  );
  for (;;) {
    const { notifications } = must(await call(listNotifications, { query: { notifyStates: 'unread' } }));
    const told = notifications.find(({ message }) => message.includes(inCells));
    if (told === undefined) {
      await setTimeout(20);
      continue;
    }
    const trash = must(await call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId } }));
    return {
      things: {
        ...things,
        tableId,
        fieldId: idOf('Number'),
        siblingFieldId: idOf('Title'),
        viewId: view.id,
        siblingViewId: made.defaultViewId as string,
        recordId,
        siblingRecordId,
        operationId: first.headers.get('x-operation-id') as string,
        commentId: own.id,
        notificationId: told.id,
        jobId,
        recordTemplateId: await birdTemplate(),
        webhookId: webhook.id,
        deliveryId,
        automationId: automation.id,
        ...nodesOf(automation.id),
        actionId: 'all',
        logicId: 'asked',
        testedNodeId: 'all',
      },
      fields: {
        title: idOf('Title'),
        number: idOf('Number'),
        people: idOf('fields'),
        select: idOf('Select'),
        link,
        sum: idOf('Sum'),
        files: idOf('Files'),
      },
      rowsUrl: rows.presignedUrl,
      arrivedFile: () => upload('more', 1),
      bird,
      birdTemplate,
      conflictId: first.headers.get('x-operation-id') as string,
      recordTrashId: trash.trashItems.find(({ resourceType }) => resourceType === 'record')?.id as string,
      linkedId,
      shareId,
      exportedFiles: [],
      runId,
    };
  }
};
