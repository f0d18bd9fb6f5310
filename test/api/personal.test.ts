// What people keep for themselves: pins, where they were last, and how they look at a view.
import { deleteBase } from '@rowhouse/contract/base.ts';
import { removeSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { deleteField } from '@rowhouse/contract/field.ts';
import { getLastVisit, getLastVisitMap, listLastBases, noteVisit } from '@rowhouse/contract/last-visit.ts';
import { createPin, deletePin, listPins, movePin } from '@rowhouse/contract/pin.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { createView, deleteView, listViews, setOwnQuery } from '@rowhouse/contract/view.ts';
import { beforeAll, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member, newBase } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

test('pins have an order, and are gone with what they name', async () => {
  const { call } = await member(world(), shop.owner, shop.spaceId, 'viewer');
  const table = await shop.table();
  const viewId = table.views[0]?.id as string;
  const base = await newBase(shop.owner, shop.spaceId);
  for (const body of [
    { type: 'space', id: shop.spaceId },
    { type: 'base', id: base },
    { type: 'table', id: table.id },
    { type: 'view', id: viewId },
  ] as const)
    expect((await call(createPin, { body })).status).toBe(201);
  const listed = async () => (await call(listPins, {})).body.map(({ type, id }) => [type, id]);
  expect(await listed()).toEqual([
    ['space', shop.spaceId],
    ['base', base],
    ['table', table.id],
    ['view', viewId],
  ]);
  expect((await call(listPins, {})).body[3]).toMatchObject({
    name: 'Grid view',
    parentBaseId: shop.baseId,
    viewMeta: { tableId: table.id, type: 'grid' },
  });
  expect((await shop.owner.call(listPins, {})).body).toEqual([]);

  expect((await call(createPin, { body: { type: 'base', id: base } })).status).toBe(400);
  expect((await call(createPin, { body: { type: 'base', id: table.id } })).status).toBe(404);
  expect(
    (
      await call(movePin, {
        body: { type: 'view', id: viewId, anchorType: 'space', anchorId: shop.spaceId, position: 'before' },
      })
    ).status,
  ).toBe(200);
  expect(
    (await call(movePin, { body: { type: 'base', id: base, anchorType: 'base', anchorId: base, position: 'after' } }))
      .status,
  ).toBe(200);
  expect(await listed()).toEqual([
    ['view', viewId],
    ['space', shop.spaceId],
    ['base', base],
    ['table', table.id],
  ]);
  expect(
    (
      await call(movePin, {
        body: { type: 'view', id: viewId, anchorType: 'base', anchorId: 'bseUnknown', position: 'before' },
      })
    ).status,
  ).toBe(404);

  await shop.owner.call(deleteBase, { params: { baseId: base } });
  await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: table.id } });
  expect(await listed()).toEqual([['space', shop.spaceId]]);
  expect((await call(deletePin, { query: { type: 'space', id: shop.spaceId } })).status).toBe(200);
  expect((await call(deletePin, { query: { type: 'space', id: shop.spaceId } })).status).toBe(404);
  expect(await listed()).toEqual([]);
});

test('the last visit is that of one person, and falls back to what comes first', async () => {
  const guest = await member(world(), shop.owner, shop.spaceId, 'viewer');
  const { call } = guest;
  const baseId = await newBase(shop.owner, shop.spaceId);
  const last = async (resourceType: 'base' | 'table' | 'view', parentResourceId: string) =>
    (await call(getLastVisit, { query: { resourceType, parentResourceId } })).body;
  expect([await last('table', baseId), await last('base', shop.spaceId)]).toEqual([null, null]);
  const [first, second] = [await shop.table(), await shop.table()];
  const [firstView, secondView] = [first, second].map(({ views }) => views[0]?.id as string) as [string, string];
  expect(await last('table', shop.baseId)).toMatchObject({ resourceType: 'table' });
  const other = (await shop.owner.call(createView, { params: { tableId: second.id }, body: { type: 'grid' } })).body.id;
  const visit = (
    resourceType: 'base' | 'table' | 'view',
    resourceId: string,
    parentResourceId: string,
    more: object = {},
  ) => call(noteVisit, { body: { resourceType, resourceId, parentResourceId, ...more } });
  expect((await visit('table', second.id, shop.baseId, { childResourceId: other })).status).toBe(201);
  expect(await last('table', shop.baseId)).toEqual({
    resourceType: 'table',
    resourceId: second.id,
    childResourceId: other,
  });
  await visit('view', other, second.id);
  expect(await last('view', second.id)).toEqual({ resourceType: 'view', resourceId: other });
  const map = async () =>
    (await call(getLastVisitMap, { query: { resourceType: 'view', parentResourceId: shop.baseId } })).body;
  expect(await map()).toMatchObject({
    [first.id]: { resourceId: firstView },
    [second.id]: { resourceType: 'view', parentResourceId: second.id, resourceId: other },
  });
  await shop.owner.call(deleteView, { params: { tableId: second.id, viewId: other } });
  expect(await map()).toMatchObject({ [second.id]: { resourceId: secondView } });
  expect(await last('table', shop.baseId)).toEqual({
    resourceType: 'table',
    resourceId: second.id,
    childResourceId: secondView,
  });

  const bases = [baseId];
  while (bases.length < 12) bases.push(await newBase(shop.owner, shop.spaceId));
  for (const id of bases) await visit('base', id, shop.spaceId);
  await visit('base', bases[11] as string, shop.spaceId);
  const list = async () => (await call(listLastBases, {})).body;
  expect((await list()).list.map(({ resourceId }) => resourceId)).toEqual(bases.slice(2).toReversed());
  expect((await list()).list[0]).toMatchObject({
    resourceType: 'base',
    resource: { id: bases[11], role: 'viewer', spaceId: shop.spaceId },
  });
  expect(await last('base', shop.spaceId)).toEqual({ resourceType: 'base', resourceId: bases[11] });
  expect((await visit('table', second.id, baseId)).status).toBe(400);
  expect((await visit('base', 'bseUnknown', shop.spaceId)).status).toBe(404);
  await shop.owner.call(removeSpaceCollaborator, {
    params: { spaceId: shop.spaceId },
    query: { principalId: guest.userId, principalType: 'user' },
  });
  expect(await list()).toEqual({ total: 0, list: [] });
});

test('a view is filtered, sorted and grouped for one person alone', async () => {
  const guest = await member(world(), shop.owner, shop.spaceId, 'viewer');
  const table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'name' },
      { type: 'number', name: 'count' },
    ],
  });
  const [name, count] = table.fields.map(({ id }) => id) as [string, string];
  const params = { tableId: table.id, viewId: table.views[0]?.id as string };
  const filter = {
    conjunction: 'and' as const,
    filterSet: [
      { fieldId: count, operator: 'isGreater', value: 1 },
      { fieldId: name, operator: 'isNotEmpty', value: null },
    ],
  };
  const query = {
    filter,
    sort: [{ fieldId: count, order: 'desc' as const }],
    group: [{ fieldId: name, order: 'asc' as const }],
  };
  const ownOf = async (person: typeof guest) => (await person.call(listViews, { params })).body[0]?.ownQuery;
  expect((await guest.call(setOwnQuery, { params, body: { query } })).status).toBe(200);
  expect([await ownOf(guest), await ownOf(shop.owner)]).toEqual([query, undefined]);
  const refused = await guest.call(setOwnQuery, {
    params,
    body: { query: { ...query, sort: [{ fieldId: 'fldUnknown', order: 'asc' }] } },
  });
  expect([refused.status, refused.error.data]).toMatchObject([
    400,
    { issues: [{ path: 'query.sort.sortObjs[0].fieldId' }] },
  ]);
  expect((await guest.call(setOwnQuery, { params: { ...params, viewId: 'viwUnknown' }, body: { query } })).status).toBe(
    404,
  );

  await shop.owner.call(deleteField, { params: { tableId: table.id, fieldId: count } });
  expect(await ownOf(guest)).toEqual({
    filter: { conjunction: 'and', filterSet: [filter.filterSet[1]] },
    sort: [],
    group: query.group,
  });
  await guest.call(setOwnQuery, { params, body: { query: null } });
  expect(await ownOf(guest)).toBeUndefined();
});
