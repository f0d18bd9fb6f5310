// Lookups and rollups of records that a filter finds, without a link: right at every read.
import * as api from '@rowhouse/contract/field.ts';
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecord, listRecords } from '@rowhouse/contract/record.ts';
import { createTable, deleteTable, duplicateTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { linkShop, type Made, to } from '../support/links.ts';
import { listen } from '../support/listen.ts';
import { judgeStatements } from '../support/sent-statements.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let shop: Workshop;
let links: ReturnType<typeof linkShop>;
beforeAll(async () => {
  shop = await openWorkshop(world());
  links = linkShop(shop, world());
});

const is = (fieldId: string | undefined, value: unknown, operator = 'is') => ({ fieldId, operator, value });
const all = (...filterSet: object[]) => ({ conjunction: 'and', filterSet });
const host = (fieldId: string | undefined) => ({ type: 'field', fieldId });

/** Orders name their customer in a text, customers have none of them. */
const ground = async () => {
  const customers = await links.makeTable(
    'Customers',
    [{ Name: 'Ada', From: 5 }, { Name: 'bob', From: 1 }, { Name: 'Cy' }],
    [{ type: 'number', name: 'From' }],
  );
  const orders = await links.makeTable(
    'Orders',
    [
      { Name: 'One', Who: 'ada', Sum: 3 },
      { Name: 'Two', Who: 'Bob', Sum: 4 },
      { Name: 'Three', Who: 'Ada', Sum: 9 },
      { Name: 'Four', Who: 'Bob' },
    ],
    [
      { type: 'singleLineText', name: 'Who' },
      { type: 'number', name: 'Sum' },
    ],
  );
  const mine = all(is(orders.fieldIds['Who'], host(customers.fieldIds['Name'])));
  const names = { foreignTableId: orders.tableId, lookupFieldId: orders.fieldIds['Name'], filter: mine };
  const sums = { foreignTableId: orders.tableId, lookupFieldId: orders.fieldIds['Sum'], filter: mine };
  return { customers, orders, mine, names, sums };
};

const lookup = (table: Made, lookupOptions: object, type = 'singleLineText') =>
  links.addField(table, { type, isLookup: true, isConditionalLookup: true, lookupOptions });
const rollup = (table: Made, options: object) => links.addField(table, { type: 'conditionalRollup', options });

describe('without a link', () => {
  test('a lookup shows what its filter finds, and follows both sides', async () => {
    const { customers, orders, names } = await ground();
    const field = await lookup(customers, names);
    expect(field).toMatchObject({
      name: expect.stringMatching(/^Name \(Orders/),
      type: 'singleLineText',
      isLookup: true,
      isConditionalLookup: true,
      isMultipleCellValue: true,
      isComputed: true,
      lookupOptions: { ...names },
    });
    expect(field.lookupOptions).not.toHaveProperty('linkFieldId');
    expect(await links.cellsOf(customers, field.id)).toEqual([['One', 'Three'], ['Two', 'Four'], null]);
    await links.set(orders, 1, orders.fieldIds['Who'] as string, 'Cy');
    expect(await links.cellsOf(customers, field.id)).toEqual([['One', 'Three'], ['Four'], ['Two']]);
    const written = await links.set(customers, 0, customers.fieldIds['Name'] as string, 'Cy');
    expect(written.body.fields[field.id]).toEqual(['Two']);
    await shop.owner.call(createRecords, {
      params: { tableId: orders.tableId },
      body: { fieldKeyType: 'name', records: [{ fields: { Name: 'Five', Who: 'CY' } }] },
    });
    await shop.owner.call(deleteRecord, { params: { tableId: orders.tableId, recordId: orders.ids[3] as string } });
    expect(await links.cellsOf(customers, field.id)).toEqual([['Two', 'Five'], null, ['Two', 'Five']]);
  });

  test('sort and limit say which come first; a sort field that is gone is left out', async () => {
    const { customers, orders, names } = await ground();
    const field = await lookup(customers, {
      ...names,
      filter: null,
      sort: { fieldId: orders.fieldIds['Sum'], order: 'desc' },
      limit: 2,
    });
    expect((await links.cellsOf(customers, field.id))[0]).toEqual(['Three', 'Two']);
    const joined = await rollup(customers, {
      expression: 'array_join({values})',
      ...names,
      sort: { fieldId: orders.fieldIds['Name'], order: 'desc' },
      limit: 1,
    });
    expect(await links.cellsOf(customers, joined.id)).toEqual(['Three', 'Two', null]);
    await shop.owner.call(api.deleteField, {
      params: { tableId: orders.tableId, fieldId: orders.fieldIds['Sum'] as string },
    });
    expect((await links.fieldOf(customers, field.id))?.hasError).toBeUndefined();
    expect((await links.cellsOf(customers, field.id))[0]).toEqual(['One', 'Two']);
    const refused = (lookupOptions: object) =>
      shop.owner.call(api.createField, {
        params: { tableId: customers.tableId },
        body: { type: 'singleLineText', isLookup: true, isConditionalLookup: true, lookupOptions } as never,
      });
    expect((await refused({ ...names, limit: 5_001 })).status).toBe(400);
    expect((await refused({ ...names, sort: { fieldId: 'fldNone', order: 'asc' } })).status).toBe(400);
  });

  test('a rollup counts, adds and joins; of nothing counts and sums are 0', async () => {
    const { customers, sums } = await ground();
    const of = async (expression?: string) => {
      const field = await rollup(customers, {
        ...(expression === undefined ? {} : { expression: `${expression}({values})` }),
        ...sums,
      });
      return links.cellsOf(customers, field.id);
    };
    expect(await of()).toEqual([2, 2, 0]);
    expect(await of('counta')).toEqual([2, 1, 0]);
    expect(await of('sum')).toEqual([12, 4, 0]);
    expect(await of('average')).toEqual([6, 4, null]);
    expect(await of('max')).toEqual([9, 4, null]);
    expect(await of('array_compact')).toEqual([[3, 9], [4], null]);
    const field = await rollup(customers, { expression: 'sum({values})', ...sums, limit: 1 });
    expect(field).toMatchObject({
      type: 'conditionalRollup',
      cellValueType: 'number',
      options: { expression: 'sum({values})', foreignTableId: sums.foreignTableId, lookupFieldId: sums.lookupFieldId },
    });
    expect(field.lookupOptions).toBeUndefined();
    expect(await links.cellsOf(customers, field.id)).toEqual([12, 4, 0]);
  });

  test('cells are compared by their kind, and with what stands in the filter', async () => {
    const { customers, orders, mine, sums } = await ground();
    const [sum, from] = [orders.fieldIds['Sum'], customers.fieldIds['From']];
    const more = await rollup(customers, {
      ...sums,
      filter: { ...mine, filterSet: [...mine.filterSet, is(sum, host(from), 'isGreater')] },
    });
    expect(await links.cellsOf(customers, more.id)).toEqual([1, 1, 0]);
    const fixed = await rollup(customers, { ...sums, filter: all(is(sum, 4, 'isGreaterEqual')) });
    expect(await links.cellsOf(customers, fixed.id)).toEqual([2, 2, 2]);
    const ask = (filter: object) =>
      shop.owner.call(api.createField, {
        params: { tableId: customers.tableId },
        body: { type: 'conditionalRollup', options: { ...sums, filter } },
      });
    expect(await ask(all(is(sum, host(customers.fieldIds['Name']))))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('cannot be compared') },
    });
    expect(await ask(all(is(sum, host('fldNone'))))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('has no field fldNone') },
    });
    expect(await ask(all(is(orders.fieldIds['Who'], host(customers.fieldIds['Name']), 'contains')))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('not compared by contains') },
    });
    expect(await ask(all(is('fldNone', 1)))).toMatchObject({ status: 400 });
  });

  test('a choice is compared with a text as texts are, and a person with the author of a record', async () => {
    const { customers, orders, sums } = await ground();
    const choices = { choices: [{ name: 'Ada' }, { name: 'BOB' }] };
    const chosen = await links.addField(orders, { type: 'singleSelect', name: 'Chosen', options: choices });
    await links.set(orders, 0, chosen.id, 'Ada');
    await links.set(orders, 1, chosen.id, 'BOB');
    const name = customers.fieldIds['Name'];
    const byName = await rollup(customers, { ...sums, filter: all(is(chosen.id, host(name))) });
    expect(await links.cellsOf(customers, byName.id)).toEqual([1, 1, 0]);
    const others = await rollup(customers, { ...sums, filter: all(is(chosen.id, host(name), 'isNot')) });
    expect(await links.cellsOf(customers, others.id)).toEqual([3, 3, 4]);
    const fan = await links.addField(customers, { type: 'singleSelect', name: 'Fan of', options: choices });
    await links.set(customers, 2, fan.id, 'Ada');
    const byChoice = await rollup(customers, { ...sums, filter: all(is(orders.fieldIds['Who'], host(fan.id))) });
    expect(await links.cellsOf(customers, byChoice.id)).toEqual([0, 0, 2]);
    const same = await rollup(customers, { ...sums, filter: all(is(chosen.id, host(fan.id))) });
    expect(await links.cellsOf(customers, same.id)).toEqual([0, 0, 1]);
    const author = await links.addField(orders, { type: 'createdBy', name: 'Author' });
    const agent = await links.addField(customers, { type: 'user', name: 'Agent', options: { isMultiple: false } });
    await links.set(customers, 1, agent.id, { id: shop.owner.userId, title: 'Owner' });
    const written = await rollup(customers, { ...sums, filter: all(is(author.id, host(agent.id))) });
    expect(await links.cellsOf(customers, written.id)).toEqual([0, 4, 0]);
    const indexes = await world().db.query<{ name: string }>(
      sql`select indexname as name from pg_indexes where schemaname = ${shop.baseId} and indexname like ${`%${chosen.id}`} and indexname like '\\_\\_same%' order by 1`,
    );
    expect(indexes).toHaveLength(2);
  });

  test('the own table, links and people are compared by id, and formulas, filters, sorts and statistics know the result', async () => {
    const { customers, orders } = await ground();
    const link = await links.link(orders, customers, 'manyOne');
    await links.set(orders, 0, link.id, to(customers, 1)[0]);
    await links.set(orders, 1, link.id, to(customers, 1)[0]);
    const same = await rollup(orders, {
      foreignTableId: orders.tableId,
      lookupFieldId: orders.fieldIds['Sum'],
      expression: 'sum({values})',
      filter: all(is(link.id, host(link.id))),
    });
    expect(await links.cellsOf(orders, same.id)).toEqual([7, 7, 0, 0]);
    const share = await links.addField(orders, {
      type: 'formula',
      name: 'Share',
      options: { expression: `{Sum} / {${same.id}}` },
    });
    expect((await links.cellsOf(orders, share.id)).slice(0, 2)).toEqual([3 / 7, 4 / 7]);
    // Through a link, and a lookup of a lookup like this.
    const through = await links.addField(customers, {
      type: 'conditionalRollup',
      isLookup: true,
      lookupOptions: {
        foreignTableId: orders.tableId,
        linkFieldId: link.options.symmetricFieldId,
        lookupFieldId: same.id,
      },
    });
    expect(await links.cellsOf(customers, through.id)).toEqual([null, [7, 7], null]);
    const twice = await rollup(customers, {
      foreignTableId: orders.tableId,
      lookupFieldId: same.id,
      expression: 'sum({values})',
    });
    expect(await links.cellsOf(customers, twice.id)).toEqual([14, 14, 14]);
    const found = await shop.owner.call(listRecords, {
      params: { tableId: orders.tableId },
      query: {
        fieldKeyType: 'id',
        filter: JSON.stringify(all(is(same.id, 5, 'isGreater'))),
        orderBy: JSON.stringify([{ fieldId: share.id, order: 'desc' }]),
      },
    });
    expect(found.body.records.map(({ name }) => name)).toEqual(['Two', 'One']);
    const total = await shop.owner.call(getAggregation, {
      params: { tableId: orders.tableId },
      query: { fieldKeyType: 'id', 'field[sum]': [same.id] } as never,
    });
    expect(total.body.aggregations[0]?.total?.value).toBe(14);
  });

  test('those who listen hear that cells may be others when the other table changes, also of a field that is added meanwhile', async () => {
    const { customers, orders, sums } = await ground();
    const ear = await listen(`${world().baseUrl}/table/${customers.tableId}/events?values=true`, {
      token: shop.owner.token,
    });
    const field = await rollup(customers, { expression: 'sum({values})', ...sums });
    const written = await links.set(orders, 1, orders.fieldIds['Sum'] as string, 40);
    const cause = written.headers.get('x-operation-id');
    const { name, data } = await ear.until((event) => event.data.cause === cause);
    expect([name, data]).toMatchObject([
      'records.updated',
      { tableId: customers.tableId, fieldIds: [field.id], recordIds: [], recordsOmitted: true },
    ]);
    // Its own changes are told as they were, and changes of the other table that come with them once.
    const [, own] = await Promise.all([
      links.set(orders, 0, orders.fieldIds['Sum'] as string, 1),
      links.set(customers, 0, customers.fieldIds['From'] as string, 6),
    ]);
    const told = await ear.until(
      (event) => event.data.operationId === own.headers.get('x-operation-id') && event.data.cause === undefined,
    );
    expect(told.data).toMatchObject({ recordIds: [customers.ids[0]], fieldIds: [customers.fieldIds['From']] });
    ear.close();
  });

  test('circles are refused', async () => {
    const { customers, orders, sums } = await ground();
    const first = await rollup(customers, { expression: 'sum({values})', ...sums });
    const second = await shop.owner.call(api.createField, {
      params: { tableId: orders.tableId },
      body: {
        type: 'conditionalRollup',
        name: 'Back',
        options: { expression: 'sum({values})', foreignTableId: customers.tableId, lookupFieldId: first.id },
      },
    });
    expect(second.status).toBe(201);
    const circle = await links.convert(customers, first.id, {
      type: 'conditionalRollup',
      options: { expression: 'sum({values})', ...sums, lookupFieldId: second.body.id },
    });
    expect([circle.status, circle.error?.message]).toEqual([400, expect.stringContaining('would need itself')]);
    expect(await links.cellsOf(customers, first.id)).toEqual([12, 4, 0]);
  });

  test('what it needs goes and comes back; it is copied, converted and undone', async () => {
    const { customers, orders, names } = await ground();
    const field = await lookup(customers, names);
    const shown = [['One', 'Three'], ['Two', 'Four'], null];
    const gone = await shop.owner.call(api.deleteField, {
      params: { tableId: orders.tableId, fieldId: orders.fieldIds['Who'] as string },
    });
    expect((await links.fieldOf(customers, field.id))?.hasError).toBe(true);
    expect(await links.cellsOf(customers, field.id)).toEqual([null, null, null]);
    await shop.owner.call(restoreHistory, {
      params: { tableId: orders.tableId },
      body: { operationId: gone.headers.get('x-operation-id') as string },
    });
    expect(await links.cellsOf(customers, field.id)).toEqual(shown);
    // A cell of another kind cannot be compared any more.
    await links.convert(orders, orders.fieldIds['Who'] as string, { type: 'checkbox' });
    expect((await links.fieldOf(customers, field.id))?.hasError).toBe(true);
    await links.convert(orders, orders.fieldIds['Who'] as string, { type: 'singleLineText' });
    // What cells are compared by has an index, also after all that; it takes long texts.
    const indexes = await world().db.query<{ name: string }>(
      sql`select indexname as name from pg_indexes where schemaname = ${shop.baseId} and indexname = ${`__same_${orders.fieldIds['Who']}`}`,
    );
    expect(indexes).toHaveLength(1);
    await links.set(orders, 0, orders.fieldIds['Who'] as string, 'x'.repeat(50_000));
    await links.set(customers, 0, customers.fieldIds['Name'] as string, 'x'.repeat(50_000));
    expect((await links.cellsOf(customers, field.id))[0]).toEqual(['One']);
    const other = await ground();
    const kept = await lookup(other.customers, other.names);
    const copy = (
      await shop.owner.call(api.duplicateField, {
        params: { tableId: other.customers.tableId, fieldId: kept.id },
        body: { name: 'Copy' },
      })
    ).body;
    expect(await links.cellsOf(other.customers, copy.id)).toEqual(shown);
    const text = await links.convert(other.customers, copy.id, { type: 'singleLineText' });
    expect(await links.cellsOf(other.customers, copy.id)).toEqual(['One, Three', 'Two, Four', null]);
    const back = await shop.owner.call(restoreHistory, {
      params: { tableId: other.customers.tableId },
      body: { operationId: text.headers.get('x-operation-id') as string },
    });
    expect(back.status).toBe(200);
    expect(await links.cellsOf(other.customers, copy.id)).toEqual(shown);
    const table = await shop.owner.call(duplicateTable, {
      params: { baseId: shop.baseId, tableId: other.customers.tableId },
      body: { name: 'Copy', includeRecords: true },
    });
    expect(table.status).toBe(201);
    const copied = await shop.owner.call(listRecords, {
      params: { tableId: table.body.id },
      query: { fieldKeyType: 'id' },
    });
    expect(copied.body.records.map(({ fields }) => fields[table.body.fieldMap[kept.id] as string] ?? null)).toEqual(
      shown,
    );
    await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: other.orders.tableId } });
    expect((await links.fieldOf(other.customers, kept.id))?.hasError).toBe(true);
    const trash = await shop.owner.call(listTrashItems, { query: { resourceType: 'base', resourceId: shop.baseId } });
    const item = trash.body.trashItems.find(({ resourceId }) => resourceId === other.orders.tableId);
    expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(201);
    expect(await links.cellsOf(other.customers, kept.id)).toEqual(shown);
  });

  test('no table and no field are refused; a new table may have such fields', async () => {
    const { customers, orders, names, sums } = await ground();
    const ask = (lookupOptions: object) =>
      shop.owner.call(api.createField, {
        params: { tableId: customers.tableId },
        body: { type: 'singleLineText', isLookup: true, isConditionalLookup: true, lookupOptions } as never,
      });
    expect(await ask({ ...names, foreignTableId: 'tblNone' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('has no table tblNone') },
    });
    expect(await ask({ lookupFieldId: names.lookupFieldId })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('needs a table') },
    });
    expect(await ask({ ...names, lookupFieldId: 'fldNone' })).toMatchObject({ status: 400 });
    const make = (lookupOptions: object) =>
      shop.owner.call(createTable, {
        params: { baseId: shop.baseId },
        body: {
          fields: [
            { type: 'singleLineText', name: 'Name', id: 'fldOfANewTable00001' },
            {
              type: 'conditionalRollup',
              name: 'R',
              options: { expression: 'sum({values})', ...sums, ...lookupOptions },
            },
            {
              type: 'singleLineText',
              isLookup: true,
              isConditionalLookup: true,
              lookupOptions: { ...names, filter: null },
            },
          ] as never,
          records: [{ fields: { Name: 'ada' } }, { fields: { Name: 'Cy' } }],
        },
      });
    expect(await make({ foreignTableId: 'tblNone' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('has no table tblNone') },
    });
    const made = await make({ filter: all(is(orders.fieldIds['Who'], host('fldOfANewTable00001'))) });
    expect([made.status, made.error?.message]).toEqual([201, undefined]);
    const [, sum, lookedUp] = made.body.fields;
    expect(made.body.records.map(({ fields }) => [fields['R'], fields[lookedUp?.name as string]])).toEqual([
      [12, ['One', 'Two', 'Three', 'Four']],
      [0, ['One', 'Two', 'Three', 'Four']],
    ]);
    // It is joined to the other table from the beginning.
    await shop.owner.call(api.deleteField, {
      params: { tableId: orders.tableId, fieldId: orders.fieldIds['Sum'] as string },
    });
    expect((await links.fieldOf({ tableId: made.body.id, fieldIds: {}, ids: [] }, sum?.id as string))?.hasError).toBe(
      true,
    );
  });
});

test('a lookup through a link is sorted and limited too', async () => {
  const customers = await links.makeTable('Customers', ['Ada']);
  const orders = await links.makeTable(
    'Orders',
    [
      { Name: 'One', Sum: 3 },
      { Name: 'Two', Sum: 4 },
      { Name: 'Three', Sum: 9 },
    ],
    [{ type: 'number', name: 'Sum' }],
  );
  const link = await links.link(customers, orders, 'oneMany');
  await links.set(customers, 0, link.id, to(orders, 0, 1, 2));
  const lookupOptions = {
    foreignTableId: orders.tableId,
    linkFieldId: link.id,
    lookupFieldId: orders.fieldIds['Name'],
    sort: { fieldId: orders.fieldIds['Sum'], order: 'desc' },
    limit: 2,
  };
  const field = await links.addField(customers, { type: 'singleLineText', isLookup: true, lookupOptions });
  expect(await links.cellsOf(customers, field.id)).toEqual([['Three', 'Two']]);
  // What it is sorted by changes, and so does the cell.
  await links.set(orders, 0, orders.fieldIds['Sum'] as string, 10);
  expect(await links.cellsOf(customers, field.id)).toEqual([['One', 'Three']]);
  await links.allRight();
});
