// Formula fields: computed by the statement that writes the record, read like any other field.
import * as api from '@rowhouse/contract/field.ts';
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, duplicateRecord, getRecord, listRecords, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { createTable, duplicateTable, getTable } from '@rowhouse/contract/table.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { listen } from '../support/listen.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

interface Ground {
  tableId: string;
  fieldIds: Record<string, string>;
  recordIds: string[];
}

/** A table with Name, Price, Count, Day, Tags, Done, and some records. */
const ground = async (records: Record<string, unknown>[] = [{ Name: 'Bolt', Price: 2, Count: 5 }, { Name: 'Nut', Price: 3 }, {}]): Promise<Ground> => {
  const made = await shop.owner.call(createTable, {
    params: { baseId: shop.baseId },
    body: {
      name: 'Goods',
      fields: [
        { type: 'singleLineText', name: 'Name' }, { type: 'number', name: 'Price' }, { type: 'number', name: 'Count' }, { type: 'date', name: 'Day' },
        { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'red' }, { name: 'blue' }] } }, { type: 'checkbox', name: 'Done' },
      ],
      records: records.map((fields) => ({ fields })),
    },
  });
  expect(made.status).toBe(201);
  return { tableId: made.body.id, fieldIds: Object.fromEntries(made.body.fields.map(({ name, id }) => [name, id])), recordIds: made.body.records.map(({ id }) => id) };
};

const addFormula = async ({ tableId }: Ground, name: string, expression: string, options: object = {}): Promise<api.Field> => {
  const made = await shop.owner.call(api.createField, { params: { tableId }, body: { type: 'formula', name, options: { expression, ...options } } });
  expect(made.body).toMatchObject({ name });
  expect(made.status).toBe(201);
  return made.body;
};

const cells = async ({ tableId }: Ground, name: string, query: object = {}): Promise<unknown[]> => {
  const listed = await shop.owner.call(listRecords, { params: { tableId }, query });
  expect(listed.status).toBe(200);
  return listed.body.records.map(({ fields }) => fields[name] ?? null);
};

const undo = async (tableId: string, { headers }: { headers: Headers }): Promise<void> => {
  const undone = await shop.owner.call(restoreHistory, { params: { tableId }, body: { operationId: headers.get('x-operation-id') as string } });
  expect([undone.status, undone.error.message]).toEqual([200, undefined]);
};

const fieldOf = async ({ tableId }: Ground, fieldId: string): Promise<api.Field> => (await shop.owner.call(api.getField, { params: { tableId, fieldId } })).body;

describe('a formula field', () => {
  test('is kept with ids, says what it gives, and is filled for the records there are', async () => {
    const goods = await ground();
    const { Price, Count } = goods.fieldIds;
    const total = await addFormula(goods, 'Total', '{Price} * {Count} + 1');
    expect(total).toEqual({
      id: expect.stringMatching(/^fld\w{16}$/), name: 'Total', type: 'formula', isComputed: true, cellValueType: 'number', dbFieldType: 'REAL', dbFieldName: 'Total',
      options: { expression: `{${Price}} * {${Count}} + 1`, timeZone: 'UTC', formatting: { type: 'decimal', precision: 2 } },
    });
    expect(await fieldOf(goods, total.id)).toEqual(total);
    expect(await cells(goods, 'Total')).toEqual([11, 1, 1]);
    expect(await cells(goods, 'Total', { cellFormat: 'text' })).toEqual(['11.00', '1.00', '1.00']);
    const unnamed = await shop.owner.call(api.createField, { params: { tableId: goods.tableId }, body: { type: 'formula', options: { expression: '1 > 2' } } });
    expect(unnamed.body).toMatchObject({ name: 'Calculation', cellValueType: 'boolean', dbFieldType: 'BOOLEAN' });
    expect(await cells(goods, 'Calculation')).toEqual([false, false, false]);
  });

  test('is computed by every write of a record, with formulas over formulas', async () => {
    const goods = await ground();
    const { tableId } = goods;
    await addFormula(goods, 'Total', '{Price} * {Count}');
    await addFormula(goods, 'Label', '{Name} & ": " & {Total}');
    await addFormula(goods, 'Twice', '{Total} + {Total}');
    const made = await shop.owner.call(createRecords, { params: { tableId }, body: { typecast: true, records: [{ fields: { Name: 'Screw', Price: '4', Count: 2, Total: 99 } }, { fields: { Count: 3 } }] } });
    expect(made.body.records.map(({ fields }) => fields)).toEqual([
      { Name: 'Screw', Price: 4, Count: 2, Total: 8, Label: 'Screw: 8', Twice: 16 },
      { Count: 3, Total: 0, Label: ': 0', Twice: 0 },
    ]);
    const [first, second] = made.body.records.map(({ id }) => id) as [string, string];
    const changed = await shop.owner.call(updateRecords, { params: { tableId }, body: { records: [{ id: first, fields: { Count: 5 } }, { id: second, fields: { Price: 7 } }] } });
    expect((changed.body as unknown as { fields: object }[]).map(({ fields }) => fields)).toMatchObject([{ Total: 20, Label: 'Screw: 20', Twice: 40 }, { Total: 21, Label: ': 21', Twice: 42 }]);
    await shop.owner.call(updateRecord, { params: { tableId, recordId: first }, body: { record: { fields: { Name: null } } } });
    expect((await shop.owner.call(getRecord, { params: { tableId, recordId: first } })).body.fields).toEqual({ Price: 4, Count: 5, Total: 20, Label: ': 20', Twice: 40 });
    const copy = await shop.owner.call(duplicateRecord, { params: { tableId, recordId: first } });
    expect(JSON.stringify(copy.body)).toContain('":": 20"');
  });

  test('is not written, not unique and not required', async () => {
    const goods = await ground();
    await addFormula(goods, 'Total', '{Price} * 2');
    const written = await shop.owner.call(createRecords, { params: { tableId: goods.tableId }, body: { records: [{ fields: { Total: 1 } }] } });
    expect(written.status).toBe(400);
    expect(written.body).toMatchObject({ message: expect.stringContaining('"Total" is computed and cannot be written') });
    for (const rule of [{ unique: true }, { notNull: true }]) {
      expect((await shop.owner.call(api.createField, { params: { tableId: goods.tableId }, body: { type: 'formula', options: { expression: '1' }, ...rule } })).status).toBe(400);
    }
  });

  test('with a mistake is refused with its place, what was expected, and the nearest name', async () => {
    const { tableId } = await ground();
    const refused = async (expression: string): Promise<unknown> => {
      const answer = await shop.owner.call(api.createField, { params: { tableId }, body: { type: 'formula', options: { expression } } });
      expect(answer.status).toBe(400);
      return (answer.body as unknown as { data: { issues: unknown[] } }).data.issues[0];
    };
    expect(await refused('1 + {Prise}')).toMatchObject({ path: 'options.expression', start: 4, end: 11, nearest: '{Price}', message: expect.stringContaining('There is no field {Prise}') });
    expect(await refused('SOM(1)')).toMatchObject({ start: 0, end: 3, nearest: 'SUM', expected: 'the name of a function' });
    expect(await refused('(1 + 2')).toMatchObject({ expected: '")"' });
    expect(await refused('ROUND()')).toMatchObject({ expected: 'ROUND(number, [places])' });
    expect((await shop.owner.call(api.createField, { params: { tableId }, body: { type: 'formula' } })).status).toBe(400);
  });

  test('is tried before it is saved: what it gives, for one record, and what it costs', async () => {
    const goods = await ground();
    const { tableId, recordIds } = goods;
    const first = await addFormula(goods, 'First', '{Price} + 1');
    const plan = (expression: string, recordId?: string) => shop.owner.call(api.planFieldCreate, { params: { tableId }, query: recordId === undefined ? {} : { recordId }, body: { type: 'formula', options: { expression } } });
    expect((await plan('{First} * 2')).body).toMatchObject({ updateCellCount: 3, preview: { cellValueType: 'number', isMultipleCellValue: false, text: '6.00' } });
    expect((await plan('{Name} & "!"', recordIds[1])).body.preview).toEqual({ cellValueType: 'string', isMultipleCellValue: false, text: 'Nut!' });
    expect((await plan('{First')).status).toBe(400);
    const convert = async (fieldId: string, expression: string) => (await shop.owner.call(api.planFieldConvert, { params: { tableId, fieldId }, query: {}, body: { type: 'formula', options: { expression } } })).body;
    expect(await convert(first.id, first.options.expression as string)).toMatchObject({ skip: true, updateCellCount: 0, preview: { text: '3.00' } });
    expect(await convert(first.id, '{Price} > 2')).toMatchObject({ updateCellCount: 3, preview: { cellValueType: 'boolean', text: 'false' } });
    expect(await convert(goods.fieldIds.Count as string, '{Price}')).toMatchObject({ lostCellCount: 1, filledCellCount: 1, preview: { text: '2.00' } });
    expect(await cells(goods, 'First')).toEqual([3, 4, 1]);
  });

  test('sees dates, choices, people and the record itself', async () => {
    const goods = await ground([{ Name: 'a', Day: '2024-03-05T23:30:00.000Z', Tags: ['blue', 'red'], Done: true }, {}]);
    await addFormula(goods, 'Month', 'MONTH({Day}) & "/" & DAY({Day})', { timeZone: 'Europe/Berlin' });
    await addFormula(goods, 'Shown', '"on " & {Day}');
    await addFormula(goods, 'Tagged', 'ARRAY_JOIN({Tags}, "+")');
    await addFormula(goods, 'All', '{Tags}');
    await addFormula(goods, 'Due', 'DATE_ADD({Day}, 1, "day")', { formatting: { date: 'D.M.YYYY', time: 'HH:mm', timeZone: 'Europe/Berlin' } });
    await addFormula(goods, 'Me', 'RECORD_ID()');
    await addFormula(goods, 'Open', 'NOT({Done})');
    const { body } = await shop.owner.call(listRecords, { params: { tableId: goods.tableId } });
    expect(body.records[0]?.fields).toMatchObject({ Month: '3/6', Shown: 'on 2024-03-05', Tagged: 'blue+red', All: ['blue', 'red'], Due: '2024-03-06T23:30:00.000Z', Me: goods.recordIds[0], Open: false });
    expect(body.records[1]?.fields).toEqual({ Month: '/', Shown: 'on ', Me: goods.recordIds[1], Open: true });
    expect(await cells(goods, 'Due', { cellFormat: 'text' })).toEqual(['7.3.2024 00:30', null]);
  });

  test('that depends on time, on who made the record or on its number is right at every read', async () => {
    const goods = await ground([{ Name: 'a' }, { Name: 'b' }]);
    await addFormula(goods, 'Now', 'NOW()');
    await addFormula(goods, 'Age', 'DATETIME_DIFF({Now}, CREATED_TIME(), "second") < 3600');
    await addFormula(goods, 'Key', '"K" & AUTO_NUMBER() & {Name}');
    await addFormula(goods, 'Long', '{Key} & {Key}');
    const [before] = await cells(goods, 'Now');
    expect(await cells(goods, 'Age')).toEqual([true, true]);
    expect(await cells(goods, 'Long')).toEqual(['K1aK1a', 'K2bK2b']);
    expect((await cells(goods, 'Now'))[0]).not.toBe(before);
    const made = await shop.owner.call(createRecords, { params: { tableId: goods.tableId }, body: { records: [{ fields: { Name: 'c' } }] } });
    expect(made.body.records[0]?.fields).toMatchObject({ Key: 'K3c', Age: true, Long: 'K3cK3c' });
    expect(await cells(goods, 'Key', { orderBy: JSON.stringify([{ fieldId: (await shop.owner.call(api.listFields, { params: { tableId: goods.tableId }, query: {} })).body.find(({ name }) => name === 'Key')?.id, order: 'desc' }]) })).toEqual(['K3c', 'K2b', 'K1a']);
  });
});

describe('other fields', () => {
  test('may be renamed; a deleted one breaks the formulas that need it, and mends them when it is back', async () => {
    const goods = await ground();
    const { tableId, fieldIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const label = await addFormula(goods, 'Label', '"= " & {Total}');
    await shop.owner.call(api.updateField, { params: { tableId, fieldId: fieldIds.Price as string }, body: { name: 'Cost', dbFieldName: 'cost' } });
    expect(await fieldOf(goods, total.id)).toEqual(total);
    await shop.owner.call(updateRecord, { params: { tableId, recordId: goods.recordIds[0] as string }, body: { record: { fields: { Cost: 10 } } } });
    expect(await cells(goods, 'Total')).toEqual([50, 0, 0]);
    const gone = await shop.owner.call(api.deleteField, { params: { tableId, fieldId: fieldIds.Price as string } });
    expect(gone.status).toBe(200);
    expect(await fieldOf(goods, total.id)).toEqual({ ...total, hasError: true });
    expect(await fieldOf(goods, label.id)).toEqual({ ...label, hasError: true });
    expect(await cells(goods, 'Total')).toEqual([null, null, null]);
    expect(await cells(goods, 'Label')).toEqual([null, null, null]);
    await shop.owner.call(updateRecord, { params: { tableId, recordId: goods.recordIds[1] as string }, body: { record: { fields: { Count: 7 } } } });
    const back = await shop.owner.call(api.deleteField, { params: { tableId, fieldId: fieldIds.Day as string } });
    expect(back.status).toBe(200);
    await undo(tableId, gone);
    expect(await fieldOf(goods, total.id)).toEqual(total);
    expect(await cells(goods, 'Total')).toEqual([50, 21, 0]);
    expect(await cells(goods, 'Label')).toEqual(['= 50', '= 21', '= 0']);
  });

  test('may be converted: formulas give what follows of it', async () => {
    const goods = await ground();
    const { tableId, fieldIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} + {Count}');
    await addFormula(goods, 'Next', '{Total} & "!"');
    const converted = await shop.owner.call(api.convertField, { params: { tableId, fieldId: fieldIds.Price as string }, body: { type: 'singleLineText' } });
    expect(converted.status).toBe(200);
    expect(await fieldOf(goods, total.id)).toMatchObject({ cellValueType: 'string', dbFieldType: 'TEXT', options: { expression: total.options.expression, timeZone: 'UTC' } });
    expect(await cells(goods, 'Total')).toEqual(['2.005', '3.00', null]);
    expect(await cells(goods, 'Next')).toEqual(['2.005!', '3.00!', '!']);
    await undo(tableId, converted);
    expect(await fieldOf(goods, total.id)).toEqual(total);
    expect(await cells(goods, 'Next')).toEqual(['7!', '3!', '0!']);
    // A choice that gets another name.
    await addFormula(goods, 'Tagged', 'CONCATENATE({Tags})');
    await shop.owner.call(updateRecord, { params: { tableId, recordId: goods.recordIds[0] as string }, body: { record: { fields: { Tags: ['red'] } } } });
    const tags = await fieldOf(goods, fieldIds.Tags as string);
    const choices = (tags.options.choices as { id: string; name: string }[]).map((choice) => (choice.name === 'red' ? { ...choice, name: 'green' } : choice));
    await shop.owner.call(api.convertField, { params: { tableId, fieldId: tags.id }, body: { type: 'multipleSelect', options: { choices } } });
    expect(await cells(goods, 'Tagged')).toEqual(['green', null, null]);
  });

  test('never need each other in a circle, not even when two requests would make one', async () => {
    const goods = await ground();
    const { tableId } = goods;
    const one = await addFormula(goods, 'One', '1');
    const two = await addFormula(goods, 'Two', '{One} + 1');
    const convert = (field: api.Field, expression: string) => shop.owner.call(api.convertField, { params: { tableId, fieldId: field.id }, body: { type: 'formula', options: { expression } } });
    const refused = await convert(one, '{Two}');
    expect(refused.status).toBe(400);
    expect((refused.body as unknown as { message: string }).message).toContain('One → Two → One');
    expect((await convert(one, '{One}')).status).toBe(400);
    await convert(two, '2');
    const both = await Promise.all([convert(one, '{Two}'), convert(two, '{One}')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('formulas are read like other fields', () => {
  test('filter, sort, group, search and statistics', async () => {
    const goods = await ground([{ Name: 'Bolt', Price: 2, Count: 5, Tags: ['red'] }, { Name: 'Nut', Price: 3, Count: 1, Tags: ['red', 'blue'] }, { Name: 'Nail', Price: 20, Count: 2 }]);
    const { tableId } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const large = await addFormula(goods, 'Large', '{Total} > 5');
    const label = await addFormula(goods, 'Label', 'UPPER({Name}) & "-" & {Total}');
    const list = await addFormula(goods, 'List', 'ARRAY_UNIQUE({Tags}, {Name})');
    const live = await addFormula(goods, 'Live', 'IF(NOW() > "2020-01-01", {Total}, 0)');
    const found = (fieldId: string, operator: string, value: unknown) => cells(goods, 'Name', { filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId, operator, value }] }) });
    expect(await found(total.id, 'isGreater', 9)).toEqual(['Bolt', 'Nail']);
    expect(await found(live.id, 'isGreater', 9)).toEqual(['Bolt', 'Nail']);
    expect(await found(large.id, 'is', true)).toEqual(['Bolt', 'Nail']);
    expect(await found(label.id, 'contains', 'bolt-1')).toEqual(['Bolt']);
    expect(await found(list.id, 'is', 'blue')).toEqual(['Nut']);
    expect(await found(list.id, 'isNot', 'red')).toEqual(['Nail']);
    for (const field of [total, live]) expect(await cells(goods, 'Name', { orderBy: JSON.stringify([{ fieldId: field.id, order: 'desc' }]) })).toEqual(['Nail', 'Bolt', 'Nut']);
    expect(await cells(goods, 'Name', { search: JSON.stringify(['NUT-3', 'Label', true]) })).toEqual(['Nut']);
    const grouped = await shop.owner.call(listRecords, { params: { tableId }, query: { groupBy: JSON.stringify([{ fieldId: large.id, order: 'asc' }]) } });
    expect((grouped.body.extra?.groupPoints ?? []).filter((point) => point.type === 0).map((point) => (point as { value: unknown }).value)).toEqual([false, true]);
    const statistics = await shop.owner.call(getAggregation, { params: { tableId }, query: { 'field[sum]': [total.id, live.id], 'field[checked]': [large.id], 'field[unique]': [list.id] } });
    expect(Object.fromEntries(statistics.body.aggregations.map(({ fieldId, total: answer }) => [fieldId, answer?.value]))).toEqual({ [total.id]: 53, [live.id]: 53, [large.id]: 2, [list.id]: 5 });
  });

  test('their cells are told with those that they follow from', async () => {
    const goods = await ground();
    const { tableId, recordIds, fieldIds } = goods;
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const ears = await Promise.all(['?values=true', ''].map((query) => listen(`${world().baseUrl}/table/${tableId}/events${query}`, { token: shop.owner.token })));
    await Promise.all(ears.map((ear) => ear.until((event) => event.name === 'ready')));
    await shop.owner.call(updateRecord, { params: { tableId, recordId: recordIds[0] as string }, body: { record: { fields: { Price: 4 } } } });
    await Promise.all(ears.map((ear) => ear.until((event) => event.name === 'records.updated')));
    expect(ears[0]?.heard.at(-1)?.data).toMatchObject({ fieldIds: [fieldIds.Price, total.id], records: [{ id: recordIds[0], fields: { [fieldIds.Price as string]: 4, [total.id]: 20 } }] });
    expect(ears[1]?.heard.at(-1)?.data).toMatchObject({ fieldIds: [fieldIds.Price, total.id] });
    for (const ear of ears) ear.close();
  });

  test('as the primary field, whatever it gives', async () => {
    const table = await shop.table({
      fields: [{ type: 'formula', name: 'Key', options: { expression: '"No. " & {Number}' } }, { id: 'fldAAAAAAAAAAAAAAAA'.replace('AAAA', Date.now().toString(36).slice(-4).toUpperCase()), type: 'number', name: 'Number' }],
      records: [{ fields: { Number: 7 } }],
    });
    expect(table.records[0]).toMatchObject({ name: 'No. 7', fields: { Key: 'No. 7', Number: 7 } });
    const [key, number] = table.fields as [api.Field, api.Field];
    expect(key).toMatchObject({ isPrimary: true, options: { expression: `"No. " & {${number.id}}` } });
    const taken = await shop.owner.call(api.createField, { params: { tableId: table.id }, body: { id: number.id, type: 'number' } });
    expect([taken.status, taken.error.data.issues[0].path]).toEqual([400, 'id']);
    await shop.owner.call(api.convertField, { params: { tableId: table.id, fieldId: key.id }, body: { type: 'formula', options: { expression: '{Number} + 0.5', formatting: { type: 'decimal', precision: 1 } } } });
    const made = await shop.owner.call(createRecords, { params: { tableId: table.id }, body: { records: [{ fields: { Number: 1 } }] } });
    expect(made.body.records[0]).toMatchObject({ name: '1.5', fields: { Key: 1.5 } });
  });

  test('records that come back, and copies of tables, are computed', async () => {
    const goods = await ground();
    const { tableId, recordIds } = goods;
    await addFormula(goods, 'Total', '{Price} * {Count}');
    await addFormula(goods, 'Me', 'RECORD_ID() & {Total}');
    const gone = await shop.owner.call(deleteRecords, { params: { tableId }, query: { recordIds: [recordIds[0] as string] } });
    await undo(tableId, gone);
    expect(await cells(goods, 'Me')).toEqual([`${recordIds[0]}10`, `${recordIds[1]}0`, `${recordIds[2]}0`]);
    const changed = await shop.owner.call(updateRecord, { params: { tableId, recordId: recordIds[0] as string }, body: { record: { fields: { Price: 9 } } } });
    expect(await cells(goods, 'Total')).toEqual([45, 0, 0]);
    await undo(tableId, changed);
    expect(await cells(goods, 'Total')).toEqual([10, 0, 0]);
    const copy = (await shop.owner.call(duplicateTable, { params: { baseId: shop.baseId, tableId }, body: { name: 'Copy', includeRecords: true } })).body;
    const listed = (await shop.owner.call(listRecords, { params: { tableId: copy.id } })).body.records;
    expect(listed.map(({ id, fields }) => fields.Me === `${id}${fields.Total as number}`)).toEqual([true, true, true]);
    expect(copy.fields.find(({ name }) => name === 'Total')?.options.expression).toBe(`{${copy.fieldMap[goods.fieldIds.Price as string]}} * {${copy.fieldMap[goods.fieldIds.Count as string]}}`);
    const written = await shop.owner.call(updateRecord, { params: { tableId: copy.id, recordId: listed[0]?.id as string }, body: { record: { fields: { Count: 1 } } } });
    expect(written.body.fields).toMatchObject({ Total: 2 });
  });
});

describe('in a table with many records', () => {
  test('a formula is right from the first read, and filled in the background while others write', async () => {
    const goods = await ground([]);
    const { tableId } = goods;
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const { body } = await shop.owner.call(createRecords, { params: { tableId }, body: { records: Array.from({ length: 1_000 }, (_, n) => ({ fields: { Price: n, Count: 2 } })) } });
      made.push(...body.records.map(({ id }) => id));
    }
    const total = await addFormula(goods, 'Total', '{Price} * {Count}');
    const next = await addFormula(goods, 'Next', '{Total} + 1');
    expect([total.isPending, next.isPending]).toEqual([true, true]);
    const found = async () => (await cells(goods, 'Next', { filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: total.id, operator: 'isGreater', value: 1_994 }] }), orderBy: JSON.stringify([{ fieldId: next.id, order: 'desc' }]) }));
    const right = [1_999, 1_999, 1_999, 1_997, 1_997, 1_997];
    expect(await found()).toEqual(right);
    const changed = await shop.owner.call(updateRecord, { params: { tableId, recordId: made[0] as string }, body: { record: { fields: { Price: 5_000 } } } });
    expect(changed.body.fields).toMatchObject({ Total: 10_000, Next: 10_001 });
    const last = await addFormula(goods, 'Last', '{Next} & "!"');
    await jobsDone(world().db);
    for (const { id } of [total, next, last]) expect(await fieldOf(goods, id)).not.toHaveProperty('isPending');
    expect(await found()).toEqual([10_001, ...right]);
    const stored = await world().db.query<{ wrong: number }>(sql`select count(*)::int as wrong from ${sql.id(...(await shop.owner.call(getTable, { params: { baseId: shop.baseId, tableId } })).body.dbTableName.split('.'))} where "Total" is distinct from "Price" * "Count" or "Next" is distinct from "Total" + 1 or "Last" is distinct from "Next" || '!'`);
    expect(stored[0]?.wrong).toBe(0);
  });
});

test('after random writes every stored cell is what its expression gives at read', async () => {
  const goods = await ground([{}, {}, {}, {}]);
  const { tableId, recordIds } = goods;
  const expressions = ['{Price} * {Count} - 1', '{Name} & {Tags}', 'IF({Done}, {F0}, {Count} / {Price})', 'DATE_ADD({Day}, {Count}, "day")', 'UPPER({F1}) & {F2} & {F3}', 'ARRAY_UNIQUE({Tags}, {Name})', '{F2} > {F0} || {Done}'];
  for (const [at, expression] of expressions.entries()) await addFormula(goods, `F${at}`, expression);
  // The same, read by its expression: it names the time.
  for (const [at, expression] of expressions.entries()) await addFormula(goods, `R${at}`, `IF(NOW() > "2000-01-01", ${expression}, BLANK())`);
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const values: Record<string, unknown[]> = { Name: ['a', 'B c', null], Price: [0, 2.5, -1e308, null], Count: [3, 1e308, null], Day: ['2024-02-29T12:00:00.000Z', null], Tags: [['red'], ['blue', 'red'], null], Done: [true, null] };
  for (let turn = 0; turn < 25; turn += 1) {
    const changed = recordIds.filter(() => random(2) === 0).map((id) => ({ id, fields: Object.fromEntries(Object.entries(values).filter(() => random(3) === 0).map(([name, some]) => [name, some[random(some.length)]])) }));
    if (changed.length > 0) expect((await shop.owner.call(updateRecords, { params: { tableId }, body: { records: changed } })).status).toBe(200);
  }
  for (const { fields } of (await shop.owner.call(listRecords, { params: { tableId } })).body.records) {
    for (const at of expressions.keys()) expect([at, fields[`F${at}`]]).toEqual([at, fields[`R${at}`]]);
  }
});
