// What is stored can always be read: the largest and smallest values of every type, through every way of reading.
import { getAggregation, validStatistics } from '@rowhouse/contract/aggregation.ts';
import { convertField, type Field, type FieldTypeName, fieldTypes, listFields } from '@rowhouse/contract/field.ts';
import { listRecordHistory, listTableHistory } from '@rowhouse/contract/history.ts';
import { createRecords, duplicateRecord, getRecord, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { duplicateTable } from '@rowhouse/contract/table.ts';
import { setViewGroup, setViewSort } from '@rowhouse/contract/view.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { ground, tableWith, type TestTable } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const max = Number.MAX_VALUE;
const numbers = [
  max,
  -max,
  1.7e308,
  -1.7e308,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  2.2250738585072014e-308,
  1e21,
  1e-7,
  123_456_789_012_345_680_000,
  2 ** 53,
  -(2 ** 53),
  0.1 + 0.2,
  1 / 3,
  1e300,
  0,
];
const dates = [
  '0001-01-01T00:00:00.000Z',
  '0001-01-01T23:59:59.999Z',
  '0099-12-31T23:59:59.999Z',
  '1582-10-10T00:00:00.000Z',
  '1883-11-18T12:00:00.000Z',
  '9999-12-31T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];
const texts = [
  'a'.repeat(100_000),
  '🦜'.repeat(40_000),
  '\u{10ffff}\uffff\ufffe',
  'a\u2028\u2029\u0001\u001fb',
  '%_\\%',
  '"\'\\\\u0000 $1 {} []',
  'e\u0301'.repeat(300),
  '\u202eright\u202c',
  'ß',
  'İ',
  '-1e999',
  '1e400',
  '9'.repeat(400),
  '0001-01-01',
  '9999-12-31 23:59',
  'NaN',
  'Infinity',
  'null',
];

const zones = ['Pacific/Kiritimati', 'America/New_York', 'Asia/Tokyo', 'Etc/GMT+12', 'CET'];

const fields = [
  { name: 'Text', type: 'singleLineText' },
  { name: 'Long', type: 'longText' },
  ...(['decimal', 'percent', 'currency'] as const).flatMap((type) =>
    [0, 2, 5].map((precision) => ({
      name: `${type} ${precision}`,
      type: 'number',
      options: { formatting: { type, precision } },
    })),
  ),
  { name: 'Rating', type: 'rating', options: { max: 10 } },
  ...zones.map((timeZone, at) => ({
    name: `Date ${timeZone}`,
    type: 'date',
    options: {
      formatting: {
        date: ['YYYY-MM-DD', 'D/M/YYYY', 'MMMM D, YYYY', 'YYYY', 'MM-DD'][at],
        time: at % 2 === 0 ? 'HH:mm' : 'None',
        timeZone,
      },
    },
  })),
  { name: 'Tags', type: 'multipleSelect', options: { choices: [{ name: 'a' }] } },
];

const isNumber = ({ name }: { name: string }): boolean => /^(decimal|percent|currency)/.test(name);

const rows = [
  ...numbers.map((value) => Object.fromEntries(fields.filter(isNumber).map(({ name }) => [name, value]))),
  ...dates.map((value) => Object.fromEntries(zones.map((zone) => [`Date ${zone}`, value]))),
  ...texts.map((value) => ({ Text: value, Long: value })),
  { Rating: 10, Tags: ['a'] },
  {},
];

let table: TestTable;
let ids: string[];
let schema: Pick<Field, 'id' | 'name' | 'type' | 'cellValueType' | 'isMultipleCellValue'>[];
beforeAll(async () => {
  table = await tableWith(await ground(world()), fields as never);
  const made = await table.call(createRecords, {
    params: table,
    body: { records: rows.map((row) => ({ fields: row })) },
  });
  expect(made.status, JSON.stringify(made.body).slice(0, 500)).toBe(201);
  ids = made.body.records.map(({ id }) => id);
  schema = (await table.call(listFields, { params: table })).body;
});

const ok = (outcome: { status: number; body: unknown; error?: unknown }, what: string): void =>
  expect(outcome.status, `${what}: ${JSON.stringify(outcome.error ?? outcome.body).slice(0, 300)}`).toBe(200);

describe('extremes of every type', () => {
  test('come back as they were written', async () => {
    const { records } = (await table.call(listRecords, { params: table, query: { take: 100 } })).body;
    records.forEach(({ fields: cells }, at) =>
      expect(cells).toEqual(
        Object.fromEntries(Object.entries(rows[at] as object).map(([name, value]) => [name, value === 0 ? 0 : value])),
      ),
    );
  });

  test.each(['json', 'text'] as const)('are listed as %s, and one by one', async (cellFormat) => {
    ok(await table.call(listRecords, { params: table, query: { cellFormat, take: 100 } }), cellFormat);
    for (const recordId of ids)
      ok(await table.call(getRecord, { params: { ...table, recordId }, query: { cellFormat } }), recordId);
  });

  test('are shown in full as text', async () => {
    const { records } = (await table.call(listRecords, { params: table, query: { cellFormat: 'text', take: 2 } })).body;
    for (const precision of [0, 2, 5]) {
      const places = precision === 0 ? '' : `\\.0{${precision}}`;
      expect(records[0]?.fields[`decimal ${precision}`]).toMatch(new RegExp(`^179769313486231570{292}${places}$`));
      expect(records[1]?.fields[`percent ${precision}`]).toMatch(new RegExp(`^-179769313486231570{294}${places}%$`));
      expect((records[1]?.fields[`currency ${precision}`] as string).replaceAll(',', '')).toMatch(
        new RegExp(`^-\\$179769313486231570{292}${places}$`),
      );
    }
  });

  test('are found and counted by a search', async () => {
    for (const text of [
      '1',
      '7',
      '0',
      '9999',
      '0001',
      '%',
      '\\',
      'a',
      '🦜',
      '$',
      '-',
      'É',
      'null',
      '9'.repeat(300),
      '\u2028',
    ]) {
      for (const name of cases(
        ['', 'Text', 'Long', 'decimal 2', 'percent 5', 'currency 0', 'Rating', 'Date Pacific/Kiritimati', 'Tags'],
        ['', 'decimal 2', 'Date Pacific/Kiritimati'],
      ))
        ok(
          await table.call(listRecords, {
            params: table,
            query: { search: [text, name], take: 100, projection: ['Tags'] } as never,
          }),
          `${text} in ${name}`,
        );
    }
  });

  const oneOfEachKind = ['Text', 'decimal 5', 'Rating', 'Date America/New_York', 'Tags'];

  test.each(
    cases(
      fields.map(({ name }) => name),
      oneOfEachKind,
    ),
  )('are sorted and grouped by %s, page by page, with and without a view', async (name) => {
    const fieldId = table.fieldIds[name] as string;
    for (const order of ['asc', 'desc'] as const) {
      for (const query of [
        { orderBy: JSON.stringify([{ fieldId, order }]) },
        { groupBy: JSON.stringify([{ fieldId, order }]) },
      ]) {
        const found: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          // The other cells take no part in it, and some of them are long.
          const page = await table.call(listRecords, {
            params: table,
            query: { ...query, take: 15, projection: [name], ...(cursor === undefined ? {} : { cursor }) },
          });
          ok(page, `${JSON.stringify(query)} ${cursor}`);
          found.push(...page.body.records.map(({ id }) => id));
          cursor = (page.body as { extra?: { nextCursor?: string | null } }).extra?.nextCursor ?? null;
        }
        expect(found.toSorted()).toEqual(ids.toSorted());
      }
    }
    await table.call(setViewSort, { params: table, body: { sort: { sortObjs: [{ fieldId, order: 'desc' }] } } });
    await table.call(setViewGroup, { params: table, body: { group: [{ fieldId, order: 'asc' }] } });
    for (const cellFormat of ['json', 'text'] as const)
      ok(await table.call(listRecords, { params: table, query: { viewId: table.viewId, cellFormat } }), name);
    await table.call(setViewSort, { params: table, body: { sort: null } });
    await table.call(setViewGroup, { params: table, body: { group: null } });
  });

  test('are measured by every statistic, of all and of groups', async () => {
    for (const field of schema) {
      const statistics = validStatistics({ ...field, isMultiple: field.isMultipleCellValue === true });
      for (const query of [{}, { groupBy: JSON.stringify([{ fieldId: field.id, order: 'asc' }]) }]) {
        const measured = await table.call(getAggregation, {
          params: table,
          query: {
            ...query,
            ...Object.fromEntries(statistics.map((statistic) => [`field[${statistic}]`, [field.id]])),
          } as never,
        });
        ok(measured, `statistics of ${field.name}`);
        expect(measured.body.aggregations).toHaveLength(statistics.length);
      }
    }
  });

  test('have a sum and an average where a number can hold them', async () => {
    const measure = async (cells: number[]) => {
      const on = await tableWith(table, [
        { name: 'Name', type: 'singleLineText' },
        { name: 'X', type: 'number' },
      ]);
      await on.call(createRecords, { params: on, body: { records: cells.map((X) => ({ fields: { X } })) } });
      const fieldId = on.fieldIds.X as string;
      const { aggregations } = (
        await on.call(getAggregation, {
          params: on,
          query: { 'field[sum]': [fieldId], 'field[average]': [fieldId] } as never,
        })
      ).body;
      const total = (name: string) =>
        aggregations
          .map(({ total: found }) => found as { value: unknown; aggFunc: string } | null)
          .find((found) => found?.aggFunc === name)?.value;
      return [total('sum'), total('average')];
    };
    expect(await measure([1, 2, 4])).toEqual([7, 7 / 3]);
    expect(await measure([0.1, 0.2])).toEqual([0.1 + 0.2, (0.1 + 0.2) / 2]);
    expect(await measure([max, max])).toEqual([null, max]);
    expect(await measure([max, -max, 5])).toEqual([5, 5 / 3]);
    expect(await measure([1e308, 1e308, -1e308])).toEqual([1e308, 1e308 / 3]);
    expect(await measure([Number.MIN_VALUE])).toEqual([Number.MIN_VALUE, Number.MIN_VALUE]);
    expect(await measure([])).toEqual([null, null]);
  });

  test('are told by the history, are duplicated, and change back and forth', async () => {
    const emptied = await table.call(updateRecords, {
      params: table,
      body: {
        records: ids.map((id, at) => ({
          id,
          fields: Object.fromEntries(Object.keys(rows[at] as object).map((key) => [key, null])),
        })),
      },
    });
    ok(emptied, 'emptying');
    ok(await table.call(listTableHistory, { params: table, query: { take: 1_000 } }), 'history of the table');
    for (const recordId of ids) {
      const { status, body } = await table.call(listRecordHistory, {
        params: { ...table, recordId },
        query: { includeCreated: true, take: 1_000 },
      });
      expect(status).toBe(200);
      const [at] = [ids.indexOf(recordId)];
      expect(
        Object.fromEntries(
          body.historyList
            .filter(({ created }) => created !== true)
            .map(({ fieldId, before }) => [fieldId, before.data]),
        ),
      ).toEqual(
        Object.fromEntries(Object.entries(rows[at] as object).map(([name, value]) => [table.fieldIds[name], value])),
      );
    }
    ok(
      await table.call(updateRecords, {
        params: table,
        body: { records: ids.map((id, at) => ({ id, fields: rows[at] as never })) },
      }),
      'filling',
    );
    for (const recordId of ids)
      expect((await table.call(duplicateRecord, { params: { ...table, recordId } } as never)).status).toBe(201);
    expect(
      (
        await table.call(duplicateTable, {
          params: { baseId: table.baseId, tableId: table.tableId },
          body: { name: 'copy', includeRecords: true },
        })
      ).status,
    ).toBe(201);
  });
});

describe('extremes are converted', () => {
  const sources = [
    { name: 'number', options: {}, cells: numbers },
    { name: 'number', options: { formatting: { type: 'percent', precision: 5 } }, cells: numbers },
    { name: 'number', options: { formatting: { type: 'currency', precision: 5 } }, cells: numbers },
    {
      name: 'date',
      options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'America/New_York' } },
      cells: dates,
    },
    {
      name: 'date',
      options: { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'Asia/Tokyo' } },
      cells: dates,
    },
    { name: 'longText', options: {}, cells: texts },
    { name: 'singleLineText', options: {}, cells: texts },
  ];
  const oneOfEachKind = sources.filter((_, at) => [0, 3, 6].includes(at));

  test.each(cases(sources, oneOfEachKind))(
    'from $name ($options) to every type and back',
    async ({ name, options, cells }) => {
      // One field per type to convert to: a table each would cost more than what is tried.
      const on = await tableWith(table, [
        { name: 'Name', type: 'singleLineText' },
        ...fieldTypes.map((type) => ({ name: `to ${type}`, type: name, options })),
      ]);
      const made = await on.call(createRecords, {
        params: on,
        body: {
          records: cells.map((cell) => ({
            fields: Object.fromEntries(fieldTypes.map((type) => [`to ${type}`, cell])),
          })),
        },
      });
      expect(made.status, JSON.stringify(made.error)).toBe(201);
      const convertAll = async (bodyFor: (type: FieldTypeName) => object): Promise<void> => {
        for (const type of fieldTypes) {
          const done = await on.call(convertField, {
            params: { tableId: on.tableId, fieldId: on.fieldIds[`to ${type}`] as string },
            body: bodyFor(type) as never,
          });
          expect([200, 400], `${name} ↔ ${type}: ${JSON.stringify(done.error)}`).toContain(done.status);
        }
        for (const cellFormat of ['json', 'text'] as const)
          ok(await on.call(listRecords, { params: on, query: { cellFormat } }), `${name} in ${cellFormat}`);
      };
      await convertAll((type) => ({ type, ...(type === 'rating' ? { options: { max: 10 } } : {}) }));
      await convertAll(() => ({ type: name, options }));
    },
    180_000,
  );
});
