// Record templates: what they keep, what of it is left when the table changes, and who sees and uses it.
import { duplicateBase } from '@rowhouse/contract/base.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { convertField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import {
  createRecordFromTemplate,
  createRecordTemplate,
  deleteRecordTemplate,
  listRecordTemplates,
  restoreRecordTemplate,
  updateRecordTemplate,
} from '@rowhouse/contract/record-template.ts';
import { deleteRecord, listRecords } from '@rowhouse/contract/record.ts';
import { duplicateTable, listTables } from '@rowhouse/contract/table.ts';
import { restoreTrash, listTrashItems } from '@rowhouse/contract/trash.ts';
import { redo, undo } from '@rowhouse/contract/undo-redo.ts';
import { createView, getView, listViews, setViewOptions } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { exportToFile, importFromFile } from '../support/base-file.ts';
import { caller } from '../support/caller.ts';
import { listen } from '../support/listen.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { advancedPermissionsEnable: true } }) });

const open = async () => {
  const shop = await openWorkshop(world());
  const clients = await shop.table({
    name: 'Clients',
    fields: [{ name: 'Name', type: 'singleLineText' }],
    records: [{ fields: { Name: 'Acme' } }, { fields: { Name: 'Globex' } }],
  });
  const table = await shop.table({
    name: 'Deals',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Notes', type: 'longText' },
      { name: 'Stage', type: 'singleSelect', options: { choices: [{ name: 'Lead' }, { name: 'Won' }] } },
      { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'hot' }, { name: 'cold' }] } },
      { name: 'Worth', type: 'number' },
      { name: 'Owner', type: 'user' },
      { name: 'Code', type: 'singleLineText', unique: true },
      { name: 'Files', type: 'attachment' },
      { name: 'Number', type: 'autoNumber' },
      { name: 'Clients', type: 'link', options: { relationship: 'manyMany', foreignTableId: clients.id } },
    ],
    records: [],
  });
  const fieldIds = Object.fromEntries(table.fields.map(({ name, id }) => [name, id])) as Record<string, string>;
  const [acme, globex] = clients.records.map(({ id }) => id) as [string, string];
  const params = { tableId: table.id };
  const { call, userId } = shop.owner;
  const values = {
    Notes: 'Call first',
    Stage: 'Lead',
    Tags: ['hot', 'cold'],
    Worth: 500,
    Owner: { id: userId },
    Clients: [{ id: acme }, { id: globex }],
  };
  const make = (body: { name: string } & Record<string, unknown> = { name: 'New lead', fields: values }) =>
    call(createRecordTemplate, { params, body: body as never });
  const list = async (by = shop.owner) => (await by.call(listRecordTemplates, { params })).body;
  const byName = (fields: Record<string, unknown> = {}) =>
    Object.fromEntries(table.fields.filter(({ id }) => id in fields).map(({ id, name }) => [name, fields[id]]));
  return { ...shop, clients, table, fieldIds, acme, globex, params, call, values, make, list, byName };
};

test('a template keeps values by hand or from a record, and records are made with them', async () => {
  const { make, list, byName, call, params, values, acme, globex, owner } = await open();
  const made = await make();
  expect(made.status).toBe(201);
  const clients = [
    { id: acme, title: 'Acme' },
    { id: globex, title: 'Globex' },
  ];
  expect(byName(made.body.fields)).toEqual({
    ...values,
    Owner: { id: owner.userId, title: expect.any(String) },
    Clients: clients,
  });
  const at = { params: { ...params, recordTemplateId: made.body.id } };
  const record = await call(createRecordFromTemplate, { ...at, body: { fields: { Name: 'Deal', Worth: 9 } } });
  expect(record.status).toBe(201);
  expect(record.body.records[0]?.fields).toMatchObject({
    ...values,
    Name: 'Deal',
    Worth: 9,
    Owner: { id: owner.userId },
    Clients: clients,
  });
  // From a record, with what is unique to it left out, and what is given by hand before the rest.
  const recordId = record.body.records[0]?.id as string;
  const copied = await make({ name: 'New lead', recordId, fields: { Worth: 1, Name: null } });
  expect(copied.body.name).toBe('New lead 2');
  expect(byName(copied.body.fields)).toMatchObject({ Notes: 'Call first', Tags: ['hot', 'cold'], Worth: 1 });
  expect(Object.keys(byName(copied.body.fields))).not.toEqual(expect.arrayContaining(['Name']));
  const renamed = await call(updateRecordTemplate, {
    params: { ...params, recordTemplateId: copied.body.id },
    body: { name: 'A big one', fields: { Worth: 10_000, Tags: null } },
  });
  expect(byName(renamed.body.fields)).toMatchObject({ Notes: 'Call first', Worth: 10_000 });
  expect(byName(renamed.body.fields)).not.toHaveProperty('Tags');
  expect((await list()).map(({ name }) => name)).toEqual(['A big one', 'New lead']);
  // One step of undo takes the record back, not the template.
  const window = caller({ baseUrl: world().baseUrl, token: owner.token, headers: { 'x-window-id': 'winTemplates' } });
  const third = await window(createRecordFromTemplate, { ...at, body: {} });
  const counted = async () => (await call(listRecords, { params, query: {} })).body.records.length;
  expect([third.status, await counted()]).toEqual([201, 2]);
  await window(undo, { params });
  expect(await counted()).toBe(1);
  await window(redo, { params });
  expect(await counted()).toBe(2);
});

test('what a template cannot have is refused by name, and nothing is kept', async () => {
  const { make, list, call, params } = await open();
  for (const [fields, status, says] of [
    [{ Worth: 'many' }, 400, 'fields.Worth'],
    [{ Stage: 'Lost' }, 400, 'fields.Stage'],
    [{ Code: 'x' }, 400, 'Code'],
    [{ Files: [{ token: 'att' }] }, 400, 'Files'],
    [{ Number: 3 }, 400, 'Number'],
    [{ Wurth: 3 }, 404, 'Worth'],
    [{ Notes: 'n'.repeat(600_000) }, 400, '500,000'],
  ] as const) {
    const refused = await make({ name: 'Bad', fields });
    expect([refused.status, JSON.stringify(refused.error)]).toEqual([status, expect.stringContaining(says)]);
  }
  expect((await make({ name: 'Bad', recordId: 'recAAAAAAAAAAAAAAAA' })).status).toBe(404);
  expect(await list()).toEqual([]);
  const nowhere = { params: { ...params, recordTemplateId: 'rtpAAAAAAAAAAAAAAAA' } };
  expect((await call(createRecordFromTemplate, { ...nowhere, body: {} })).status).toBe(404);
  expect((await call(updateRecordTemplate, { ...nowhere, body: {} })).status).toBe(404);
  expect((await call(deleteRecordTemplate, nowhere)).status).toBe(404);
  // Most of the hundred are copies of the first; those that come at once fill the rest.
  const { id } = (await make({ name: 'Many' })).body;
  await world().db.query(
    sql`insert into rowhouse.record_templates (id, table_id, name, cells, choices, created_by)
        select 'rtpCopy' || lpad(n::text, 12, '0'), table_id, 'Copy ' || n, cells, choices, created_by
        from rowhouse.record_templates, generate_series(1, 95) n where id = ${id}`,
  );
  await Promise.all(Array.from({ length: 9 }, (_, at) => make({ name: `More ${at}` })));
  expect(await list()).toHaveLength(100);
});

test('values follow what is renamed, and lose what is deleted; a field that comes back has its value again', async () => {
  const { make, list, byName, call, params, fieldIds, acme, globex, clients, table, baseId } = await open();
  const { id } = (await make()).body;
  const values = async () => byName((await list())[0]?.fields);
  const field = (name: string) => ({ params: { ...params, fieldId: fieldIds[name] as string } });
  const [stage, tags] = ['Stage', 'Tags'].map(
    (name) => table.fields.find((one) => one.name === name)?.options as { choices: { id: string; name: string }[] },
  );
  await call(convertField, {
    ...field('Stage'),
    body: {
      type: 'singleSelect',
      options: { choices: stage?.choices.map((one) => (one.name === 'Lead' ? { ...one, name: 'Prospect' } : one)) },
    },
  });
  await call(convertField, {
    ...field('Tags'),
    body: { type: 'multipleSelect', options: { choices: tags?.choices.filter(({ name }) => name !== 'hot') } },
  });
  await call(updateField, { ...field('Worth'), body: { name: 'Value' } });
  await call(deleteRecord, { params: { tableId: clients.id, recordId: acme } });
  expect(await values()).toMatchObject({
    Stage: 'Prospect',
    Tags: ['cold'],
    Worth: 500,
    Clients: [{ id: globex, title: 'Globex' }],
  });
  await call(deleteField, field('Worth'));
  await call(convertField, { ...field('Notes'), body: { type: 'number' } });
  expect(await values()).not.toHaveProperty('Worth');
  expect(await values()).not.toHaveProperty('Notes');
  const made = await call(createRecordFromTemplate, {
    params: { ...params, recordTemplateId: id },
    body: { fields: { Name: 'left' } },
  });
  expect(made.body.records[0]?.fields).toMatchObject({ Stage: 'Prospect', Tags: ['cold'] });
  const { trashItems } = (
    await call(listTrashItems, { query: { resourceId: table.id, resourceType: 'table' } as never })
  ).body;
  const deleted = trashItems.find((item) => JSON.stringify(item).includes(fieldIds['Worth'] as string));
  expect(deleted, baseId).toBeDefined();
  expect((await call(restoreTrash, { params: { trashId: deleted?.id as string } } as never)).status).toBeLessThan(300);
  expect(await values()).toMatchObject({ Worth: 500 });
});

test('a view begins with a template of its own table; a deleted one comes back with its id, and everyone is told', async () => {
  const { make, list, call, params, clients, owner } = await open();
  const { id } = (await make()).body;
  const view = (await call(createView, { params, body: { type: 'grid', options: { recordTemplateId: id } } })).body;
  expect(view.options).toMatchObject({ recordTemplateId: id });
  const at = { params: { ...params, viewId: view.id } };
  const setTo = (recordTemplateId: string | null) =>
    call(setViewOptions, { ...at, body: { options: { recordTemplateId } } });
  expect((await setTo('rtpAAAAAAAAAAAAAAAA')).error?.message).toContain('record template');
  const elsewhere = await call(createView, {
    params: { tableId: clients.id },
    body: { type: 'grid', options: { recordTemplateId: id } },
  });
  expect(elsewhere.status).toBe(400);
  const template = { params: { ...params, recordTemplateId: id } };
  const address = addressOf(listenToTable, { params });
  const ear = await listen(`${world().baseUrl}${address}`, { token: owner.token });
  expect((await call(deleteRecordTemplate, template)).status).toBe(200);
  await ear.until(({ name }) => name === 'view.changed');
  ear.close();
  expect([await list(), (await call(createRecordFromTemplate, { ...template, body: {} })).status]).toEqual([[], 404]);
  expect((await call(getView, at)).body.options).toMatchObject({ recordTemplateId: id });
  expect((await call(restoreRecordTemplate, template)).body).toMatchObject({ id, name: 'New lead' });
  expect((await call(restoreRecordTemplate, template)).status).toBe(404);
  expect((await setTo(null)).status).toBe(200);
});

test('those who are bound by roles, and tokens without record|read, see and use what is theirs alone', async () => {
  const { make, list, byName, call, params, fieldIds, owner, baseId, globex } = await open();
  const template = (await make()).body;
  const at = { params: { ...params, recordTemplateId: template.id } };
  const viewer = await member(world(), owner, baseId, 'viewer');
  expect(byName((await list(viewer))[0]?.fields)).toMatchObject({ Stage: 'Lead' });
  expect((await viewer.call(createRecordFromTemplate, { ...at, body: {} })).status).toBe(403);
  expect((await viewer.call(createRecordTemplate, { params, body: { name: 'Mine' } })).status).toBe(403);
  const blind = await owner.withToken({ hasFullAccess: true, scopes: ['record|create', 'view|update'] });
  expect(
    (await blind.call(createRecordTemplate, { params, body: { name: 'Blind', fields: { Worth: 1 } } })).body,
  ).toMatchObject({ fields: {} });
  const recordId = (await call(createRecordFromTemplate, { ...at, body: {} })).body.records[0]?.id as string;
  expect((await blind.call(createRecordTemplate, { params, body: { name: 'Copied', recordId } })).status).toBe(403);
  const unseen = await blind.call(createRecordFromTemplate, { ...at, body: {} });
  expect([unseen.status, unseen.body.records[0]?.fields]).toEqual([201, {}]);
  const written = (await call(listRecords, { params, query: {} })).body.records.at(-1);
  expect(written?.fields).toMatchObject({ Stage: 'Lead', Worth: 500 });

  const bound = await member(world(), owner, baseId, 'editor');
  await setMatrix(world(), baseId, [
    {
      members: [{ userId: bound.userId }],
      tables: {
        [params.tableId]: {
          viewIds: null,
          grants: [
            {
              actions: ['record|read', 'record|create', 'view|update'],
              fields: ['Name', 'Stage', 'Worth', 'Clients'].map((name) => fieldIds[name] as string),
              create: ['Name', 'Stage'].map((name) => fieldIds[name] as string),
              when: null,
            },
          ],
        },
      },
    } as never,
  ]);
  const seen = (await list(bound)).find(({ id }) => id === template.id);
  // Records of a table that they do not see have no titles for them either.
  expect(byName(seen?.fields)).toEqual({ Stage: 'Lead', Worth: 500 });
  expect(seen?.fieldsLeftOut).toEqual([fieldIds['Worth']]);
  const changed = await bound.call(updateRecordTemplate, { ...at, body: { fields: { Stage: 'Won' } } });
  expect(byName(changed.body.fields)).toEqual({ Stage: 'Won', Worth: 500 });
  expect((await bound.call(updateRecordTemplate, { ...at, body: { fields: { Notes: 'x' } } })).status).toBe(404);
  const made = await bound.call(createRecordFromTemplate, { ...at, body: { fields: { Name: 'theirs' } } });
  expect(made.status).toBe(201);
  await setMatrix(world(), baseId, []);
  // What they do not see stays in the template, and is not in the record that they made.
  expect(byName((await list()).find(({ id }) => id === template.id)?.fields)).toMatchObject({
    Stage: 'Won',
    Notes: 'Call first',
    Clients: [{}, { id: globex }],
  });
  const theirs = (await call(listRecords, { params, query: {} })).body.records.find(
    ({ fields }) => fields['Name'] === 'theirs',
  );
  expect(theirs?.fields).not.toHaveProperty('Worth');
});

test('copies of a table, of a base and of its file carry the templates and the views that begin with them', async () => {
  const { make, call, params, baseId, spaceId, values, owner } = await open();
  const { id } = (await make()).body;
  await call(createView, { params, body: { type: 'grid', name: 'Leads', options: { recordTemplateId: id } } });
  const carried = async (tableId: string) => {
    const [template] = (await call(listRecordTemplates, { params: { tableId } })).body;
    const view = (await call(listViews, { params: { tableId } })).body.find(({ name }) => name === 'Leads');
    expect(template?.id).not.toBe(id);
    expect(view?.options['recordTemplateId']).toBe(template?.id);
    const made = await call(createRecordFromTemplate, {
      params: { tableId, recordTemplateId: template?.id as string },
      body: { fields: { Name: 'copied' } },
    });
    return made.body.records[0]?.fields ?? {};
  };
  const { Clients, Owner, ...plain } = values;
  const table = (
    await call(duplicateTable, {
      params: { baseId, tableId: params.tableId },
      body: { name: 'Copy', includeRecords: false },
    })
  ).body;
  expect(await carried(table.id)).toMatchObject({ ...plain, Owner, Clients });
  const dealsIn = async (base: string) =>
    (await call(listTables, { params: { baseId: base } })).body.find(({ name }) => name === 'Deals')?.id as string;
  for (const withRecords of [true, false]) {
    const copy = (await call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords } })).body;
    const cells = await carried(await dealsIn(copy.id));
    expect(cells).toMatchObject({ ...plain, Owner });
    expect(cells['Clients']).toEqual(
      withRecords ? [expect.objectContaining(Clients[0]), expect.anything()] : undefined,
    );
  }
  const back = await importFromFile(owner, spaceId, await exportToFile({ call }, baseId));
  expect(await carried(await dealsIn(back))).toMatchObject({ ...plain, Clients });
});
