import {
  convertField,
  type Field,
  type FieldTypeName,
  fieldTypes,
  listFields,
  type NewField,
} from '@rowhouse/contract/field.ts';
import { planFieldConvert } from '@rowhouse/contract/field-plan.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { enableShare, listShareRecords } from '@rowhouse/contract/share.ts';
import { createView, getView, setViewFilter } from '@rowhouse/contract/view.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeStatements } from '../support/sent-statements.ts';
import { caller } from '../support/caller.ts';
import { cases } from '../support/cases.ts';
import type { Pair } from '../support/conversion-kinds.ts';
import { walkConversions } from '../support/conversion-walk.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
judgeStatements(world);
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

const cellsOf = async (tableId: string, name: string): Promise<unknown[]> =>
  (await shop.owner.call(listRecords, { params: { tableId } })).body.records.map(({ fields }) => fields[name] ?? null);

/** A table whose field X holds these cells, then what X holds after the conversion. */
const convert = async (
  from: NewField,
  cells: unknown[],
  to: NewField,
): Promise<{ field: Field; cells: unknown[]; tableId: string }> => {
  const table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Key' },
      { ...from, name: 'X' },
    ],
    records: cells.map((X) => ({ fields: X === null ? {} : { X } })),
  });
  const done = await shop.owner.call(convertField, {
    params: { tableId: table.id, fieldId: table.fields[1]!.id },
    body: to,
  });
  expect([done.status, done.error?.message]).toEqual([200, undefined]);
  expect(done.body).toMatchObject({ id: table.fields[1]!.id, name: 'X', type: to.type, dbFieldName: 'X' });
  return { field: done.body, cells: await cellsOf(table.id, 'X'), tableId: table.id };
};

const choices = (...names: string[]) => ({ options: { choices: names.map((name) => ({ name })) } });
const noon = '2024-05-06T12:00:00.000Z';
const midnight = '2024-05-06T00:00:00.000Z';

describe('cells are carried over', () => {
  const pairs: [NewField, unknown[], NewField, unknown[]][] = [
    [
      { type: 'singleLineText' },
      ['1', '1,234.5', '$5', '1e3', 'x', null, '12%'],
      { type: 'number' },
      [1, 1234.5, 5, 1000, null, null, 0.12],
    ],
    [{ type: 'singleLineText' }, ['3', '9', 'x', '-2'], { type: 'rating' }, [3, 5, null, 1]],
    [
      { type: 'singleLineText' },
      ['2024-05-06', '2024-05-06T12:00:00Z', 'soon'],
      { type: 'date' },
      [midnight, noon, null],
    ],
    [
      { type: 'singleLineText' },
      ['yes', 'no', 'true', '0', null],
      { type: 'checkbox' },
      [true, null, true, null, null],
    ],
    [{ type: 'singleLineText' }, ['a', 'b', 'a', null], { type: 'singleSelect' }, ['a', 'b', 'a', null]],
    [{ type: 'singleLineText' }, ['a, b', '"x, y"', 'a'], { type: 'multipleSelect' }, [['a', 'b'], ['x, y'], ['a']]],
    [{ type: 'singleLineText' }, ['a'], { type: 'longText' }, ['a']],
    [
      { type: 'longText' },
      ['a\nb\n\nc', '"quoted" \\ and 🙂'],
      { type: 'singleLineText' },
      ['a b c', '"quoted" \\ and 🙂'],
    ],
    [{ type: 'number' }, [1234.5, -1, null], { type: 'singleLineText' }, ['1234.50', '-1.00', null]],
    [
      { type: 'number', options: { formatting: { type: 'currency', precision: 2, symbol: '€' } } },
      [1234.5],
      { type: 'longText' },
      ['€1,234.50'],
    ],
    [{ type: 'number' }, [3.4, 99, -5, 0, null], { type: 'rating' }, [3, 5, 1, 1, null]],
    [{ type: 'number' }, [1, 0, null], { type: 'checkbox' }, [true, null, null]],
    [{ type: 'number' }, [Date.parse(noon)], { type: 'date' }, [noon]],
    [
      { type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
      [1, 2, 1],
      { type: 'singleSelect' },
      ['1', '2', '1'],
    ],
    [
      { type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } },
      [1, 2],
      { type: 'multipleSelect' },
      [['1'], ['2']],
    ],
    [{ type: 'rating' }, [3, null], { type: 'number' }, [3, null]],
    [{ type: 'rating' }, [3], { type: 'singleLineText' }, ['3']],
    [{ type: 'rating', options: { max: 10 } }, [9, 2], { type: 'rating', options: { max: 5 } }, [5, 2]],
    [{ type: 'checkbox' }, [true, null], { type: 'singleLineText' }, ['true', null]],
    [{ type: 'checkbox' }, [true, null], { type: 'number' }, [1, null]],
    [{ type: 'checkbox' }, [true, null], { type: 'date' }, [null, null]],
    [{ type: 'checkbox' }, [true, null], { type: 'singleSelect' }, ['true', null]],
    [{ type: 'date' }, [noon, null], { type: 'singleLineText' }, ['2024-05-06', null]],
    [{ type: 'date' }, [noon], { type: 'number' }, [Date.parse(noon)]],
    [{ type: 'date' }, [noon], { type: 'rating' }, [null]],
    [{ type: 'date' }, [noon, null], { type: 'checkbox' }, [null, null]],
    [{ type: 'date' }, [noon], { type: 'singleSelect' }, ['2024-05-06']],
    [
      { type: 'date' },
      [noon],
      { type: 'date', options: { formatting: { date: 'DD/MM/YYYY', time: 'HH:mm', timeZone: 'Europe/Berlin' } } },
      [noon],
    ],
    [{ type: 'singleSelect', ...choices('a', '5') }, ['a', '5', null], { type: 'singleLineText' }, ['a', '5', null]],
    [{ type: 'singleSelect', ...choices('a', '5') }, ['a', '5'], { type: 'number' }, [null, 5]],
    [{ type: 'singleSelect', ...choices('a', 'b') }, ['a', null], { type: 'multipleSelect' }, [['a'], null]],
    [
      { type: 'multipleSelect', ...choices('a', 'b, c') },
      [['a', 'b, c'], null],
      { type: 'singleLineText' },
      ['a, "b, c"', null],
    ],
    [{ type: 'multipleSelect', ...choices('a', 'b') }, [['b', 'a'], null], { type: 'singleSelect' }, ['b', null]],
    [{ type: 'multipleSelect', ...choices('5', 'b') }, [['5'], ['b']], { type: 'number' }, [5, null]],
    [{ type: 'multipleSelect', ...choices('2024-05-06') }, [['2024-05-06']], { type: 'date' }, [midnight]],
  ];
  test('by what a cell holds: each kind of value to each that has a place for it', async () => {
    const rows = Math.max(...pairs.map(([, cells]) => cells.length));
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'Key' },
        ...pairs.map(([from], at) => ({ ...from, name: `X${at}` })),
      ] as NewField[],
      records: Array.from({ length: rows }, (_, row) => ({
        fields: Object.fromEntries(
          pairs.flatMap(([, cells], at) => ((cells[row] ?? null) === null ? [] : [[`X${at}`, cells[row]]])),
        ),
      })),
    });
    for (const [at, [from, , to]] of pairs.entries()) {
      const fieldId = table.fields[at + 1]!.id;
      const done = await shop.owner.call(convertField, { params: { tableId: table.id, fieldId }, body: to });
      expect([from.type, to.type, done.status, done.error?.message]).toEqual([from.type, to.type, 200, undefined]);
      expect(done.body).toMatchObject({ id: fieldId, name: `X${at}`, type: to.type, dbFieldName: `X${at}` });
    }
    const { records } = (await shop.owner.call(listRecords, { params: { tableId: table.id } })).body;
    const shown = pairs.map(([from, cells, to], at) => [
      `${from.type} → ${to.type}`,
      ...cells.map((_, row) => records[row]?.fields[`X${at}`] ?? null),
    ]);
    expect(shown).toEqual(pairs.map(([from, , to, expected]) => [`${from.type} → ${to.type}`, ...expected]));
  });

  test('text → user by name and address, and back', async () => {
    const { owner } = shop;
    const { cells, tableId, field } = await convert(
      { type: 'singleLineText' },
      [owner.email, owner.name, owner.userId, 'nobody'],
      { type: 'user' },
    );
    expect(cells.map((cell) => (cell as { id: string } | null)?.id)).toEqual([
      owner.userId,
      owner.userId,
      owner.userId,
      undefined,
    ]);
    const params = { tableId, fieldId: field.id };
    await owner.call(convertField, { params, body: { type: 'user', options: { isMultiple: true } } });
    expect((await cellsOf(tableId, 'X'))[0]).toMatchObject([{ id: owner.userId, title: owner.name }]);
    await owner.call(convertField, { params, body: { type: 'user', options: { isMultiple: false } } });
    expect((await cellsOf(tableId, 'X'))[0]).toMatchObject({ id: owner.userId });
    await owner.call(convertField, { params, body: { type: 'multipleSelect' } });
    expect(await cellsOf(tableId, 'X')).toEqual([[owner.name], [owner.name], [owner.name], null]);
  });

  test('system fields can become ordinary ones, with what they showed', async () => {
    expect((await convert({ type: 'autoNumber' }, [null, null], { type: 'number' })).cells).toEqual([1, 2]);
    expect((await convert({ type: 'autoNumber' }, [null, null], { type: 'singleLineText' })).cells).toEqual(['1', '2']);
    expect((await convert({ type: 'createdBy' }, [null], { type: 'user' })).cells).toMatchObject([
      { id: shop.owner.userId },
    ]);
    expect((await convert({ type: 'createdBy' }, [null], { type: 'singleLineText' })).cells).toEqual([shop.owner.name]);
    expect((await convert({ type: 'createdTime' }, [null], { type: 'date' })).cells).toEqual([
      expect.stringMatching(/^\d{4}-.*Z$/),
    ]);
    expect((await convert({ type: 'singleLineText' }, ['x'], { type: 'autoNumber' })).cells).toEqual([1]);
  });

  // Links lead to another table, and rollups through them: they are not converted.
  const plainTypes = cases(
    fieldTypes.filter((type) => !['link', 'rollup', 'conditionalRollup', 'count'].includes(type)),
    // One of each kind of value.
    ['singleLineText', 'number', 'checkbox', 'date', 'multipleSelect', 'user', 'attachment', 'formula'],
  );

  // Texts, lists, files and what is computed; the others are carried over as values of these kinds are.
  test.each(cases(plainTypes, ['singleLineText', 'multipleSelect', 'attachment', 'formula']))(
    'from %s to every type and back without a fault, and each is undone and done again exactly',
    async (from) => {
      const samples: Record<string, unknown> = {
        singleLineText: 'a, b',
        longText: 'a\nb',
        number: 7.5,
        rating: 4,
        checkbox: true,
        date: noon,
        singleSelect: 'one',
        multipleSelect: ['one', 'two'],
        user: { id: shop.owner.userId, title: 'x' },
      };
      // What another type shows in another way, or has no place for.
      const odd: Record<string, unknown> = {
        singleLineText: '2024-05-06T12:00:00.000Z',
        longText: '"5"',
        number: 1e21,
        rating: 1,
        date: '0001-01-01T00:00:00.001Z',
        singleSelect: 'two',
        multipleSelect: ['two'],
      };
      const formula = { options: { expression: '1 + AUTO_NUMBER()' } };
      const options = from.endsWith('Select') ? choices('one', 'two') : from === 'formula' ? formula : {};
      const table = await shop.table({
        fields: [
          { type: 'singleLineText', name: 'Key' },
          ...plainTypes.map((_, at) => ({ type: from, name: `X${at}`, ...options })),
        ],
        records: [
          ...[samples[from], odd[from]].map((sample) => ({
            fields: sample === undefined ? {} : Object.fromEntries(plainTypes.map((_, at) => [`X${at}`, sample])),
          })),
          { fields: {} },
        ],
      });
      const look = async () => ({
        fields: (await shop.owner.call(listFields, { params: { tableId: table.id }, query: {} })).body,
        records: (await shop.owner.call(listRecords, { params: { tableId: table.id } })).body.records.map(
          ({ id, fields }) => ({ id, fields }),
        ),
      });
      const convertAll = async (typeAt: (at: number) => FieldTypeName): Promise<string[]> => {
        const operations: string[] = [];
        for (const at of plainTypes.keys()) {
          const done = await shop.owner.call(convertField, {
            params: { tableId: table.id, fieldId: table.fields[at + 1]!.id },
            body: { type: typeAt(at), ...(typeAt(at) === 'formula' ? formula : {}) },
          });
          expect([from, typeAt(at), done.status]).toEqual([from, typeAt(at), 200]);
          // Nothing changes where it is of that type already.
          if (typeAt(at) !== from) operations.push(done.headers.get('x-operation-id') as string);
        }
        return operations;
      };
      const undoAll = async (operations: readonly string[]): Promise<string[]> => {
        const done: string[] = [];
        for (const operationId of operations) {
          const undone = await shop.owner.call(restoreHistory, {
            params: { tableId: table.id },
            body: { operationId },
          });
          expect([undone.status, undone.error?.data]).toEqual([200, undefined]);
          done.push(undone.body.operationId as string);
        }
        return done;
      };
      const before = await look();
      const operations = await convertAll((at) => plainTypes[at] as FieldTypeName);
      const converted = await look();
      const undone = await undoAll(operations);
      expect(await look()).toEqual(before);
      await undoAll(undone);
      expect(await look()).toEqual(converted);
      await convertAll(() => from);
      expect(
        (await shop.owner.call(createRecords, { params: { tableId: table.id }, body: { records: [{ fields: {} }] } }))
          .status,
      ).toBe(201);
      expect((await shop.owner.call(listRecords, { params: { tableId: table.id } })).body.records).toHaveLength(4);
    },
  );
});

test('what a conversion would lose is told before, with examples, the most frequent first', async () => {
  const loss = async (from: NewField, cells: unknown[], to: NewField) => {
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'Key' },
        { ...from, name: 'X' },
      ],
      records: cells.map((X) => ({ fields: X === null ? {} : { X } })),
    });
    const { body } = await shop.owner.call(planFieldConvert, {
      params: { tableId: table.id, fieldId: table.fields[1]!.id },
      body: to,
    });
    expect(await cellsOf(table.id, 'X')).toEqual(cells);
    return [body.lostCellCount, body.filledCellCount, body.lostExamples?.map(({ text, count }) => `${text} ${count}`)];
  };
  expect(
    await loss({ type: 'singleSelect', ...choices('a', 'b', '5') }, ['b', 'a', '5', 'b', null], { type: 'number' }),
  ).toEqual([3, 4, ['b 2', 'a 1']]);
  expect(
    await loss({ type: 'multipleSelect', ...choices('a', 'b') }, [['b', 'a'], ['a'], null], { type: 'singleSelect' }),
  ).toEqual([1, 2, ['b, a 1']]);
  expect(
    await loss({ type: 'multipleSelect', ...choices('a', 'b') }, [['b', 'a'], ['a']], { type: 'singleLineText' }),
  ).toEqual([0, 2, []]);
  expect(
    await loss({ type: 'singleSelect', ...choices('a', 'b') }, ['a', 'b'], { type: 'singleSelect', ...choices('b') }),
  ).toEqual([1, 2, ['a 1']]);
  expect(await loss({ type: 'singleLineText' }, ['1', 'x', null], { type: 'autoNumber' })).toEqual([
    2,
    2,
    ['1 1', 'x 1'],
  ]);
  expect(await loss({ type: 'singleLineText' }, ['2024-05-06', 'soon'], { type: 'date' })).toEqual([1, 2, ['soon 1']]);
  expect(await loss({ type: 'singleLineText' }, [shop.owner.name, 'nobody'], { type: 'user' })).toEqual([
    1,
    2,
    ['nobody 1'],
  ]);
  expect(await loss({ type: 'number' }, [1.5, 2], { type: 'longText' })).toEqual([0, 2, []]);
  expect(await loss({ type: 'singleLineText' }, ['a'], { type: 'longText' })).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('what a conversion would change, though nothing is lost, is told before, too', async () => {
  const plan = async (from: NewField, cells: unknown[], to: NewField) => {
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'Key' },
        { ...from, name: 'X' },
      ],
      records: cells.map((X) => ({ fields: { X } })),
    });
    const { body } = await shop.owner.call(planFieldConvert, {
      params: { tableId: table.id, fieldId: table.fields[1]!.id },
      body: to,
    });
    return {
      lost: body.lostCellCount,
      changed: body.changedCellCount,
      examples: body.changedExamples?.map(({ text, becomes }) => `${text} → ${becomes}`),
      ...(body.ambiguousDates === undefined ? {} : { dates: body.ambiguousDates }),
    };
  };
  expect(await plan({ type: 'number' }, [7652.13, -10832.97, 3], { type: 'rating' })).toEqual({
    lost: 0,
    changed: 2,
    examples: ['-10832.97 → 1', '7652.13 → 5'],
  });
  expect(await plan({ type: 'singleLineText' }, ['9', '3', 'x'], { type: 'rating' })).toEqual({
    lost: 1,
    changed: 1,
    examples: ['9 → 5'],
  });
  expect(await plan({ type: 'singleLineText' }, ['about 40', '$5', '1,234.5', '12%'], { type: 'number' })).toEqual({
    lost: 0,
    changed: 1,
    examples: ['about 40 → 40'],
  });
  expect(await plan({ type: 'number' }, [0, 1, 7652.13], { type: 'checkbox' })).toEqual({
    lost: 0,
    changed: 1,
    examples: ['7652.13 → checked'],
  });
  // What means nothing is lost rather than something.
  expect(await plan({ type: 'number' }, [7652.13, 1], { type: 'date' })).toEqual({ lost: 2, changed: 0, examples: [] });
  expect(await plan({ type: 'singleLineText' }, ['Ada', 'nein', 'oui'], { type: 'checkbox' })).toEqual({
    lost: 1,
    changed: 0,
    examples: [],
  });
  expect(await plan({ type: 'singleLineText' }, ['03/04/2025', '05/06/2025'], { type: 'date' })).toMatchObject({
    lost: 0,
    dates: { order: 'monthFirst', by: 'guess', count: 2, example: '03/04/2025' },
  });
  expect(await plan({ type: 'singleLineText' }, ['03/04/2025', '13/02/2025'], { type: 'date' })).toMatchObject({
    dates: { order: 'dayFirst', by: 'column', count: 1 },
  });
});

test('the dates of a column are read as one: by what can only be meant in one way, by the format, by the habit of the one who asks', async () => {
  const days = async (texts: string[], to: NewField & { dateOrder?: 'dayFirst' | 'monthFirst' }) =>
    (await convert({ type: 'singleLineText' }, texts, to as NewField)).cells.map((cell) => String(cell).slice(0, 10));
  const format = (date: string): NewField => ({ type: 'date', options: { formatting: { date } } });
  expect(await days(['13/02/2024', '03/04/2024'], { type: 'date' })).toEqual(['2024-02-13', '2024-04-03']);
  expect(await days(['03/04/2024', '02/13/2024'], { type: 'date' })).toEqual(['2024-03-04', '2024-02-13']);
  expect(await days(['03/04/2024'], format('D/M/YYYY'))).toEqual(['2024-04-03']);
  expect(await days(['13/02/2024', '03/04/2024'], format('M/D/YYYY'))).toEqual(['2024-02-13', '2024-04-03']);
  expect(await days(['03/04/2024'], { type: 'date' })).toEqual(['2024-03-04']);
  expect(await days(['03/04/2024'], { type: 'date', dateOrder: 'dayFirst' })).toEqual(['2024-04-03']);
});

describe('choices', () => {
  test('are made from the texts that cells hold, beside those that were sent', async () => {
    const { field } = await convert({ type: 'singleLineText' }, ['b', 'c', ' b '], {
      type: 'singleSelect',
      ...choices('a', 'b'),
    });
    expect((field.options.choices as { name: string }[]).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('are not added where the field prevents it', async () => {
    const { field, cells } = await convert({ type: 'singleLineText' }, ['b', 'c'], {
      type: 'singleSelect',
      options: { choices: [{ name: 'b' }], preventAutoNewOptions: true },
    });
    expect(cells).toEqual(['b', null]);
    expect(field.options.choices).toHaveLength(1);
  });

  test('more than 5,000 different texts are too many', async () => {
    const table = await shop.table({
      records: Array.from({ length: 5_001 }, (_, at) => ({ fields: { Name: `text ${at}` } })),
    });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    const refused = await shop.owner.call(convertField, { params, body: { type: 'singleSelect' } });
    expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining('5000')]);
    expect((await cellsOf(table.id, 'Name'))[0]).toBe('text 0');
  });

  test.each(['singleSelect', 'multipleSelect'] as const)(
    'of %s that keep their id are renamed in cells and filters, those left out are taken away',
    async (type) => {
      const wrap = (...names: string[]): unknown => (type === 'singleSelect' ? names[0] : names);
      const table = await shop.table({
        fields: [
          { type: 'singleLineText', name: 'Key' },
          { type, name: 'X', ...choices('a', 'b', 'c', '__proto__') },
        ],
        records: [
          { fields: { X: wrap('a', 'b') } },
          { fields: { X: wrap('b', 'c') } },
          { fields: { X: wrap('c') } },
          { fields: { X: wrap('__proto__') } },
        ],
      });
      const field = table.fields[1]!;
      const operator = type === 'singleSelect' ? 'isAnyOf' : 'hasAnyOf';
      const view = await shop.owner.call(createView, {
        params: { tableId: table.id },
        body: {
          type: 'grid',
          filter: { conjunction: 'and', filterSet: [{ fieldId: field.id, operator, value: ['a', 'b'] }] },
        },
      });
      const [a, b, , proto] = field.options.choices as { id: string; name: string; color: string }[];
      // a and b swap their names, c goes, and __proto__ is sent without its id.
      const done = await shop.owner.call(convertField, {
        params: { tableId: table.id, fieldId: field.id },
        body: { type, options: { choices: [{ ...a, name: 'b' }, { ...b, name: 'a' }, { name: '__proto__' }] } },
      });
      expect(done.status).toBe(200);
      expect((done.body.options.choices as { id: string }[]).map(({ id }) => id)).toEqual([a!.id, b!.id, proto!.id]);
      expect(await cellsOf(table.id, 'X')).toEqual([wrap('b', 'a'), wrap('a'), null, wrap('__proto__')]);
      const read = await shop.owner.call(getView, { params: { tableId: table.id, viewId: view.body.id } });
      expect(read.body.filter).toEqual({
        conjunction: 'and',
        filterSet: [{ fieldId: field.id, operator, value: ['b', 'a'] }],
      });
    },
  );

  test('stay when a select is converted without naming them', async () => {
    const { field, cells } = await convert({ type: 'singleSelect', ...choices('a', 'b') }, ['b'], {
      type: 'singleSelect',
    });
    expect(cells).toEqual(['b']);
    expect(field.options.choices).toHaveLength(2);
  });
});

describe('a conversion', () => {
  test('takes from views what no longer fits, but no conditions', async () => {
    const table = await shop.table({ records: [] });
    const status = table.fields[2]!;
    const view = await shop.owner.call(createView, {
      params: { tableId: table.id },
      body: {
        type: 'kanban',
        options: { stackFieldId: status.id, isCoverFit: true },
        filter: { conjunction: 'and', filterSet: [{ fieldId: status.id, operator: 'isAnyOf', value: ['light'] }] },
      },
    });
    const done = await shop.owner.call(convertField, {
      params: { tableId: table.id, fieldId: status.id },
      body: { type: 'number' },
    });
    expect(done.status).toBe(200);
    const read = (await shop.owner.call(getView, { params: { tableId: table.id, viewId: view.body.id } })).body;
    expect(read.options).toEqual({ isCoverFit: true });
    expect(read.filter).toEqual({
      conjunction: 'and',
      filterSet: [{ fieldId: status.id, operator: 'isAnyOf', value: ['light'] }],
    });
  });

  test('leaves a condition that no longer fits in its view, without effect, until the field fits again', async () => {
    const table = await shop.table({
      fields: [
        { type: 'singleLineText', name: 'Key' },
        { type: 'number', name: 'Amount' },
      ],
      records: [3, 7].map((Amount) => ({ fields: { Key: `k${Amount}`, Amount } })),
    });
    const [key, amount] = table.fields as [Field, Field];
    const large = { fieldId: amount.id, operator: 'isGreater' as const, value: 5 };
    const named = { fieldId: key.id, operator: 'contains' as const, value: 'k' };
    const view = (
      await shop.owner.call(createView, {
        params: { tableId: table.id },
        body: { type: 'grid', filter: { conjunction: 'and', filterSet: [large] } },
      })
    ).body;
    const params = { tableId: table.id, viewId: view.id };
    const shareId = (await shop.owner.call(enableShare, { params })).body.shareId;
    const keys = async (): Promise<unknown[]> =>
      (
        await shop.owner.call(listRecords, { params: { tableId: table.id }, query: { viewId: view.id } })
      ).body.records.map(({ fields }) => fields['Key']);
    const visible = async (): Promise<number> =>
      (await caller({ baseUrl: world().baseUrl })(listShareRecords, { params: { shareId } })).body.records.length;
    const become = (type: FieldTypeName) =>
      shop.owner.call(convertField, { params: { tableId: table.id, fieldId: amount.id }, body: { type } });
    expect([await keys(), await visible()]).toEqual([['k7'], 1]);

    expect((await become('singleLineText')).status).toBe(200);
    expect([await keys(), await visible()]).toEqual([['k3', 'k7'], 0]);
    // Another condition is added beside it; a new one that does not fit is refused.
    const set = (filterSet: object[]) =>
      shop.owner.call(setViewFilter, { params, body: { filter: { conjunction: 'and', filterSet } as never } });
    expect((await set([large, named])).status).toBe(200);
    expect((await set([{ ...large, value: 6 }])).status).toBe(400);
    expect((await shop.owner.call(getView, { params })).body).toMatchObject({
      filter: { conjunction: 'and', filterSet: [large, named] },
      isShareHeld: true,
    });
    // The copy of the view has it, too; nobody who sees the share sees more meanwhile.
    const copy = await shop.owner.call(createView, {
      params: { tableId: table.id },
      body: { type: 'grid', filter: { conjunction: 'and', filterSet: [large] } },
    });
    expect([copy.status, await visible()]).toEqual([201, 0]);

    expect((await become('number')).status).toBe(200);
    expect(await keys()).toEqual(['k7']);
  });

  test('cannot make the primary field something that names nothing', async () => {
    const table = await shop.table({ records: [] });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    expect((await shop.owner.call(convertField, { params, body: { type: 'checkbox' } })).status).toBe(400);
    expect((await shop.owner.call(convertField, { params, body: { type: 'number' } })).status).toBe(200);
  });

  test('can rename the field and its column on the way', async () => {
    const table = await shop.table({ records: [{ fields: { Name: '5' } }] });
    const params = { tableId: table.id, fieldId: table.fields[0]!.id };
    const done = await shop.owner.call(convertField, {
      params,
      body: { type: 'number', name: 'Amount', dbFieldName: 'amount', description: 'd' },
    });
    expect(done.body).toMatchObject({ name: 'Amount', dbFieldName: 'amount', description: 'd', isPrimary: true });
    expect(await cellsOf(table.id, 'Amount')).toEqual([5]);
    expect((await shop.owner.call(convertField, { params, body: { type: 'number', name: 'Count' } })).status).toBe(400);
  });

  test('and writes at the same time end in order, without a fault', async () => {
    const table = await shop.table({ records: [] });
    const params = { tableId: table.id, fieldId: table.fields[1]!.id };
    const write = () =>
      shop.owner.call(createRecords, { params, body: { typecast: true, records: [{ fields: { Count: '5' } }] } });
    const results = await Promise.all([
      write(),
      write(),
      shop.owner.call(convertField, { params, body: { type: 'singleLineText' } }),
      write(),
      write(),
      shop.owner.call(convertField, { params, body: { type: 'number' } }),
      write(),
      write(),
    ]);
    expect(results.map(({ status }) => status).filter((status) => status >= 300 && status !== 409)).toEqual([]);
    // Whichever conversion came last: as numbers, the cells are all the same.
    expect((await shop.owner.call(convertField, { params, body: { type: 'number' } })).status).toBe(200);
    expect(await cellsOf(table.id, 'Count')).toEqual(
      Array(results.filter(({ status }) => status === 201).length).fill(5),
    );
  });

  test('of many records goes through in batches', async () => {
    const table = await shop.table({
      records: Array.from({ length: 5_010 }, (_, at) => ({ fields: { Name: String(at) } })),
    });
    const done = await shop.owner.call(convertField, {
      params: { tableId: table.id, fieldId: table.fields[0]!.id },
      body: { type: 'number' },
    });
    expect(done.status).toBe(200);
    const last = await shop.owner.call(listRecords, { params: { tableId: table.id }, query: { skip: 5_008 } });
    expect(last.body.records.map(({ fields }) => fields.Name)).toEqual([5_008, 5_009]);
  });
});

// All pairs of kinds are in `npm run proof -- conversion`.
const telling: Pair[] = [['choices', 'date']];

test.each(telling)(
  'links, lookups, rollups, formulas, views, forms and shares that refer to a field stay right or show an error when it goes from %s to %s and back',
  async (...pair) => {
    expect((await walkConversions({ ...shop, visitor: caller({ baseUrl: world().baseUrl }) }, [pair])).faults).toEqual(
      [],
    );
  },
);
