// The job that fills columns of linked tables, beside those who write and while tables go to the trash.
import { getAggregation, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { createField, type Field, getField } from '@rowhouse/contract/field.ts';
import { getRecord, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { copyShareToBase, enableShare, setShareMeta } from '@rowhouse/contract/share.ts';
import { deleteTable, getTable } from '@rowhouse/contract/table.ts';
import { listViews } from '@rowhouse/contract/view.ts';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadTable } from '../../server/catalog/table.ts';
import { sql } from '../../server/db/sql.ts';
import { idsOf, levelAlias, writtenRows } from '../../server/domain/cell/level.sql.ts';
import { columnOf } from '../../server/domain/cell/types.ts';
import { limits } from '../../server/domain/computed/plan.ts';
import { holdRow, layStop, parkJobs, untilWaiting } from '../support/interleave.sql.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { linkShop, type Made, to } from '../support/links.ts';
import { whileLocked } from '../support/lock.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const usual = { ...limits };
let shop: Workshop;
let links: ReturnType<typeof linkShop>;
beforeEach(async () => {
  shop = await openWorkshop(world());
  links = linkShop(shop, world());
});
afterEach(() => void Object.assign(limits, usual));

const makeTables = async (count: number): Promise<Made[]> => {
  const made: Made[] = [];
  for (let at = 0; at < count; at += 1)
    made.push(await links.makeTable(`Table ${at}`, ['1', '2', '3'], [{ type: 'number', name: 'Amount' }]));
  return made.toSorted((one, other) => (one.tableId < other.tableId ? -1 : 1));
};

const add = async ({ tableId }: Made, body: object): Promise<Field> => {
  const made = await shop.owner.call(createField, { params: { tableId }, body: body as never });
  expect([made.status, made.error?.message]).toEqual([201, undefined]);
  return made.body;
};

const isPending = async ({ tableId }: Made, fieldId: string): Promise<boolean> =>
  (await shop.owner.call(getField, { params: { tableId, fieldId } })).body.isPending === true;
const settled = (table: Made, fieldId: string): Promise<void> =>
  vi.waitFor(async () => expect(await isPending(table, fieldId)).toBe(false), { timeout: 30_000, interval: 20 });

test('it locks records before it looks at what they are computed from', async () => {
  const [parents, children] = (await makeTables(2)) as [Made, Made];
  const link = await links.link(children, parents, 'manyOne', { isOneWay: true });
  const amount = parents.fieldIds.Amount as string;
  expect((await links.set(parents, 0, amount, 5)).status).toBe(200);
  expect((await links.set(children, 0, link.id, { id: parents.ids[0] })).status).toBe(200);
  const settling = await layStop(world(), shop.baseId, 'computed', children.tableId);
  const parked = await parkJobs(world(), 'fill-formulas');
  limits.filledAtOnce = 2;
  const lookup = await add(children, {
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId: parents.tableId, linkFieldId: link.id, lookupFieldId: amount },
  });
  expect(lookup.isPending).toBe(true);
  const stopped = await settling.hold();
  const changing = links.set(parents, 0, amount, 7);
  await untilWaiting(world(), 1);
  // The one who writes has changed the child, and is not through: the job waits.
  await parked.resume();
  await untilWaiting(world(), 2);
  await stopped.release();
  expect((await changing).status).toBe(200);
  await settled(children, lookup.id);
  expect((await links.cellsOf(children, lookup.id))[0]).toBe(7);
  await links.allRight();
});

test('a column is read from as soon as it is filled, while others that are computed from it wait', async () => {
  const [first, second, third] = (await makeTables(3)) as [Made, Made, Made];
  const lower = await links.link(second, first, 'manyOne', { isOneWay: true });
  const upper = await links.link(third, second, 'manyOne', { isOneWay: true });
  expect((await links.set(first, 0, first.fieldIds.Amount as string, 5)).status).toBe(200);
  expect((await links.set(second, 0, lower.id, { id: first.ids[0] })).status).toBe(200);
  expect((await links.set(third, 0, upper.id, { id: second.ids[0] })).status).toBe(200);
  const parked = await parkJobs(world(), 'fill-formulas');
  limits.filledAtOnce = 2;
  const near = await add(second, {
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId: first.tableId, linkFieldId: lower.id, lookupFieldId: first.fieldIds.Amount },
  });
  const far = await add(third, {
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId: second.tableId, linkFieldId: upper.id, lookupFieldId: near.id },
  });
  expect([await isPending(second, near.id), await isPending(third, far.id)]).toEqual([true, true]);
  const { dbTableName } = (await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId: third.tableId } }))
    .body;
  const held = await holdRow(world(), dbTableName, third.ids[0] as string);
  await parked.resume();
  await settled(second, near.id);
  expect([await isPending(third, far.id), (await links.cellsOf(third, far.id))[0]]).toEqual([true, 5]);
  // What is written meanwhile follows through both.
  const writing = links.set(second, 0, lower.id, null);
  await held.release();
  expect((await writing).status).toBe(200);
  expect((await links.cellsOf(third, far.id))[0]).toBe(null);
  world().services.work.hurry('find-unfilled-formulas');
  await settled(third, far.id);
  await links.allRight();
});

/** Which of the tables, in the order of their ids, goes to the trash. */
test.each([
  ['its own links', 0],
  ['links to it', 1],
])('a table that goes to the trash with %s still to be filled leaves the others to a job', async (_name, goes) => {
  const tables = await makeTables(3);
  const away = tables[goes] as Made;
  const other = tables[1 - goes] as Made;
  const [, , third] = tables as [Made, Made, Made];
  const link = await links.link(other, away, 'manyMany');
  await links.link(third, away, 'manyOne');
  const sideId = link.options.symmetricFieldId as string;
  // Every record of each side is linked to all of the other.
  for (const at of [0, 1, 2]) expect((await links.set(other, at, link.id, to(away, 0, 1, 2))).status).toBe(200);
  const parked = await parkJobs(world(), 'fill-formulas');
  Object.assign(limits, { filledAtOnce: 2, reached: 2 });
  const formula = await add(third, { type: 'formula', options: { expression: `{${third.fieldIds.Amount}} + 1` } });
  expect(formula.isPending).toBe(true);
  // What shows these records is left to the same job.
  const renamed = [
    await links.set(other, 0, other.fieldIds.Name as string, 'renamed'),
    await links.set(away, 0, away.fieldIds.Name as string, 'renamed'),
  ];
  expect(renamed.map(({ status }) => status)).toEqual([200, 200]);
  expect([await isPending(away, sideId), await isPending(other, link.id), await isPending(third, formula.id)]).toEqual([
    true,
    true,
    true,
  ]);
  expect((await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: away.tableId } })).status).toBe(
    200,
  );
  await parked.resume();
  // The job was one of the table that is away: it has nothing to do any more.
  await jobsDone(world().db);
  expect(await isPending(third, formula.id)).toBe(true);
  world().services.work.hurry('find-unfilled-formulas');
  await settled(third, formula.id);
  await links.allRight();
});

/** Of every node of a plan that was run: how many rows it gave in all. */
const rowsGiven = (node: PlanNode): number =>
  node['Actual Rows'] * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, one) => sum + rowsGiven(one), 0);

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

test('a chain that is being filled reads each record of each table once for a page, not once for every way to it', async () => {
  const [count, depth] = [10, 5];
  const names = Array.from({ length: count }, (_one, at) => String(at + 1));
  const tables: Made[] = [];
  for (let at = 0; at <= depth; at += 1)
    tables.push(
      await links.makeTable(
        `Level ${at}`,
        names.map((Name) => ({ Name, Amount: 1 })),
        [{ type: 'number', name: 'Amount' }],
      ),
    );
  await parkJobs(world(), 'fill-formulas');
  const chain: { table: Made; field: Field; link: Field }[] = [];
  let source = tables[0]?.fieldIds.Amount as string;
  for (let at = 1; at <= depth; at += 1) {
    const [table, foreign] = [tables[at], tables[at - 1]] as [Made, Made];
    const link = await links.link(table, foreign, 'manyMany', { isOneWay: true });
    const everything = to(foreign, ...foreign.ids.keys());
    await shop.owner.call(updateRecords, {
      params: table,
      body: {
        fieldKeyType: 'id',
        records: table.ids.map((id) => ({ id, fields: { [link.id]: everything } })),
      } as never,
    });
    chain.push({ table, link, field: undefined as never });
  }
  limits.filledAtOnce = 2;
  for (const [at, step] of chain.entries()) {
    const lookupOptions = { foreignTableId: tables[at]?.tableId, linkFieldId: step.link.id, lookupFieldId: source };
    step.field = await add(step.table, { type: 'rollup', options: { expression: 'sum({values})' }, lookupOptions });
    // Formulas between them are read the same way.
    source =
      at === 2
        ? (await add(step.table, { type: 'formula', options: { expression: `{${step.field.id}} * 1` } })).id
        : step.field.id;
  }
  const last = chain.at(-1) as (typeof chain)[number];
  const all = count ** depth;
  expect([await isPending(last.table, last.field.id), await links.cellsOf(last.table, last.field.id)]).toEqual([
    true,
    names.map(() => all),
  ]);
  // In a filter and in an order, too.
  const { status, body } = await shop.owner.call(listRecords, {
    params: last.table,
    query: {
      fieldKeyType: 'id',
      take: 3,
      filter: JSON.stringify({
        conjunction: 'and',
        filterSet: [{ fieldId: last.field.id, operator: 'is', value: all }],
      }),
      orderBy: JSON.stringify([{ fieldId: last.field.id, order: 'desc' }]),
    } as never,
  });
  expect([status, body.records?.length]).toEqual([200, 3]);
  // What takes longer than a page has is left out of it, and is no reason to wait; what is sorted by it cannot be had yet.
  const { owner } = shop;
  const query = { fieldKeyType: 'id', take: 3 } as const;
  const orderBy = JSON.stringify([{ fieldId: last.field.id, order: 'desc' }]);
  limits.pageTime = 1_500;
  await whileLocked(world(), { ...shop, ...tables[0] } as never, async () => {
    const page = await owner.call(listRecords, { params: last.table, query });
    expect(page.body.records.map(({ fields }) => Object.keys(fields))).toEqual(
      [0, 1, 2].map(() => [last.table.fieldIds.Name, last.table.fieldIds.Amount, last.link.id]),
    );
    const recordId = last.table.ids[0] as string;
    const one = await owner.call(getRecord, { params: { ...last.table, recordId }, query: { fieldKeyType: 'id' } });
    expect([one.status, one.body.fields[last.field.id]]).toEqual([200, undefined]);
    const sorted = await owner.call(listRecords, { params: last.table, query: { ...query, orderBy } as never });
    expect([sorted.status, sorted.headers.get('retry-after'), sorted.error.message]).toEqual([
      503,
      '5',
      expect.stringContaining('still being computed'),
    ]);
    const sums = await owner.call(getAggregation, {
      params: last.table,
      query: { fieldKeyType: 'id', 'field[sum]': [last.field.id, last.table.fieldIds.Amount] } as never,
    });
    expect([sums.status, sums.body.aggregations?.map(({ total }) => total?.value)]).toEqual([
      200,
      [null, expect.any(Number)],
    ]);
    const filter = JSON.stringify({
      conjunction: 'and',
      filterSet: [{ fieldId: last.field.id, operator: 'is', value: all }],
    });
    expect((await owner.call(getRowCount, { params: last.table, query: { filter } as never })).status).toBe(503);
  });
  // A copy would never have what a page leaves out: it waits for it.
  const viewId = (await owner.call(listViews, { params: last.table })).body[0]?.id as string;
  const { shareId } = (await owner.call(enableShare, { params: { ...last.table, viewId } })).body;
  const meta = { includeRecords: true, allowCopy: true };
  await owner.call(setShareMeta, { params: { ...last.table, viewId }, body: meta });
  limits.pageTime = 200;
  const made = await whileLocked(world(), { ...shop, ...tables[0] } as never, async () => {
    const copying = owner.call(copyShareToBase, { params: { shareId }, body: { baseId: shop.baseId } });
    await setTimeout(5 * limits.pageTime);
    return { copying };
  }).then(({ copying }) => copying);
  limits.pageTime = usual.pageTime;
  const copied = await owner.call(listRecords, { params: { tableId: made.body.tableId as string }, query: {} });
  expect(copied.body.records.map(({ fields }) => fields[last.field.name])).toEqual(names.map(() => all));
  const schema = await loadTable(world().db, shop.baseId, last.table.tableId);
  const field = schema.byId.get(last.field.id) as never;
  const shapes = {
    page: sql`with ${idsOf(levelAlias)} as (select __id as id from ${sql.id(shop.baseId, schema.dbTableName)}) select ${columnOf(field, levelAlias)} from ${sql.id(shop.baseId, schema.dbTableName)} ${sql.id(levelAlias)}`,
    table: sql`select ${columnOf(field, 'r')} from ${sql.id(shop.baseId, schema.dbTableName)} r`,
    written: sql`select ${columnOf(field, writtenRows.settled)} from ${sql.id(shop.baseId, schema.dbTableName)} u limit 1`,
  };
  for (const shape of Object.values(shapes)) {
    const [row] = await world().db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      sql`explain (analyze, format json) ${shape}`,
    );
    // Each level: links of all its records, a few nodes above each other. Every way would be a hundred thousand rows for a single record.
    expect(rowsGiven((row as NonNullable<typeof row>)['QUERY PLAN'][0].Plan)).toBeLessThan(depth * count ** 2 * 30);
  }
});
