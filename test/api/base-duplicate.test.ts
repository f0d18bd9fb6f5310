import { deleteBase, duplicateBase, listBases } from '@rowhouse/contract/base.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createTable, duplicateTable, listTables } from '@rowhouse/contract/table.ts';
import { duplicateView, moveRecords } from '@rowhouse/contract/view-order.ts';
import { createView, listViews, lockView, setViewFilter } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { type Person, person } from '../support/people.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);

const fill = async (owner: Person, baseId: string): Promise<string> => {
  const made = await owner.call(createTable, {
    params: { baseId },
    body: {
      name: 'People',
      description: 'who',
      icon: '👥',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Code', type: 'singleLineText', unique: true },
        { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
      ],
      records: [{ fields: { Name: 'Ada', Code: '1', Kind: 'a' } }, { fields: { Name: 'Bob', Code: '2', Kind: 'b' } }],
    },
  });
  expect(made.status).toBe(201);
  return made.body.id;
};

const namesIn = async (who: Person, tableId: string): Promise<unknown[]> =>
  (await who.call(listRecords, { params: { tableId } })).body.records.map(
    (record: { fields: Record<string, unknown> }) => record.fields,
  );

test('a base is copied with tables, fields and views under new ids, with records or without', async () => {
  const owner = await person(world());
  const [spaceId, elsewhere] = [await newSpace(owner), await newSpace(owner)];
  const fromBaseId = await newBase(owner, spaceId, 'Plans');
  const tableId = await fill(owner, fromBaseId);
  for (const withRecords of [true, false]) {
    const made = await owner.call(duplicateBase, { body: { fromBaseId, spaceId: elsewhere, withRecords } });
    expect([made.status, made.body]).toEqual([
      201,
      { id: expect.stringMatching(/^bse/), name: 'Plans (Copy)', icon: null, spaceId: elsewhere },
    ]);
    const baseId = made.body.id;
    const [copy] = (await owner.call(listTables, { params: { baseId } })).body;
    expect(copy).toMatchObject({ name: 'People', description: 'who', icon: '👥', dbTableName: `${baseId}.People` });
    expect(copy?.id).not.toBe(tableId);
    const params = { tableId: copy?.id as string };
    const [before, after] = [
      (await owner.call(listFields, { params: { tableId } })).body,
      (await owner.call(listFields, { params })).body,
    ];
    expect(after.map(({ name, type, options, dbFieldName }) => ({ name, type, options, dbFieldName }))).toEqual(
      before.map(({ name, type, options, dbFieldName }) => ({ name, type, options, dbFieldName })),
    );
    expect(before.filter((field) => after.some(({ id }) => id === field.id))).toEqual([]);
    const [view] = (await owner.call(listViews, { params })).body;
    expect(Object.keys(view?.columnMeta ?? {}).sort()).toEqual(after.map((field) => field.id).sort());
    const rows = withRecords
      ? [
          { Name: 'Ada', Code: '1', Kind: 'a' },
          { Name: 'Bob', Code: '2', Kind: 'b' },
        ]
      : [];
    expect(await namesIn(owner, params.tableId)).toEqual(rows);
    const twice = await owner.call(createRecords, { params, body: { records: [{ fields: { Code: '1' } }] } });
    expect(twice.status < 300).toBe(!withRecords);
  }
  expect(await namesIn(owner, tableId)).toHaveLength(2);
});

test('it takes reading the one and creating in the other, and nothing is left behind when it is refused', async () => {
  const [owner, stranger] = [await person(world()), await person(world())];
  const spaceId = await newSpace(owner);
  const fromBaseId = await newBase(owner, spaceId);
  await fill(owner, fromBaseId);
  const copy = (who: Pick<Person, 'call'>, body: Record<string, unknown> = {}) =>
    who.call(duplicateBase, { body: { fromBaseId, spaceId, withRecords: true, ...body } as never });
  const viewer = await member(world(), owner, spaceId, 'viewer');
  expect((await copy(viewer)).status).toBe(403);
  const own = await newSpace(viewer);
  expect((await copy(viewer, { spaceId: own, name: 'Mine' })).body).toMatchObject({ name: 'Mine', spaceId: own });
  expect((await copy(stranger, { spaceId: await newSpace(stranger) })).error).toMatchObject({
    status: 404,
    message: `Base ${fromBaseId} not found`,
  });
  expect((await copy(owner, { spaceId: own })).status).toBe(404);
  expect((await copy(owner, { fromBaseId: 'bse0000000000000000' })).status).toBe(404);
  expect(
    (await copy(await owner.withToken({ scopes: ['base|create', 'base|read', 'table|read'], spaceIds: [spaceId] })))
      .status,
  ).toBe(403);
  expect((await copy(await owner.withToken({ baseIds: [fromBaseId] }))).status).toBe(403);
  for (const body of [{ name: '' }, { withRecords: 'yes' }, { spaceId: 1 }])
    expect((await copy(owner, body)).status).toBe(400);
  expect((await owner.call(listBases)).body).toHaveLength(1);
  await owner.call(deleteBase, { params: { baseId: fromBaseId } });
  expect((await copy(owner)).status).toBe(404);
});

test('copies of a view, a table and a base have all that the view has, and the order that people gave its records', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const tableId = await fill(owner, baseId);
  const params = { tableId };
  await owner.call(createRecords, { params, body: { records: [{ fields: { Name: 'Cat', Code: '3', Kind: 'a' } }] } });
  const [ada, bob] = (await owner.call(listRecords, { params })).body.records.map(({ id }) => id) as [string, string];
  const [name, , kind] = (await owner.call(listFields, { params })).body.map(({ id }) => id) as [
    string,
    string,
    string,
  ];
  const view = (
    await owner.call(createView, {
      params,
      body: {
        type: 'kanban',
        name: 'Board',
        options: { stackFieldId: kind, isEmptyStackHidden: true },
        columnMeta: { [name]: { visible: true } },
      },
    })
  ).body;
  await owner.call(moveRecords, {
    params: { tableId, viewId: view.id },
    body: { anchorId: ada, position: 'before', recordIds: [bob] },
  });
  const filter = { conjunction: 'and', filterSet: [{ fieldId: name, operator: 'isNotEmpty', value: null }] } as const;
  await owner.call(setViewFilter, { params: { tableId, viewId: view.id }, body: { filter: filter as never } });
  await owner.call(lockView, { params: { tableId, viewId: view.id }, body: { isLocked: true } });
  const inOrder = async (id: string, viewId: string) =>
    (await owner.call(listRecords, { params: { tableId: id }, query: { viewId } })).body.records.map(
      ({ fields }) => fields.Name,
    );
  expect(await inOrder(tableId, view.id)).toEqual(['Bob', 'Ada', 'Cat']);

  const copy = await owner.call(duplicateView, { params: { tableId, viewId: view.id } });
  expect([copy.status, copy.body]).toMatchObject([
    201,
    { name: 'Board 2', type: 'kanban', options: { stackFieldId: kind, isEmptyStackHidden: true }, filter },
  ]);
  expect([copy.body.id === view.id, 'isLocked' in copy.body]).toEqual([false, false]);
  expect(await inOrder(tableId, copy.body.id)).toEqual(['Bob', 'Ada', 'Cat']);
  expect((await owner.call(duplicateView, { params: { tableId, viewId: 'viwUnknown' } })).status).toBe(404);

  const table = (
    await owner.call(duplicateTable, { params: { baseId, tableId }, body: { name: 'Twin', includeRecords: true } })
  ).body;
  const twin = table.views.find(({ id }) => id === table.viewMap[view.id]);
  expect(twin).toMatchObject({
    name: 'Board',
    isLocked: true,
    options: { stackFieldId: table.fieldMap[kind] },
    filter: { filterSet: [{ fieldId: table.fieldMap[name] }] },
  });
  expect(await inOrder(table.id, twin?.id as string)).toEqual(['Bob', 'Ada', 'Cat']);
  // What is added later comes after them.
  await owner.call(createRecords, { params: { tableId: table.id }, body: { records: [{ fields: { Name: 'Dog' } }] } });
  expect(await inOrder(table.id, twin?.id as string)).toEqual(['Bob', 'Ada', 'Cat', 'Dog']);

  // The copy of a base is for everyone in it.
  await owner.call(createView, { params, body: { type: 'grid', name: 'Mine', isPersonal: true } });
  const base = (await owner.call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } })).body;
  const first = (await owner.call(listTables, { params: { baseId: base.id } })).body[0]?.id as string;
  const views = (await owner.call(listViews, { params: { tableId: first } })).body;
  expect(views.filter((one) => one.name === 'Mine' || 'personalOf' in one)).toMatchObject([{ name: 'Mine' }]);
  expect(views.some((one) => 'personalOf' in one)).toBe(false);
  const board = views.find(({ name: called }) => called === 'Board')?.id as string;
  expect(await inOrder(first, board)).toEqual(['Bob', 'Ada', 'Cat']);
});
