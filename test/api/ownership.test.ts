// What cannot be undone is for owners, and comes by way of the trash: nobody who was let in carries things off.
import { deleteBase, destroyBase, getBase, moveBase } from '@rowhouse/contract/base.ts';
import { deleteTable, deleteTablePermanently, getTable } from '@rowhouse/contract/table.ts';
import { listTrash, resetTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { expect, test } from 'vitest';
import { type Person, person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { give, member, newBase, newSpace } from '../support/workspace.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

test('a creator of the space does not move a base away, an owner does', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const creator = await member(world(), owner, spaceId, 'creator');
  const lair = await newSpace(creator);
  const move = async (who: Person, to: string): Promise<number> =>
    (await who.call(moveBase, { params: { baseId }, body: { spaceId: to } })).status;
  expect(await move(creator, lair)).toBe(403);
  expect((await owner.call(getBase, { params: { baseId } })).body.spaceId).toBe(spaceId);
  // Where it goes, the role that makes bases is enough.
  await give(creator, lair, owner, 'creator');
  expect(await move(owner, lair)).toBe(200);
});

test('guests and creators put a base into the trash and no further; the owner finds it there', async () => {
  const owner = await person(world());
  const spaceId = await newSpace(owner);
  const baseId = await newBase(owner, spaceId);
  const [guest, creator] = [
    await member(world(), owner, baseId, 'creator'),
    await member(world(), owner, spaceId, 'creator'),
  ];
  const params = { baseId };
  for (const someone of [guest, creator]) expect((await someone.call(destroyBase, { params })).status).toBe(403);
  expect((await guest.call(deleteBase, { params })).status).toBe(200);
  for (const someone of [guest, creator]) expect((await someone.call(destroyBase, { params })).status).toBe(403);
  const found = (await owner.call(listTrash, { query: { resourceType: 'base' } })).body.trashItems;
  expect(found).toMatchObject([{ resourceId: baseId, deletedBy: guest.userId }]);
  await owner.call(restoreTrash, { params: { trashId: found[0]?.id as string } });
  expect((await owner.call(getBase, { params })).status).toBe(200);
  await owner.call(deleteBase, { params });
  expect((await owner.call(destroyBase, { params })).status).toBe(200);
});

test('tables are deleted for good, and the trash of a base or table emptied, by owners alone', async () => {
  const { owner, spaceId, baseId, table } = await openWorkshop(world());
  const [guest, creator] = [
    await member(world(), owner, baseId, 'creator'),
    await member(world(), owner, spaceId, 'creator'),
  ];
  const params = { baseId, tableId: (await table({ records: [] })).id };
  const places = [
    { resourceType: 'base', resourceId: baseId },
    { resourceType: 'table', resourceId: (await table({ records: [] })).id },
  ] as const;
  // One that is not in the trash goes as well.
  const live = { baseId, tableId: (await table({ records: [] })).id };
  for (const someone of [guest, creator])
    expect((await someone.call(deleteTablePermanently, { params: live })).status).toBe(403);
  expect((await owner.call(getTable, { params: live })).status).toBe(200);
  expect((await owner.call(deleteTablePermanently, { params: live })).status).toBe(200);
  expect((await owner.call(deleteTablePermanently, { params: live })).status).toBe(404);
  expect((await guest.call(deleteTable, { params })).status).toBe(200);
  for (const someone of [guest, creator]) {
    expect((await someone.call(deleteTablePermanently, { params })).status).toBe(403);
    for (const query of places) expect((await someone.call(resetTrashItems, { query })).status).toBe(403);
  }
  for (const query of places) expect((await owner.call(resetTrashItems, { query })).status).toBe(200);
  expect((await owner.call(deleteTablePermanently, { params })).status).toBe(404);
});
