// Deleted views come back from the trash of their table.
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { listTrashItems, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import {
  createView,
  deleteView,
  getView,
  listViews,
  setViewFilter,
  setViewGroup,
  type View,
} from '@rowhouse/contract/view.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { dropExpiredTrash } from '../../server/domain/trash/drop-table-trash.ts';
import { person } from '../support/people.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ plansFile: 'default' });

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
  { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'x' }, { name: 'y' }] } },
];

/** A table, and a second view of it with everything that a view can have. */
const arranged = async (): Promise<{ on: TestTable; viewId: string; ids: string[] }> => {
  const on = await tableWith(await ground(world()), fields);
  const { tableId, fieldIds } = on;
  const made = await on.call(createRecords, {
    params: { tableId },
    body: { records: [1, 2, 3].map((Count) => ({ fields: { Name: `n${Count}`, Count, Kind: 'x' } })) },
  });
  const ids = made.body.records.map(({ id }) => id);
  const view = await on.call(createView, {
    params: { tableId },
    body: {
      type: 'grid',
      name: 'Mine',
      description: 'A view',
      options: { rowHeight: 'tall' },
      columnMeta: { [fieldIds.Count as string]: { width: 333, hidden: true } },
    } as never,
  });
  const params = { tableId, viewId: view.body.id };
  const filter = { conjunction: 'and', filterSet: [{ fieldId: fieldIds.Count, operator: 'isGreater', value: 0 }] };
  expect((await on.call(setViewFilter, { params, body: { filter } as never })).status).toBe(200);
  expect(
    (await on.call(setViewGroup, { params, body: { group: [{ fieldId: fieldIds.Kind as string, order: 'asc' }] } }))
      .status,
  ).toBe(200);
  expect(
    (
      await on.call(moveRecords, {
        params,
        body: { anchorId: ids[0] as string, position: 'before', recordIds: [ids[2] as string] },
      })
    ).status,
  ).toBe(200);
  return { on, viewId: view.body.id, ids };
};

const trashIdOf = (viewId: string): string => `tra${viewId.slice(3)}`;
const view = async ({ call, tableId }: TestTable, viewId: string): Promise<View> =>
  (await call(getView, { params: { tableId, viewId } })).body;
const remove = async ({ call, tableId }: TestTable, viewId: string): Promise<void> =>
  expect((await call(deleteView, { params: { tableId, viewId } })).status).toBe(200);
const restore = ({ call }: Pick<TestTable, 'call'>, viewId: string) =>
  call(restoreTrash, { params: { trashId: trashIdOf(viewId) } });
const order = async ({ call, tableId }: TestTable, viewId: string): Promise<string[]> =>
  (await call(listRecords, { params: { tableId }, query: { viewId } })).body.records.map(({ id }) => id);
const trash = async ({ call, tableId }: Pick<TestTable, 'call' | 'tableId'>) =>
  (await call(listTrashItems, { query: { resourceType: 'table', resourceId: tableId } })).body;
const hasOrderColumn = async ({ baseId }: TestTable, viewId: string): Promise<boolean> =>
  (
    await world().db.query(
      sql`select from information_schema.columns where table_schema = ${baseId} and column_name = ${`__order_${viewId}`}`,
    )
  ).length === 1;

test('a view comes back as it was, with the order that was made by hand', async () => {
  const { on, viewId, ids } = await arranged();
  const before = await view(on, viewId);
  const sorted = await order(on, viewId);
  expect(sorted).toEqual([ids[2], ids[0], ids[1]]);
  await remove(on, viewId);
  expect(await trash(on)).toMatchObject({
    trashItems: [{ id: trashIdOf(viewId), resourceIds: [viewId], resourceType: 'view', deletedBy: on.owner.userId }],
    resourceMap: { [viewId]: { id: viewId, name: 'Mine', type: 'grid' } },
  });
  expect((await restore(on, viewId)).status).toBe(201);
  expect(await view(on, viewId)).toEqual(before);
  expect(await order(on, viewId)).toEqual(sorted);
  expect((await trash(on)).trashItems).toEqual([]);
  expect((await restore(on, viewId)).status).toBe(404);
});

test('what it says about fields that are gone since is left out, and fields that came since are in it', async () => {
  const { on, viewId } = await arranged();
  const { tableId, fieldIds } = on;
  await remove(on, viewId);
  await on.call(deleteField, { params: { tableId, fieldId: fieldIds.Count as string } });
  const made = await on.call(createField, { params: { tableId }, body: { name: 'New', type: 'checkbox' } });
  await on.call(createView, { params: { tableId }, body: { type: 'grid', name: 'Mine' } });
  expect((await restore(on, viewId)).status).toBe(201);
  const back = await view(on, viewId);
  expect(back).toMatchObject({ name: 'Mine 2', group: [{ fieldId: fieldIds.Kind }] });
  expect(back.filter ?? null).toBeNull();
  expect(Object.keys(back.columnMeta).sort()).toEqual([fieldIds.Name, fieldIds.Kind, made.body.id].sort());
  expect((await on.call(listViews, { params: { tableId } })).body.map(({ name }) => name)).toContain('Mine 2');
});

test('it is dropped with its order when the trash is emptied, and when the plan keeps it no longer', async () => {
  const [one, other] = [await arranged(), await arranged()];
  for (const { on, viewId } of [one, other]) {
    await remove(on, viewId);
    expect(await hasOrderColumn(on, viewId)).toBe(true);
  }
  expect(
    (await one.on.call(resetTrashItems, { query: { resourceType: 'table', resourceId: one.on.tableId } })).status,
  ).toBe(200);
  expect(await hasOrderColumn(one.on, one.viewId)).toBe(false);
  expect((await restore(one.on, one.viewId)).status).toBe(404);
  await world().db.query(
    sql`update rowhouse.deleted_views set deleted_time = deleted_time - interval '91 days' where id = ${other.viewId}`,
  );
  await dropExpiredTrash(world().services);
  expect((await trash(other.on)).trashItems).toEqual([]);
  expect((await restore(other.on, other.viewId)).status).toBe(404);
  expect(await hasOrderColumn(other.on, other.viewId)).toBe(true);
  await world().db.query(
    sql`update rowhouse.deleted_views set deleted_time = deleted_time - interval '7 days' where id = ${other.viewId}`,
  );
  await dropExpiredTrash(world().services);
  expect(await hasOrderColumn(other.on, other.viewId)).toBe(false);
});

test('editors bring it back; viewers and strangers do not', async () => {
  const { on, viewId } = await arranged();
  await remove(on, viewId);
  expect((await restore(await person(world()), viewId)).status).toBe(404);
  expect((await restore(await member(world(), on.owner, on.baseId, 'viewer'), viewId)).status).toBe(403);
  expect((await restore(await member(world(), on.owner, on.baseId, 'editor'), viewId)).status).toBe(201);
});
