// The rules by which writers of linked tables keep out of each other's way, one by one: each test brings requests into an order that goes wrong without its
// rule. docs/adr/0068-rules-of-links-by-tests.md says which line of code is which rule, and what was seen without it.
import { deleteRecord, createRecords, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { convertField, createField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { getTable } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { cases } from '../support/cases.ts';
import { chainFaults, linkedOnly } from '../support/chain.ts';
import { hold, type Held, holdRow, layStop, untilWaiting, watchCircles } from '../support/interleave.sql.ts';
import { linkShop, type Made, to } from '../support/links.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let links: ReturnType<typeof linkShop>;
beforeAll(async () => {
  shop = await openWorkshop(world());
  links = linkShop(shop, world());
});

const amount = { type: 'number', name: 'Amount' };

/** Two tables with a few records, the one that is locked first before the other. */
const makePair = async (names = ['1', '2', '3']): Promise<[Made, Made]> => {
  const made = [await links.makeTable('One', names, [amount]), await links.makeTable('Two', names, [amount])];
  return made.toSorted((one, other) => (one.tableId < other.tableId ? -1 : 1)) as [Made, Made];
};

const dbNames = new Map<string, string>();
const rowOf = async ({ tableId, ids }: Made, at: number): Promise<Held> => {
  if (!dbNames.has(tableId))
    dbNames.set(
      tableId,
      (await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId } })).body.dbTableName,
    );
  return holdRow(world(), dbNames.get(tableId) as string, ids[at] as string);
};
const lay = (kind: string, { tableId }: Made) => layStop(world(), shop.baseId, kind, tableId);
const stop = async (kind: string, table: Made): Promise<Held> => (await lay(kind, table)).hold();
const waiting = (count: number, or?: Promise<unknown>): Promise<void> => untilWaiting(world(), count, or);

const setAmount = (table: Made, at: number, value: number) =>
  links.set(table, at, table.fieldIds.Amount as string, value);
const create = ({ tableId }: Made, fields: object) =>
  shop.owner.call(createRecords, {
    params: { tableId },
    body: { fieldKeyType: 'id', records: [{ fields: fields as never }] },
  });
const through = (link: { id: string }, foreign: Made, source = 'Amount') => ({
  lookupOptions: { foreignTableId: foreign.tableId, linkFieldId: link.id, lookupFieldId: foreign.fieldIds[source] },
});
const addLookup = (table: Made, link: { id: string }, foreign: Made) =>
  links.addField(table, { type: 'number', isLookup: true, ...through(link, foreign) });
const addSum = (table: Made, link: { id: string }, foreign: Made) =>
  links.addField(table, { type: 'rollup', options: { expression: 'sum({values})' }, ...through(link, foreign) });
const sideOf = ({ options }: { options: Record<string, unknown> }): { id: string } => ({
  id: options.symmetricFieldId as string,
});

const statusesOf = async (requests: Promise<{ status: number; error?: { message: string } }>[]): Promise<unknown[]> =>
  (await Promise.all(requests)).map(({ status, error }) => (status < 300 ? status : [status, error?.message]));

test('lock, then look: of two who add a record to the same sum, one computes it after the other is through', async () => {
  const [parents, children] = await makePair();
  const link = await links.link(children, parents, 'manyOne');
  const sum = await addSum(parents, sideOf(link), children);
  const add = (value: number) =>
    create(children, { [children.fieldIds.Amount as string]: value, [link.id]: { id: parents.ids[0] } });
  const stopped = await stop('computed', parents);
  const first = add(1);
  await waiting(1);
  const second = add(2);
  await waiting(2, second);
  await stopped.release();
  expect(await statusesOf([first, second])).toEqual([201, 201]);
  expect((await links.cellsOf(parents, sum.id))[0]).toBe(3);
  await links.allRight();
});

test('both ends: a record that is only read is held by those who link to it, so that nobody changes it meanwhile', async () => {
  const [parents, children] = await makePair();
  const link = await links.link(children, parents, 'manyOne', { isOneWay: true });
  const lookup = await addLookup(children, link, parents);
  expect((await setAmount(parents, 0, 5)).status).toBe(200);
  const stopped = await stop('update', children);
  const linking = links.set(children, 0, link.id, { id: parents.ids[0] });
  await waiting(1);
  const changing = setAmount(parents, 0, 7);
  await waiting(2, changing);
  await stopped.release();
  expect(await statusesOf([linking, changing])).toEqual([200, 200]);
  expect((await links.cellsOf(children, lookup.id))[0]).toBe(7);
  await links.allRight();
});

test('nothing unlocked is settled: when a link came between, everything begins again', async () => {
  const [parents, children] = await makePair();
  const link = await links.link(children, parents, 'manyOne');
  const lookup = await addLookup(children, link, parents);
  const product = await links.addField(children, {
    type: 'formula',
    options: { expression: `{${lookup.id}} * {${children.fieldIds.Amount}}` },
  });
  expect(await statusesOf([setAmount(parents, 0, 5), setAmount(children, 0, 1)])).toEqual([200, 200]);
  const writing = await lay('update', children);
  const settling = await stop('computed', parents);
  const linking = links.set(children, 0, link.id, { id: parents.ids[0] });
  await waiting(1);
  const stopped = await writing.hold();
  // Sees no child yet, and waits for the parent.
  const changing = setAmount(parents, 0, 7);
  await waiting(2);
  // Waits for the child, and stops with it, not committed, once it has it.
  const counting = setAmount(children, 0, 2);
  await waiting(3);
  await settling.release();
  expect(await statusesOf([linking])).toEqual([200]);
  await waiting(2);
  await stopped.release();
  expect(await statusesOf([changing, counting])).toEqual([200, 200]);
  expect([(await links.cellsOf(children, lookup.id))[0], (await links.cellsOf(children, product.id))[0]]).toEqual([
    7, 14,
  ]);
  await links.allRight();
});

test('nothing unlocked is written: keys beside records that came between are left alone, so that nobody waits in a circle', async () => {
  const [items, lists] = await makePair();
  const link = await links.link(lists, items, 'oneMany');
  const held = await rowOf(lists, 0);
  // Has its item, and waits for the list.
  const first = links.set(items, 0, sideOf(link).id, { id: lists.ids[0] });
  await waiting(1);
  // Sees an empty list, and waits for it.
  const emptying = links.set(lists, 0, link.id, null);
  await waiting(2);
  // Waits for the item, and for the list when it has it.
  const again = links.set(items, 0, sideOf(link).id, { id: lists.ids[0] });
  await waiting(3);
  const circles = watchCircles(world());
  await held.release();
  expect(await statusesOf([first, emptying, again])).toEqual([200, 200, 200]);
  expect(await circles.end()).toBe(false);
  await links.allRight();
  for (const { tableId } of [items, lists])
    expect(await chainFaults({ call: shop.owner.call, tableId }, linkedOnly)).toEqual([]);
});

test('tables are locked in one order, whichever is written', async () => {
  const [low, high] = await makePair();
  const link = await links.link(high, low, 'manyOne');
  await addLookup(high, link, low);
  await addSum(low, sideOf(link), high);
  expect((await links.set(high, 0, link.id, { id: low.ids[0] })).status).toBe(200);
  const held = [await rowOf(low, 0), await rowOf(high, 0)];
  const one = setAmount(high, 0, 1);
  await waiting(1);
  const other = setAmount(low, 0, 2);
  await waiting(2);
  const circles = watchCircles(world());
  for (const { release } of held) await release();
  expect(await statusesOf([one, other])).toEqual([200, 200]);
  expect(await circles.end()).toBe(false);
  await links.allRight();
});

test('records of a table are locked in the order of their ids, wherever they stand', async () => {
  const [parents, children] = await makePair(Array.from({ length: 12 }, (_, at) => `${at}`));
  const link = await links.link(children, parents, 'manyOne');
  await addSum(parents, sideOf(link), children);
  // One that stands before another in the table, and behind it by its id.
  const before = children.ids.findIndex((id, at) => children.ids.slice(at + 1).some((later) => later < id));
  const behind = children.ids.findIndex((id, at) => at > before && id < (children.ids[before] as string));
  const held = await rowOf(children, behind);
  const write = (at: number) => ({ id: children.ids[at] as string, fields: { Amount: 1 } });
  const writing = shop.owner.call(updateRecords, {
    params: { tableId: children.tableId },
    body: { records: [write(before), write(behind)] },
  });
  await waiting(1);
  // It waits for the first one and holds nothing that comes later.
  const [, name] = (dbNames.get(children.tableId) as string).split('.') as [string, string];
  const free = await world().db.query(
    sql`select from ${sql.id(shop.baseId, name)} where __id = ${children.ids[before]} for update skip locked`,
  );
  await held.release();
  expect(await statusesOf([writing])).toEqual([200]);
  expect(free).toHaveLength(1);
});

/** Children that are linked to parents, which are linked to grandparents: what a new child shows is written with it, and follows from both. */
const makeFamily = async (relationship: string) => {
  const [parents, children] = await makePair();
  const elders = await links.makeTable(
    'Elders',
    [
      { Name: 'old', Amount: 5 },
      { Name: 'older', Amount: 7 },
    ],
    [amount],
  );
  const above = await links.link(parents, elders, 'manyOne', { isOneWay: true });
  const inherited = await addLookup(parents, above, elders);
  expect((await links.set(parents, 0, above.id, { id: elders.ids[0] })).status).toBe(200);
  const link = await links.link(children, parents, relationship);
  const sum = await links.addField(children, {
    type: 'rollup',
    options: { expression: 'sum({values})' },
    lookupOptions: { foreignTableId: parents.tableId, linkFieldId: link.id, lookupFieldId: inherited.id },
  });
  const told = await links.addField(children, {
    type: 'formula',
    options: { expression: `{${link.id}} & ": " & {${sum.id}}` },
  });
  const one = { id: parents.ids[0] as string };
  const add = () => create(children, { [link.id]: relationship === 'manyOne' ? one : [one] });
  const shownBy = async (adding: ReturnType<typeof create>): Promise<unknown> => {
    const id = (await adding).body.records[0]?.id as string;
    return (await links.cellsOf({ ...children, ids: [id] }, told.id))[0];
  };
  return { parents, children, elders, above, add, shownBy };
};

type Family = Awaited<ReturnType<typeof makeFamily>>;

/** The three places of a key: a column of the new record, a table between, a column of the other record. */
const relationships = [['manyOne'], ['manyMany'], ['oneMany']];

/** Both orders: the first request is stopped in its statement and holds what it has locked, the second begins meanwhile. */
const inBothOrders = async <Change>(
  relationship: string,
  kind: 'update' | 'delete',
  change: (family: Family) => Promise<Change>,
  check: (order: string, family: Family, added: ReturnType<typeof create>, changed: Promise<Change>) => Promise<void>,
): Promise<void> => {
  for (const order of ['create', kind]) {
    const family = await makeFamily(relationship);
    const requests = order === 'create' ? [family.add, () => change(family)] : [() => change(family), family.add];
    const stopped = await stop(order, order === 'create' ? family.children : family.parents);
    const first = requests[0]?.();
    await waiting(1);
    const second = requests[1]?.();
    await waiting(2, second as Promise<unknown>);
    await stopped.release();
    await check(
      order,
      family,
      (order === 'create' ? first : second) as ReturnType<typeof create>,
      (order === 'create' ? second : first) as Promise<Change>,
    );
    await links.allRight();
  }
};

test.each(relationships)(
  'a new record and a rename of what it is linked to: it shows the new name, whichever comes first (%s)',
  (relationship) =>
    inBothOrders(
      relationship,
      'update',
      ({ parents }) => links.set(parents, 0, parents.fieldIds.Name as string, 'new'),
      async (order, { shownBy }, added, renamed) => {
        expect([order, await statusesOf([added, renamed]), await shownBy(added)]).toEqual([
          order,
          [201, 200],
          'new: 5',
        ]);
      },
    ),
);

test.each(cases(relationships, [['manyOne']]))(
  'a new record and another link of what it is linked to: it shows what follows from the new one, whichever comes first (%s)',
  (relationship) =>
    inBothOrders(
      relationship,
      'update',
      ({ parents, elders, above }) => links.set(parents, 0, above.id, { id: elders.ids[1] }),
      async (order, { shownBy }, added, relinked) => {
        expect([order, await statusesOf([added, relinked]), await shownBy(added)]).toEqual([order, [201, 200], '1: 7']);
      },
    ),
);

test.each(cases(relationships, [['manyMany']]))(
  'a new record and the deletion of what it is linked to: it is linked to nobody, or refused (%s)',
  (relationship) =>
    inBothOrders(
      relationship,
      'delete',
      ({ parents }) =>
        shop.owner.call(deleteRecord, { params: { tableId: parents.tableId, recordId: parents.ids[0] as string } }),
      async (order, { shownBy }, added, removed) => {
        expect([order, (await removed).status]).toEqual([order, 200]);
        if (order === 'create') expect([(await added).status, await shownBy(added)]).toEqual([201, ': ']);
        else expect(await statusesOf([added])).toEqual([[400, expect.stringContaining('has no record')]]);
      },
    ),
);

test('versions: a change of fields in one table is one of all tables that links join, for those who planned before it', async () => {
  const [parents, children] = await makePair();
  const link = await links.link(children, parents, 'manyOne');
  expect((await links.set(children, 0, link.id, { id: parents.ids[0] })).status).toBe(200);
  expect((await setAmount(children, 0, 5)).status).toBe(200);
  // The change has closed the gate, and waits for a table.
  const [schema, name] = (
    await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId: children.tableId } })
  ).body.dbTableName.split('.') as [string, string];
  const held = await hold(world(), sql`lock table ${sql.id(schema, name)} in row exclusive mode`);
  const adding = addSum(parents, sideOf(link), children);
  await waiting(1);
  const writing = setAmount(children, 0, 7);
  // A write that nothing is known to depend on has no gate to wait at: it waits for the table.
  await waiting(2);
  await held.release();
  const sum = await adding;
  expect(await statusesOf([writing])).toEqual([200]);
  expect((await links.cellsOf(parents, sum.id))[0]).toBe(7);
  await links.allRight();
});

test('gate: a change of fields begins when those who lock and settle are through, so that none waits for the other in a circle', async () => {
  const [low, high] = await makePair();
  const link = await links.link(high, low, 'manyOne');
  await addSum(low, sideOf(link), high);
  // A table that the write does not reach, and whose links join it to the others.
  const apart = await links.makeTable('Three', ['1', '2', '3']);
  const beside = await links.link(apart, low, 'manyOne');
  expect((await links.set(high, 0, link.id, { id: low.ids[0] })).status).toBe(200);
  const stopped = await stop('update', high);
  // Has written its own table, and is to settle the other.
  const writing = setAmount(high, 0, 3);
  await waiting(1);
  // Would have the other, and wait for the first.
  const adding = shop.owner.call(createField, {
    params: { tableId: apart.tableId },
    body: { type: 'rollup', options: { expression: 'max({values})' }, ...through(beside, low) } as never,
  });
  await waiting(2);
  const circles = watchCircles(world());
  await stopped.release();
  expect(await statusesOf([writing, adding])).toEqual([200, 201]);
  expect(await circles.end()).toBe(false);
  await links.allRight();
});

test('gate: a restore, which writes before it knows what it reaches, waits for those who lock first', async () => {
  const [parents, children] = await makePair(['a', 'b']);
  const link = await links.link(children, parents, 'manyOne');
  const code = await links.addField(children, { type: 'singleLineText', name: 'Code', unique: true });
  const made = await create(children, { [code.id]: 'x', [link.id]: { id: parents.ids[0] } });
  const deleted = await shop.owner.call(deleteRecord, {
    params: { tableId: children.tableId, recordId: made.body.records[0]?.id as string },
  });
  const held = await rowOf(parents, 0);
  const creating = create(children, { [code.id]: 'x', [link.id]: { id: parents.ids[0] } });
  await waiting(1);
  const restoring = shop.owner.call(restoreHistory, {
    params: { tableId: children.tableId },
    body: { operationId: deleted.headers.get('x-operation-id') as string },
  });
  await waiting(2);
  const circles = watchCircles(world());
  await held.release();
  expect((await creating).status).toBe(201);
  await restoring;
  expect(await circles.end()).toBe(false);
  // Refused because of the value, and not because of the moment.
  const { status, error } = await restoring;
  expect([status, error.data]).toMatchObject([409, { conflicts: [{ fieldId: code.id }] }]);
  await links.allRight();
});

test('operations are numbered when everything is locked: the history of a cell is in the order in which it was written', async () => {
  const [parents, children] = await makePair();
  const link = await links.link(children, parents, 'manyOne');
  const held = await rowOf(children, 0);
  const late = links.set(children, 0, link.id, { id: parents.ids[0] });
  await waiting(1);
  const early = await links.set(children, 1, link.id, { id: parents.ids[1] });
  await held.release();
  const ids = [early, await late].map(({ headers }) => headers.get('x-operation-id') as string);
  const numbered = await world().db.query<{ id: string }>(
    sql`select o.public_id as id from ${sql.id(shop.baseId, '__operation')} o where o.public_id = any(${ids}::text[]) order by o.id`,
  );
  expect(numbered.map(({ id }) => id)).toEqual(ids);
});

test('circles: of two requests at once in two tables that would make one together, one is refused', async () => {
  const [one, two] = await makePair();
  const link = await links.link(one, two, 'manyMany');
  const a = await addSum(one, link, two);
  const b = await addSum(two, sideOf(link), one);
  const convert = (table: Made, field: { id: string }, via: { id: string }, foreign: Made, source: string) =>
    shop.owner.call(convertField, {
      params: { tableId: table.tableId, fieldId: field.id },
      body: {
        type: 'rollup',
        options: { expression: 'sum({values})' },
        lookupOptions: { foreignTableId: foreign.tableId, linkFieldId: via.id, lookupFieldId: source },
      } as never,
    });
  // The first has looked for circles, and is not through.
  const stopped = await stop('schema', one);
  const first = convert(one, a, link, two, b.id);
  await waiting(1, first);
  const second = convert(two, b, sideOf(link), one, a.id);
  await waiting(2, second);
  await stopped.release();
  expect((await first).status).toBe(200);
  expect(await statusesOf([second])).toEqual([[400, expect.stringContaining('would need itself')]]);
  expect((await links.set(one, 0, link.id, to(two, 0))).status).toBe(200);
  expect(
    (
      await shop.owner.call(updateRecord, {
        params: { tableId: two.tableId, recordId: two.ids[0] as string },
        body: { record: { fields: { Amount: 4 } } },
      })
    ).status,
  ).toBe(200);
  await links.allRight();
});

test('circles: through the titles of linked records, within a table and between two', async () => {
  const [one, two] = await makePair();
  const within = await links.link(one, one, 'manyOne', { isOneWay: true });
  const between = await links.link(one, two, 'manyOne');
  const name = (table: Made, link: { id: string }) =>
    links.convert(table, table.fieldIds.Name as string, {
      type: 'formula',
      options: { expression: `"of " & {${link.id}}` },
    });
  expect(await statusesOf([name(one, within)])).toEqual([[400, expect.stringContaining('would need itself')]]);
  expect(await statusesOf([name(one, between)])).toEqual([200]);
  expect(await statusesOf([name(two, sideOf(between))])).toEqual([[400, expect.stringContaining('would need itself')]]);
  expect((await links.set(one, 0, between.id, { id: two.ids[0] })).status).toBe(200);
  expect((await links.cellsOf(one, one.fieldIds.Name as string))[0]).toBe('of 1');
  await links.allRight();
});
