import { deleteBase, duplicateBase, listBases } from '@rowhouse/contract/base.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createTable, listTables } from '@rowhouse/contract/table.ts';
import { listViews } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { type Person, person } from '../support/people.ts';
import { member, newBase, newSpace } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

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
  (await who.call(listRecords, { params: { tableId } })).body.records.map((record: { fields: Record<string, unknown> }) => record.fields);

test('a base is copied with tables, fields and views under new ids, with records or without', async () => {
  const owner = await person(world());
  const [spaceId, elsewhere] = [await newSpace(owner), await newSpace(owner)];
  const fromBaseId = await newBase(owner, spaceId, 'Plans');
  const tableId = await fill(owner, fromBaseId);
  for (const withRecords of [true, false]) {
    const made = await owner.call(duplicateBase, { body: { fromBaseId, spaceId: elsewhere, withRecords } });
    expect([made.status, made.body]).toEqual([201, { id: expect.stringMatching(/^bse/), name: 'Plans (Copy)', icon: null, spaceId: elsewhere }]);
    const baseId = made.body.id;
    const [copy] = (await owner.call(listTables, { params: { baseId } })).body;
    expect(copy).toMatchObject({ name: 'People', description: 'who', icon: '👥', dbTableName: `${baseId}.People` });
    expect(copy?.id).not.toBe(tableId);
    const params = { tableId: copy?.id as string };
    const [before, after] = [(await owner.call(listFields, { params: { tableId } })).body, (await owner.call(listFields, { params })).body];
    expect(after.map(({ name, type, options, dbFieldName }) => ({ name, type, options, dbFieldName }))).toEqual(
      before.map(({ name, type, options, dbFieldName }) => ({ name, type, options, dbFieldName })),
    );
    expect(before.filter((field) => after.some(({ id }) => id === field.id))).toEqual([]);
    const [view] = (await owner.call(listViews, { params })).body;
    expect(Object.keys(view?.columnMeta ?? {}).sort()).toEqual(after.map((field) => field.id).sort());
    const rows = withRecords ? [{ Name: 'Ada', Code: '1', Kind: 'a' }, { Name: 'Bob', Code: '2', Kind: 'b' }] : [];
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
  expect((await copy(stranger, { spaceId: await newSpace(stranger) })).error).toMatchObject({ status: 404, message: `Base ${fromBaseId} not found` });
  expect((await copy(owner, { spaceId: own })).status).toBe(404);
  expect((await copy(owner, { fromBaseId: 'bse0000000000000000' })).status).toBe(404);
  expect((await copy(await owner.withToken({ scopes: ['base|create', 'base|read', 'table|read'], spaceIds: [spaceId] }))).status).toBe(403);
  expect((await copy(await owner.withToken({ baseIds: [fromBaseId] }))).status).toBe(403);
  for (const body of [{ name: '' }, { withRecords: 'yes' }, { spaceId: 1 }]) expect((await copy(owner, body)).status).toBe(400);
  expect((await owner.call(listBases)).body).toHaveLength(1);
  await owner.call(deleteBase, { params: { baseId: fromBaseId } });
  expect((await copy(owner)).status).toBe(404);
});
