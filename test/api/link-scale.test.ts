// Very many records that depend on one, and fields that are added to large tables: the one who asks does not wait for all of it, nobody waits for more
// than a part, and whatever is read meanwhile is right.
import {
  convertField,
  createField,
  deleteField,
  type Field,
  getField,
  type NewField,
} from '@rowhouse/contract/field.ts';
import type { Condition } from '@rowhouse/contract/filter.ts';
import { listRecordHistory, restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { deleteTable, deleteTablePermanently } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSession } from '../../server/db/session.ts';
import { loadTable } from '../../server/catalog/table.ts';
import { type Sql, sql } from '../../server/db/sql.ts';
import { findWrongCells, mendCells } from '../../server/domain/computed/check-cells.ts';
import { limits } from '../../server/domain/computed/plan.ts';
import { filterSql } from '../../server/domain/query/filter.sql.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { listen } from '../support/listen.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const usual = { ...limits };
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});
afterAll(() => void Object.assign(limits, usual));

const count = 1_500;
const idOf = (at: number): string => `rec${String(at).padStart(16, '0')}`;

const add = async (tableId: string, body: object): Promise<Field> => {
  const made = await shop.owner.call(createField, { params: { tableId }, body: body as NewField });
  expect([made.status, made.error?.message]).toEqual([201, undefined]);
  return made.body;
};

/** Two projects; all tasks but three belong to the first. */
const ground = async () => {
  const { baseId } = await openWorkshop(world()).then((own) => Object.assign(shop, own));
  const fields = [
    { type: 'singleLineText', name: 'Name' },
    { type: 'number', name: 'Amount' },
  ] as const;
  const projects = await shop.table({
    name: 'Projects',
    fields: [...fields],
    records: [{ fields: { Name: 'Hub', Amount: 5 } }, { fields: { Name: 'Small', Amount: 7 } }],
  });
  const tasks = await shop.table({ name: 'Tasks', fields: [...fields], records: [] });
  const link = await add(tasks.id, {
    type: 'link',
    name: 'Project',
    options: { relationship: 'manyOne', foreignTableId: projects.id },
  });
  const [hub, small] = projects.records.map(({ id }) => id) as [string, string];
  const name = sql.id(...(tasks.dbTableName.split('.') as [string, string]));
  await world().db.query(sql`insert into ${name} (__id, __created_by, "Name", "Amount", ${sql.id(`__fk_${link.id}`)})
    select 'rec' || lpad(n::text, 16, '0'), ${shop.owner.userId}, 'Task ' || n, n % 10, case when n <= 3 then ${small} else ${hub} end from generate_series(1, ${count}) n`);
  // Link cells of what was not written over the API.
  await world().db.transaction((tx) => mendCells(tx, baseId));
  const through = (source: string) => ({
    foreignTableId: projects.id,
    linkFieldId: link.id,
    lookupFieldId: projects.fields.find((field) => field.name === source)?.id,
  });
  return { baseId, projects, tasks, link, hub, small, name, through };
};

const holding = async (at: number, name: ReturnType<typeof sql.id>) => {
  const session = await openSession(world().databaseUrl);
  await session.query(sql`begin`);
  await session.query(sql`select from ${name} where __id = ${idOf(at)} for no key update`);
  return async (): Promise<void> => {
    await session.query(sql`rollback`);
    await session.client.end();
  };
};

const rename = (tableId: string, recordId: string, name: string) =>
  shop.owner.call(updateRecord, { params: { tableId, recordId }, body: { record: { fields: { Name: name } } } });

const settled = async (tableId: string, fieldId: string): Promise<void> =>
  vi.waitFor(
    async () =>
      expect((await shop.owner.call(getField, { params: { tableId, fieldId } })).body).not.toHaveProperty('isPending'),
    { timeout: 50_000, interval: 50 },
  );

test('what is looked up in a large table is right at once and filled by a job, while others write', async () => {
  const { baseId, projects, tasks, link, small, name, through } = await ground();
  const lookup = await add(tasks.id, {
    type: 'singleLineText',
    isLookup: true,
    name: 'Project name',
    lookupOptions: through('Name'),
  });
  // Who belongs to a project is found by the keys, and not by reading all tasks, from either side.
  await world().db.query(sql`analyze ${name}`);
  const planOf = async (table: { id: string }, fieldId: string, operator: string, value: unknown): Promise<string> => {
    const present = await loadTable(world().db, baseId, table.id);
    const where = filterSql({ conjunction: 'and', filterSet: [{ fieldId, operator, value } as Condition] }, present, {
      userId: '',
      now: new Date(0),
    }) as Sql;
    return JSON.stringify(
      await world().db.query(sql`explain select from ${sql.id(baseId, present.dbTableName)} r where ${where}`),
    );
  };
  for (const [operator, value] of [
    ['is', small],
    ['isAnyOf', [small]],
    ['isEmpty', null],
  ] as const)
    expect(await planOf(tasks, link.id, operator, value)).toContain(`__link_${link.id}`);
  expect(await planOf(projects, link.options.symmetricFieldId as string, 'hasAnyOf', [idOf(1)])).toMatch(
    /Index.*on \\"?Tasks/,
  );
  const doubled = await add(tasks.id, {
    type: 'formula',
    name: 'Called',
    options: { expression: `{${lookup.id}} & "!"` },
  });
  const sum = await add(projects.id, {
    type: 'rollup',
    name: 'Sum',
    options: { expression: 'sum({values})' },
    lookupOptions: {
      foreignTableId: tasks.id,
      linkFieldId: link.options.symmetricFieldId,
      lookupFieldId: tasks.fields[1]?.id,
    },
  });
  expect([lookup.isPending, doubled.isPending]).toEqual([true, true]);
  const read = async (query: object) =>
    (await shop.owner.call(listRecords, { params: { tableId: tasks.id }, query })).body.records.map(({ fields }) => [
      fields['Name'],
      fields['Project name'],
      fields['Called'],
    ]);
  expect(await read({ skip: count - 1 })).toEqual([['Task 1500', 'Hub', 'Hub!']]);
  const filtered = {
    filter: JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId: doubled.id, operator: 'is', value: 'Small!' }],
    }),
    orderBy: JSON.stringify([{ fieldId: lookup.id, order: 'asc' }]),
  };
  expect(await read(filtered)).toEqual([1, 2, 3].map((at) => [`Task ${at}`, 'Small', 'Small!']));
  // Sums are right from the start, wherever they are read.
  const sums = async () =>
    (await shop.owner.call(listRecords, { params: { tableId: projects.id }, query: {} })).body.records.map(
      ({ fields }) => fields['Sum'],
    );
  expect(await sums()).toEqual([6_744, 6]);
  // Records are written meanwhile, and what follows is right in the answer.
  const moved = await shop.owner.call(updateRecord, {
    params: { tableId: tasks.id, recordId: idOf(4) },
    body: { record: { fields: { Project: { id: small }, Amount: 100 } } },
  });
  expect([moved.status, moved.body.fields]).toEqual([
    200,
    expect.objectContaining({ 'Project name': 'Small', Called: 'Small!' }),
  ]);
  expect(await sums()).toEqual([6_740, 106]);
  for (const [tableId, { id }] of [
    [tasks.id, lookup],
    [tasks.id, doubled],
    [projects.id, sum],
  ] as const)
    await settled(tableId, id);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect(await read({ filter: filtered.filter })).toHaveLength(4);
});

test('a record that very many are linked to is renamed without waiting for them, and everything shows its name at once', async () => {
  const { baseId, projects, tasks, link, hub, small, name, through } = await ground();
  const lookup = await add(tasks.id, {
    type: 'number',
    isLookup: true,
    name: 'Rate',
    lookupOptions: through('Amount'),
  });
  const called = await add(tasks.id, {
    type: 'formula',
    name: 'Called',
    options: { expression: `{${link.id}} & " " & {${lookup.id}}` },
  });
  await jobsDone(world().db);
  await settled(tasks.id, called.id);
  limits.reached = 500;
  const ear = await listen(`${world().baseUrl}/table/${tasks.id}/events`, { token: shop.owner.token });
  const release = await holding(1_400, name);
  const renamed = await shop.owner.call(updateRecord, {
    params: { tableId: projects.id, recordId: hub },
    body: { record: { fields: { Name: 'Nabe', Amount: 6 } } },
  });
  expect([renamed.status, renamed.error?.message]).toEqual([200, undefined]);
  expect(renamed.body.fields).toMatchObject({ Name: 'Nabe', Amount: 6 });
  const read = async (query: object = { skip: count - 1 }) =>
    (await shop.owner.call(listRecords, { params: { tableId: tasks.id }, query })).body.records.map(({ fields }) => [
      (fields['Project'] as { title: string }).title,
      fields['Rate'],
      fields['Called'],
    ]);
  expect(await read()).toEqual([['Nabe', 6, 'Nabe 6']]);
  expect(
    await read({
      filter: JSON.stringify({
        conjunction: 'and',
        filterSet: [{ fieldId: called.id, operator: 'is', value: 'Nabe 6' }],
      }),
      take: 1,
    }),
  ).toEqual([['Nabe', 6, 'Nabe 6']]);
  expect(
    (await ear.until(({ name: kind, data }) => kind === 'records.updated' && data.recordsOmitted === true)).data,
  ).toMatchObject({ fieldIds: expect.arrayContaining([link.id, lookup.id, called.id]) });
  // While the job waits for a record that somebody holds, others write, and the hub is renamed again.
  const small2 = await rename(projects.id, small, 'Smaller');
  expect(small2.status).toBe(200);
  expect((await read({ take: 1 }))[0]).toEqual(['Smaller', 7, 'Smaller 7']);
  const task = await shop.owner.call(updateRecord, {
    params: { tableId: tasks.id, recordId: idOf(10) },
    body: { record: { fields: { Project: { id: small } } } },
  });
  expect(task.body.fields).toMatchObject({ Rate: 7, Called: 'Smaller 7' });
  expect((await rename(projects.id, hub, 'Kern')).status).toBe(200);
  const made = await shop.owner.call(createRecords, {
    params: { tableId: tasks.id },
    body: { records: [{ fields: { Name: 'New', Project: { id: hub } } }] },
  });
  expect(made.body.records[0]?.fields).toMatchObject({ Project: { title: 'Kern' }, Rate: 6, Called: 'Kern 6' });
  expect(await read()).toEqual([
    ['Kern', 6, 'Kern 6'],
    ['Kern', 6, 'Kern 6'],
  ]);
  await release();
  ear.close();
  for (const id of [link.id, lookup.id, called.id]) await settled(tasks.id, id);
  limits.reached = usual.reached;
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect(await read()).toEqual([
    ['Kern', 6, 'Kern 6'],
    ['Kern', 6, 'Kern 6'],
  ]);
});

test('links of a large table are made, converted and restored without waiting for the cells of the other side', async () => {
  const { baseId, projects, tasks, link, hub, through } = await ground();
  const cells = async (tableId: string, name: string, query: object = {}) =>
    (await shop.owner.call(listRecords, { params: { tableId }, query })).body.records.map(({ fields }) => fields[name]);
  // Nothing is linked by a new one, so there is nothing to fill.
  const made = await add(tasks.id, {
    type: 'link',
    name: 'Also',
    options: { relationship: 'manyMany', foreignTableId: projects.id },
  });
  expect(made).not.toHaveProperty('isPending');
  // While a hub is being shown under its new name, its link becomes text: with the new one.
  const lookup = await add(tasks.id, {
    type: 'singleLineText',
    isLookup: true,
    name: 'Called',
    lookupOptions: through('Name'),
  });
  limits.reached = 500;
  expect((await rename(projects.id, hub, 'Nabe')).status).toBe(200);
  limits.reached = usual.reached;
  const convert = (body: object) =>
    shop.owner.call(convertField, { params: { tableId: tasks.id, fieldId: link.id }, body: body as NewField });
  expect((await convert({ type: 'singleLineText' })).body.type).toBe('singleLineText');
  expect(await cells(tasks.id, 'Project', { skip: count - 1 })).toEqual(['Nabe']);
  // And a link again: its own cells are there, those of the other side are right and filled by a job.
  const back = (await convert({ type: 'link', options: { relationship: 'manyOne', foreignTableId: projects.id } }))
    .body;
  const sideId = back.options.symmetricFieldId as string;
  const side = (await shop.owner.call(getField, { params: { tableId: projects.id, fieldId: sideId } })).body;
  expect([back.isPending, side.isPending]).toEqual([undefined, true]);
  expect((await cells(projects.id, side.name)).map((cell) => (cell as unknown[]).length)).toEqual([count - 3, 3]);
  expect(await cells(tasks.id, 'Project', { take: 1 })).toEqual([expect.objectContaining({ title: 'Small' })]);
  await settled(projects.id, sideId);
  // Out of the trash it is shown at once, with the name that a record has by now.
  expect((await shop.owner.call(deleteField, { params: { tableId: tasks.id, fieldId: link.id } })).status).toBe(200);
  expect((await rename(projects.id, hub, 'Kern')).status).toBe(200);
  const [item] = (await shop.owner.call(listTrashItems, { query: { resourceId: tasks.id, resourceType: 'table' } }))
    .body.trashItems;
  expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(201);
  expect(await cells(tasks.id, 'Project', { skip: count - 1 })).toEqual([expect.objectContaining({ title: 'Kern' })]);
  for (const [tableId, fieldId] of [
    [tasks.id, link.id],
    [projects.id, sideId],
  ] as const)
    await settled(tableId, fieldId);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect(lookup.isPending).toBe(true);
});

test('a record that very many are linked to is deleted without waiting for them, and nothing shows it from then on', async () => {
  const { baseId, projects, tasks, link, hub, small, name, through } = await ground();
  const sideId = link.options.symmetricFieldId as string;
  const lookup = await add(tasks.id, {
    type: 'number',
    isLookup: true,
    name: 'Rate',
    lookupOptions: through('Amount'),
  });
  await settled(tasks.id, lookup.id);
  const read = async (query: object) =>
    (await shop.owner.call(listRecords, { params: { tableId: tasks.id }, query })).body.records.map(
      ({ id, fields }) => [id, (fields['Project'] as { title: string } | undefined)?.title, fields['Rate']],
    );
  const filter = (operator: string) => ({
    filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: link.id, operator, value: null }] }),
  });
  const ear = await listen(`${world().baseUrl}/table/${tasks.id}/events`, { token: shop.owner.token });
  const release = await holding(1_400, name);
  limits.reached = 500;
  const deleted = await shop.owner.call(deleteRecord, { params: { tableId: projects.id, recordId: hub } });
  limits.reached = usual.reached;
  expect([deleted.status, deleted.error?.message]).toEqual([200, undefined]);
  expect(await read({ skip: count - 1 })).toEqual([[idOf(count), undefined, undefined]]);
  expect(await read(filter('isNotEmpty'))).toEqual([1, 2, 3].map((at) => [idOf(at), 'Small', 7]));
  expect(
    (await ear.until(({ name: kind, data }) => kind === 'records.updated' && data.recordsOmitted === true)).data,
  ).toMatchObject({
    fieldIds: expect.arrayContaining([link.id, lookup.id]),
    cause: deleted.headers.get('x-operation-id'),
  });
  // Those that were linked to it are written, deleted and offered meanwhile, as if it had never been there.
  const write = (tableId: string, recordId: string, fields: object) =>
    shop.owner.call(updateRecord, {
      params: { tableId, recordId },
      body: { fieldKeyType: 'id', record: { fields: fields as never } },
    });
  expect((await write(tasks.id, idOf(1_399), { [link.id]: { id: small } })).body.fields).toMatchObject({
    [link.id]: { title: 'Small' },
    [lookup.id]: 7,
  });
  expect(
    (await write(projects.id, small, { [sideId]: [1, 2, 3, 1_398, 1_399].map((at) => ({ id: idOf(at) })) })).status,
  ).toBe(200);
  expect((await write(tasks.id, idOf(1_397), { [link.id]: { id: hub } })).status).toBe(400);
  expect((await shop.owner.call(deleteRecord, { params: { tableId: tasks.id, recordId: idOf(1_396) } })).status).toBe(
    200,
  );
  const free = await shop.owner.call(listRecords, {
    params: { tableId: tasks.id },
    query: { filterLinkCellCandidate: sideId, take: 1, skip: count - 7 },
  });
  expect(free.body.records.map(({ id }) => id)).toEqual([idOf(count)]);
  await release();
  ear.close();
  for (const id of [link.id, lookup.id]) await settled(tasks.id, id);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect(await world().db.query(sql`select from ${name} where ${sql.id(`__fk_${link.id}`)} = ${hub}`)).toEqual([]);
  // What each lost is in its history, once.
  const entries = async (at: number) =>
    (
      await shop.owner.call(listRecordHistory, { params: { tableId: tasks.id, recordId: idOf(at) }, query: {} })
    ).body.historyList.map(({ before, after }) => [
      (before.data as { title: string } | null)?.title,
      (after.data as { title: string } | null)?.title,
    ]);
  expect(await entries(1_400)).toEqual([['Hub', undefined]]);
  expect(await entries(1_399)).toEqual([['Hub', 'Small']]);
  const back = await shop.owner.call(restoreHistory, {
    params: { tableId: projects.id },
    body: { operationId: deleted.headers.get('x-operation-id') as string },
  });
  expect([back.status, back.error?.message]).toEqual([200, undefined]);
  expect(await read({ skip: 1_395, take: 4 })).toEqual([
    [idOf(1_397), 'Hub', 5],
    [idOf(1_398), 'Small', 7],
    [idOf(1_399), 'Small', 7],
    [idOf(1_400), 'Hub', 5],
  ]);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
});

test('a record that very many were linked to comes back without waiting for them; they follow part by part', async () => {
  const { baseId, projects, tasks, link, hub, small, name, through } = await ground();
  const sideId = link.options.symmetricFieldId as string;
  const lookup = await add(tasks.id, {
    type: 'number',
    isLookup: true,
    name: 'Rate',
    lookupOptions: through('Amount'),
  });
  await settled(tasks.id, lookup.id);
  const listOf = async () =>
    ((
      await shop.owner.call(listRecords, { params: { tableId: projects.id }, query: { fieldKeyType: 'id' } })
    ).body.records.find(({ id }) => id === hub)?.fields[sideId] ?? []) as { id: string }[];
  const before = await listOf();
  expect(before).toHaveLength(count - 3);
  const deleted = await shop.owner.call(deleteRecord, { params: { tableId: projects.id, recordId: hub } });
  expect(deleted.status).toBe(200);
  const write = (at: number, projectId: string) =>
    shop.owner.call(updateRecord, {
      params: { tableId: tasks.id, recordId: idOf(at) },
      body: { fieldKeyType: 'id', record: { fields: { [link.id]: { id: projectId } } } },
    });
  // It belongs to somebody else by the time its turn comes, or before.
  expect((await write(1_200, small)).status).toBe(200);
  const release = await holding(1_400, name);
  limits.reached = 500;
  const back = await shop.owner.call(restoreHistory, {
    params: { tableId: projects.id },
    body: { operationId: deleted.headers.get('x-operation-id') as string },
  });
  expect([back.status, back.error?.message]).toEqual([200, undefined]);
  expect((await listOf()).length).toBeLessThan(before.length);
  expect((await write(1_500, small)).status).toBe(200);
  await release();
  const expected = before.filter(({ id }) => id !== idOf(1_200) && id !== idOf(1_500));
  await vi.waitFor(async () => expect((await listOf()).map(({ id }) => id)).toEqual(expected.map(({ id }) => id)), {
    timeout: 50_000,
    interval: 50,
  });
  await jobsDone(world().db);
  limits.reached = usual.reached;
  const read = (await shop.owner.call(listRecords, { params: { tableId: tasks.id }, query: { skip: count - 2 } })).body
    .records;
  expect(read.map(({ fields }) => [(fields['Project'] as { title: string }).title, fields['Rate']])).toEqual([
    ['Hub', 5],
    ['Small', 7],
  ]);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  // It is in the history of each, as it is when all is done at once.
  const { historyList } = (
    await shop.owner.call(listRecordHistory, { params: { tableId: tasks.id, recordId: idOf(1_400) }, query: {} })
  ).body;
  expect(
    historyList.map(({ before: one, after }) => [
      (one.data as { title: string } | null)?.title,
      (after.data as { title: string } | null)?.title,
    ]),
  ).toEqual([
    [undefined, 'Hub'],
    ['Hub', undefined],
  ]);
});

test('a large table comes back from the trash while somebody holds a record; nothing leads to what was deleted meanwhile, nor after a link came back', async () => {
  const { baseId, projects, tasks, link, hub, small, name, through } = await ground();
  const lookup = await add(tasks.id, {
    type: 'number',
    isLookup: true,
    name: 'Rate',
    lookupOptions: through('Amount'),
  });
  const sideId = link.options.symmetricFieldId as string;
  const listed = await add(projects.id, {
    type: 'link',
    name: 'Listed',
    options: { relationship: 'manyMany', foreignTableId: tasks.id, isOneWay: true },
  });
  const marks = await add(tasks.id, {
    type: 'link',
    name: 'Marks',
    options: { relationship: 'manyMany', foreignTableId: projects.id },
  });
  const made = (
    await shop.owner.call(createRecords, {
      params: { tableId: projects.id },
      body: { records: [{ fields: { Name: 'Third' } }] },
    })
  ).body.records[0]?.id as string;
  const write = (tableId: string, recordId: string, fields: object) =>
    shop.owner.call(updateRecord, {
      params: { tableId, recordId },
      body: { fieldKeyType: 'id', record: { fields: fields as never } },
    });
  for (const [id, first] of [
    [small, 1],
    [made, 3],
  ] as const)
    expect((await write(projects.id, id, { [listed.id]: [{ id: idOf(first) }, { id: idOf(1_200) }] })).status).toBe(
      200,
    );
  expect((await write(tasks.id, idOf(1_200), { [marks.id]: [{ id: small }, { id: hub }, { id: made }] })).status).toBe(
    200,
  );
  await jobsDone(world().db);
  const read = async (at: number) => {
    const { fields } = (
      await shop.owner.call(listRecords, {
        params: { tableId: tasks.id },
        query: { fieldKeyType: 'id', skip: at - 1, take: 1 },
      })
    ).body.records[0] as { fields: Record<string, unknown> };
    return [
      (fields[link.id] as { title: string } | undefined)?.title,
      fields[lookup.id],
      (fields[marks.id] as { title: string }[] | undefined)?.map(({ title }) => title),
    ];
  };
  const lists = async () =>
    (
      await shop.owner.call(listRecords, { params: { tableId: projects.id }, query: { fieldKeyType: 'id' } })
    ).body.records.map(({ fields }) =>
      [sideId, listed.id].map((id) => (fields[id] as unknown[] | undefined)?.length ?? 0),
    );
  const restore = async (resourceId: string, resourceType: 'base' | 'table', wanted: string) => {
    const { trashItems } = (await shop.owner.call(listTrashItems, { query: { resourceId, resourceType } })).body;
    const item = trashItems.find((one) => [one.resourceId, ...(one.resourceIds ?? [])].includes(wanted));
    return (await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status;
  };
  const afterwards = async (): Promise<void> => {
    for (const [tableId, fieldId] of [
      [tasks.id, link.id],
      [tasks.id, lookup.id],
      [projects.id, sideId],
      [projects.id, listed.id],
      [tasks.id, marks.id],
    ] as const)
      await settled(tableId, fieldId);
    expect(await findWrongCells(world().db, baseId)).toEqual([]);
  };
  // The table is away when one of the projects goes: nobody takes the keys to it away.
  expect((await shop.owner.call(deleteTable, { params: { baseId, tableId: tasks.id } })).status).toBe(200);
  expect((await shop.owner.call(deleteRecord, { params: { tableId: projects.id, recordId: small } })).status).toBe(200);
  const release = await holding(1, name);
  expect(await restore(baseId, 'base', tasks.id)).toBe(201);
  expect((await shop.owner.call(getField, { params: { tableId: tasks.id, fieldId: link.id } })).body.isPending).toBe(
    true,
  );
  expect([await read(1), await read(1_200)]).toEqual([
    [undefined, undefined, undefined],
    ['Hub', 5, ['Hub', 'Third']],
  ]);
  expect(await lists()).toEqual([
    [count - 3, 0],
    [0, 2],
  ]);
  // Meanwhile others write, and are right at once.
  expect((await write(tasks.id, idOf(2), { [link.id]: { id: hub } })).body.fields).toMatchObject({
    [link.id]: { title: 'Hub' },
    [lookup.id]: 5,
  });
  expect((await write(projects.id, made, { [listed.id]: [{ id: idOf(1_200) }] })).status).toBe(200);
  await release();
  await afterwards();
  expect([await read(2), await lists()]).toEqual([
    ['Hub', 5, undefined],
    [
      [count - 2, 0],
      [0, 1],
    ],
  ]);
  expect(await world().db.query(sql`select from ${name} where ${sql.id(`__fk_${link.id}`)} = ${small}`)).toEqual([]);
  // The same with the link alone, whose column gets its name back when nobody is at the table.
  expect((await shop.owner.call(deleteField, { params: { tableId: tasks.id, fieldId: link.id } })).status).toBe(200);
  expect((await shop.owner.call(deleteRecord, { params: { tableId: projects.id, recordId: hub } })).status).toBe(200);
  expect(await restore(tasks.id, 'table', link.id)).toBe(201);
  expect([await read(1_200), await lists()]).toEqual([[undefined, undefined, ['Third']], [[0, 1]]]);
  await afterwards();
  expect(await world().db.query(sql`select from ${name} where ${sql.id(`__fk_${link.id}`)} is not null`)).toEqual([]);
});

test('a table goes to the trash while links to it are being filled, and leaves the titles that they show when it goes for good', async () => {
  const { baseId, projects, tasks, link, hub, name } = await ground();
  const release = await holding(1_400, name);
  limits.reached = 500;
  expect((await rename(projects.id, hub, 'Nabe')).status).toBe(200);
  limits.reached = usual.reached;
  const trashed = await shop.owner.call(deleteTable, { params: { baseId, tableId: projects.id } });
  expect([trashed.status, trashed.error?.message]).toEqual([200, undefined]);
  const read = async () =>
    (
      await shop.owner.call(listRecords, {
        params: { tableId: tasks.id },
        query: { fieldKeyType: 'id', skip: 2, take: 2 },
      })
    ).body.records.map(({ fields }) => fields[link.id]);
  expect(await read()).toEqual([undefined, undefined]);
  await release();
  expect((await shop.owner.call(deleteTablePermanently, { params: { baseId, tableId: projects.id } })).status).toBe(
    200,
  );
  expect(await read()).toEqual(['Small', 'Nabe']);
  await jobsDone(world().db);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
});

test('a long list is in the history of the end that was written, and not in that of the other', async () => {
  limits.listed = 3;
  const own = await openWorkshop(world());
  const [one, two] = [
    await own.table({
      name: 'Lists',
      fields: [{ type: 'singleLineText', name: 'Name' }],
      records: [{ fields: { Name: 'List' } }],
    }),
    await own.table({
      name: 'Items',
      fields: [{ type: 'singleLineText', name: 'Name' }],
      records: [1, 2, 3, 4, 5].map((at) => ({ fields: { Name: `${at}` } })),
    }),
  ];
  const link = (
    await own.owner.call(createField, {
      params: { tableId: two.id },
      body: { type: 'link', name: 'List', options: { relationship: 'manyOne', foreignTableId: one.id } } as never,
    })
  ).body;
  const sideId = link.options.symmetricFieldId as string;
  const listId = one.records[0]?.id as string;
  const write = (tableId: string, recordId: string, fieldId: string, value: unknown) =>
    own.owner.call(updateRecord, {
      params: { tableId, recordId },
      body: { fieldKeyType: 'id', record: { fields: { [fieldId]: value } } },
    });
  const lengths = (cell: unknown): number => (Array.isArray(cell) ? cell.length : 0);
  const history = async () =>
    (
      await own.owner.call(listRecordHistory, { params: { tableId: one.id, recordId: listId }, query: {} })
    ).body.historyList.map(({ before, after }) => [lengths(before.data), lengths(after.data)]);
  for (const { id } of two.records) expect((await write(two.id, id, link.id, { id: listId })).status).toBe(200);
  expect(await history()).toEqual([
    [2, 3],
    [1, 2],
    [0, 1],
  ]);
  const emptied = await write(one.id, listId, sideId, null);
  expect((await history())[0]).toEqual([5, 0]);
  expect(
    (
      await own.owner.call(restoreHistory, {
        params: { tableId: one.id },
        body: { operationId: emptied.headers.get('x-operation-id') as string },
      })
    ).status,
  ).toBe(200);
  const { body } = await own.owner.call(listRecords, { params: { tableId: two.id }, query: {} });
  expect(body.records.map(({ fields }) => (fields['List'] as { title: string }).title)).toEqual(Array(5).fill('List'));
  expect(await findWrongCells(world().db, own.baseId)).toEqual([]);
});
