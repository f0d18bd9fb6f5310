// The sample base: five linked tables that use everything.
import { listRecords } from '@rowhouse/contract/record.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { rowhouse } from '../support/command.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('rowhouse sample makes a base whose cells are all right', async () => {
  const { owner, spaceId } = await openWorkshop(world());
  const made = await rowhouse(world().databaseUrl, 'sample', '--records', '60', '--url', world().origin, '--token', owner.token, '--space', spaceId);
  expect([made.code, made.err]).toEqual([0, '']);
  const baseId = /made the base (bse\w+)/.exec(made.out)?.[1] as string;
  const { body: tables } = await owner.call(listTables, { params: { baseId } });
  expect(tables.map(({ name }) => name)).toEqual(['Clients', 'People', 'Projects', 'Tasks', 'Invoices']);
  const { body } = await owner.call(listRecords, { params: { tableId: tables[2]?.id as string }, query: {} });
  expect(body.records[0]?.fields).toMatchObject({ 'All tasks': expect.any(Number), Left: expect.any(Number), Progress: expect.stringContaining('%'), Country: expect.any(String) });
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
});
