// For random tables, filters, sorts and groups the answer is that of a plain evaluator over the same records in memory.
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { type ColorRule, colorsOf } from '@rowhouse/contract/color-rule.ts';
import { dateRange } from '@rowhouse/contract/date-range.ts';
import { matches } from '@rowhouse/contract/matches.ts';
import { queryBase } from '@rowhouse/contract/base-query.ts';
import { type CellValueType, createField, deleteField, type Field } from '@rowhouse/contract/field.ts';
import type { GroupPoint } from '@rowhouse/contract/record.ts';
import { createRecords, listRecords, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { howMany } from '../support/cases.ts';
import {
  type Cell,
  compareKeys,
  evaluate,
  groupsOf,
  type Order,
  type Row,
  type TestField,
  type TestFilter,
} from '../support/evaluator.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

// Within the hour in which it is already tomorrow in Berlin.
const now = new Date('2024-03-30T23:30:00.000Z');
const world = useWorld({}, { now: () => now });
let shop: Workshop;

beforeAll(async () => {
  shop = await openWorkshop(world());
});

const choices = ['b', 'a', 'B', 'c,d', '"e"'];
const words = [
  '',
  'a',
  'A',
  'ab',
  '%',
  '_',
  'a_b',
  '\\',
  'é',
  'É',
  '100%',
  'ab ab',
  'x'.repeat(250),
  `${'x'.repeat(250)}y`,
];

const fields: TestField[] = [
  { name: 'Text', type: 'singleLineText' },
  { name: 'Number', type: 'number', precision: 1 },
  { name: 'Rating', type: 'rating' },
  { name: 'Check', type: 'checkbox' },
  { name: 'Date', type: 'date', timeZone: 'Europe/Berlin' },
  { name: 'Select', type: 'singleSelect', choices },
  { name: 'Tags', type: 'multipleSelect', choices },
  { name: 'User', type: 'user' },
];

const valueTypes: Record<string, CellValueType> = {
  number: 'number',
  rating: 'number',
  checkbox: 'boolean',
  date: 'dateTime',
};
const matchFields = new Map(
  fields.map(({ name, type }) => [
    name,
    {
      id: name,
      type,
      cellValueType: valueTypes[type] ?? ('string' as const),
      isMultiple: type === 'multipleSelect',
      options: {},
    },
  ]),
);

const optionsOf = (field: TestField): Record<string, unknown> => {
  if (field.type === 'number') return { formatting: { type: 'decimal', precision: field.precision } };
  if (field.type === 'date') return { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: field.timeZone } };
  return field.choices === undefined ? {} : { choices: field.choices.map((name) => ({ name })) };
};

const instants = [
  '2024-03-30T22:59:59.999Z',
  '2024-03-30T23:00:00.000Z',
  '2024-03-31T12:00:00.000Z',
  '2024-03-31T22:00:00.000Z',
  '2024-02-29T00:00:00.000Z',
  '2023-12-31T23:00:00.000Z',
  '2025-01-01T00:00:00.000Z',
  '2024-03-24T10:00:00.000Z',
  '2024-04-30T10:00:00.000Z',
];

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null, freq: 4 });

const cells: Record<string, fc.Arbitrary<Cell>> = {
  Text: maybe(fc.constantFrom(...words.filter((word) => word !== ''))),
  Number: maybe(fc.constantFrom(0, 1, -1, 1.04, 1.05, 1.06, 2.5, 1e15, -0.04)),
  Rating: maybe(fc.integer({ min: 1, max: 5 })),
  Check: fc.constantFrom(true, null),
  Date: maybe(fc.constantFrom(...instants)),
  Select: maybe(fc.constantFrom(...choices)),
  Tags: maybe(fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 3 })),
  User: fc.constantFrom('me', null),
};

const row: fc.Arbitrary<Row> = fc.record(cells);

const zones = ['Europe/Berlin', 'UTC', 'America/Los_Angeles', 'Asia/Kolkata'];
const plainModes = [
  'today',
  'tomorrow',
  'yesterday',
  'currentWeek',
  'lastWeek',
  'nextWeekPeriod',
  'currentMonth',
  'lastMonth',
  'nextMonthPeriod',
  'currentYear',
  'lastYear',
  'nextYearPeriod',
  'oneWeekAgo',
  'oneWeekFromNow',
  'oneMonthAgo',
  'oneMonthFromNow',
];

const day = fc.oneof(
  fc.record({ mode: fc.constantFrom(...plainModes), timeZone: fc.constantFrom(...zones) }),
  fc.record({
    mode: fc.constantFrom('daysAgo', 'daysFromNow'),
    numberOfDays: fc.integer({ min: 0, max: 40 }),
    timeZone: fc.constantFrom(...zones),
  }),
  fc.record({
    mode: fc.constantFrom('exactDate', 'exactFormatDate'),
    exactDate: fc.constantFrom(...instants),
    timeZone: fc.constantFrom(...zones),
  }),
);
const period = fc.oneof(
  fc.record({
    mode: fc.constantFrom('pastWeek', 'pastMonth', 'pastYear', 'nextWeek', 'nextMonth', 'nextYear'),
    timeZone: fc.constantFrom(...zones),
  }),
  fc.record({
    mode: fc.constantFrom('pastNumberOfDays', 'nextNumberOfDays'),
    numberOfDays: fc.integer({ min: 0, max: 40 }),
    timeZone: fc.constantFrom(...zones),
  }),
);

const condition = (fieldId: string, operators: string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<TestFilter> =>
  fc.record({
    fieldId: fc.constant(fieldId),
    operator: fc.constantFrom(...operators),
    value,
  }) as fc.Arbitrary<TestFilter>;
const emptiness = fc.record({
  fieldId: fc.constantFrom(...fields.filter(({ type }) => type !== 'checkbox').map(({ name }) => name)),
  operator: fc.constantFrom('isEmpty', 'isNotEmpty'),
  value: fc.constant(null),
}) as fc.Arbitrary<TestFilter>;
const someChoices = fc.uniqueArray(fc.constantFrom(...choices, 'nothing'), { minLength: 1, maxLength: 3 });

const plainLeaves = [
  emptiness,
  condition('Text', ['is', 'isNot', 'contains', 'doesNotContain'], fc.constantFrom(...words)),
  condition(
    'Number',
    ['is', 'isNot', 'isGreater', 'isGreaterEqual', 'isLess', 'isLessEqual'],
    fc.constantFrom(0, 1, 1.05, 2.5, -5),
  ),
  condition('Rating', ['is', 'isNot', 'isGreater', 'isLessEqual'], fc.integer({ min: 0, max: 6 })),
  condition('Check', ['is'], fc.boolean()),
  condition('Select', ['is', 'isNot'], fc.constantFrom(...choices, 'nothing')),
  condition('Select', ['isAnyOf', 'isNoneOf'], someChoices),
  condition('Tags', ['hasAnyOf', 'hasAllOf', 'hasNoneOf', 'isExactly', 'isNotExactly'], someChoices),
];
const dateOperators = ['is', 'isNot', 'isBefore', 'isAfter', 'isOnOrBefore', 'isOnOrAfter'];
/** About who looks, and when: what is stored cannot depend on them. */
const movingLeaves = [
  condition('Date', dateOperators, day),
  condition('Date', ['isWithIn'], period),
  condition('User', ['is', 'isNot'], fc.constantFrom('me', 'Me', 'usrNobody')),
  condition('User', ['isAnyOf', 'isNoneOf'], fc.constantFrom(['me'], ['Me'], ['usrNobody'], ['usrNobody', 'me'])),
];

const filterOf = (leaves: readonly fc.Arbitrary<TestFilter>[]): fc.Arbitrary<TestFilter> =>
  fc.letrec<{ group: TestFilter; item: TestFilter }>((tie) => ({
    item: fc.oneof({ maxDepth: 2, depthSize: 'small' }, fc.oneof(...leaves), tie('group')),
    group: fc.record({
      conjunction: fc.constantFrom('and', 'or'),
      filterSet: fc.array(tie('item'), { maxLength: 3 }),
    }) as fc.Arbitrary<TestFilter>,
  })).group;

const filter = filterOf([...plainLeaves, ...movingLeaves]);

const ordering: fc.Arbitrary<Order[]> = fc.uniqueArray(
  fc.record({
    fieldId: fc.constantFrom(...fields.map(({ name }) => name)),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ fieldId }) => fieldId },
);

const newTable = async (rows: Row[]): Promise<FullTable> => {
  const table = await shop.table({
    fields: fields.map((field) => ({ type: field.type, name: field.name, options: optionsOf(field) }) as never),
    records: [],
  });
  const me = { id: shop.owner.userId, title: 'Owner' };
  const records = rows.map((cellsOf) => ({ fields: { ...cellsOf, User: cellsOf['User'] === 'me' ? me : null } }));
  const made = await shop.owner.call(createRecords, { params: { tableId: table.id }, body: { records } });
  if (made.status !== 201) throw new Error(JSON.stringify(made.error));
  // What is in memory is what was stored; only people are kept by id.
  made.body.records.forEach((record, at) => {
    rows[at] = {
      ...Object.fromEntries(fields.map(({ name }) => [name, (record.fields[name] as Cell | undefined) ?? null])),
      User: rows[at]?.['User'] === 'me' ? shop.owner.userId : null,
      id: record.id,
    };
  });
  return table;
};

const shown = (points: readonly GroupPoint[] | null | undefined): unknown[] =>
  (points ?? []).map((point) =>
    point.type === 1 ? point.count : [point.depth, (point.value as { id?: string } | null)?.id ?? point.value],
  );

const saysSomething = (asked: TestFilter): boolean =>
  'filterSet' in asked
    ? asked.filterSet.some(saysSomething)
    : asked.operator === 'isEmpty' || asked.operator === 'isNotEmpty' || asked.value !== null;

test('lists, pages, groups and counts equal those of the evaluator', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 40 }),
      fc.array(
        fc.record({
          filter,
          orderBy: ordering,
          groupBy: ordering,
          take: fc.integer({ min: 1, max: 7 }),
          skip: fc.integer({ min: 0, max: 5 }),
        }),
        { minLength: 6, maxLength: 6 },
      ),
      async (rows, queries) => {
        const table = await newTable(rows);
        const params = { tableId: table.id };
        for (const { filter: asked, orderBy, groupBy, take, skip } of queries) {
          const found = rows.filter((one) => evaluate(asked, one, { fields, now, me: shop.owner.userId }));
          // What the app and forms go by, where there is no database to ask.
          expect(
            rows.filter((one) =>
              matches(
                asked as FilterGroup,
                matchFields,
                { ...one, User: one['User'] === null ? null : { id: one['User'] } },
                { now, userId: shop.owner.userId },
              ),
            ),
          ).toEqual(found);
          // A rule colours what its filter finds, and nothing when its filter says nothing.
          const rule = { on: 'row', by: 'condition', color: 'red', filter: asked } as ColorRule;
          const coloured = rows.filter((one) => {
            const cells = { ...one, User: one['User'] === null ? null : { id: one['User'] } };
            return colorsOf([rule], matchFields, cells, { now, userId: shop.owner.userId }).row !== undefined;
          });
          expect(coloured).toEqual(saysSomething(asked) ? found : []);
          const sorted = [...found].sort((one, other) => compareKeys(one, other, { fields, groupBy, orderBy }));
          const ids = sorted.map(({ id }) => id);
          const query = {
            filter: JSON.stringify(asked),
            orderBy: JSON.stringify(orderBy),
            ...(groupBy.length === 0 ? {} : { groupBy: JSON.stringify(groupBy) }),
          };
          const list = async (more: object) =>
            (await shop.owner.call(listRecords, { params, query: { ...query, ...more } })).body;

          const whole = await list({ take: 1_000 });
          expect(whole.records.map(({ id }) => id)).toEqual(ids);
          expect(shown(whole.extra?.groupPoints)).toEqual(groupsOf(sorted, groupBy, fields));
          expect((await list({ take, skip })).records.map(({ id }) => id)).toEqual(ids.slice(skip, skip + take));
          const paged: string[] = [];
          let cursor: string | null | undefined;
          do {
            const page = await list({ take, ...(cursor == null ? {} : { cursor }) });
            paged.push(...page.records.map(({ id }) => id));
            cursor = page.extra?.nextCursor;
          } while (cursor != null);
          expect(paged).toEqual(ids);
          expect((await shop.owner.call(getRowCount, { params, query: { filter: query.filter } })).body.rowCount).toBe(
            found.length,
          );
        }
      },
    ),
    { numRuns: howMany(50, 6) },
  );
});

/** A table whose records link to others and show their cells, and the cells of all records as the API gives them. */
const linkedTable = async () => {
  const far = await shop.table({
    name: 'Far',
    fields: [
      { type: 'singleLineText', name: 'Text' },
      { type: 'number', name: 'Number' },
      { type: 'date', name: 'Date' },
      { type: 'checkbox', name: 'Check' },
      { type: 'singleSelect', name: 'Select', options: { choices: choices.map((name) => ({ name })) } },
    ] as never,
    records: [
      { fields: { Text: 'a', Number: 1, Date: instants[0], Check: true, Select: 'b' } },
      { fields: { Text: 'A%', Number: 2.5, Date: instants[2], Select: 'c,d' } },
      { fields: { Text: 'é', Date: instants[4], Check: true } },
      { fields: {} },
    ] as never,
  });
  const rows = fc.sample(row, { numRuns: 30, seed: 36 });
  const { id: tableId, fields: plain } = await newTable(rows);
  const add = async (body: object) => {
    const made = await shop.owner.call(createField, { params: { tableId }, body: body as never });
    expect(made.body).toMatchObject({ id: expect.any(String) });
    return made.body;
  };
  const linkTo = (name: string, relationship: string) =>
    add({ type: 'link', name, options: { relationship, foreignTableId: far.id, isOneWay: true } });
  const [many, single] = [await linkTo('Links', 'manyMany'), await linkTo('Link', 'manyOne')];
  const lookup = (name: string, linkFieldId: string, at: string) => {
    const { id, type } = far.fields.find((field) => field.name === at) as Field;
    return add({
      type,
      name,
      isLookup: true,
      lookupOptions: { foreignTableId: far.id, linkFieldId, lookupFieldId: id },
    });
  };
  const made = [many, single, await add({ type: 'autoNumber', name: 'At' })];
  for (const at of ['Text', 'Number', 'Date', 'Check', 'Select']) made.push(await lookup(`Far ${at}`, many.id, at));
  made.push(await lookup('One text', single.id, 'Text'));
  const ids = far.records.map(({ id }) => ({ id }));
  const updated = await shop.owner.call(updateRecords, {
    params: { tableId },
    body: {
      fieldKeyType: 'id',
      records: rows.map(({ id }, at) => ({
        id: id as string,
        fields: {
          [many.id]: at % 16 === 0 ? null : ids.filter((_, bit) => ((at % 16) >> bit) % 2 === 1),
          [single.id]: at % 5 === 4 ? null : (ids[at % 5] ?? null),
        },
      })),
    },
  });
  expect(updated).toMatchObject({ status: 200 });
  const { body } = await shop.owner.call(listRecords, {
    params: { tableId },
    query: { fieldKeyType: 'id', take: 100 },
  });
  const all = [...plain, ...made];
  return {
    tableId,
    ids: Object.fromEntries(all.map(({ name, id }) => [name, id])),
    linkedIds: ids.map(({ id }) => id),
    twinFields: new Map(
      all.map(({ id, type, cellValueType, isMultipleCellValue, options }) => [
        id,
        {
          id,
          type,
          cellValueType,
          isMultiple: isMultipleCellValue === true,
          options: options as Record<string, unknown>,
        },
      ]),
    ),
    records: body.records.map(({ fields: cellsOf }) => cellsOf),
  };
};

test('lists, lookups and queries over a base find what the twin without a database finds', {
  timeout: 240_000,
}, async () => {
  const { tableId, ids, linkedIds, twinFields, records } = await linkedTable();
  const someLinked = fc.uniqueArray(fc.constantFrom(...linkedIds, 'recNone'), { minLength: 1, maxLength: 3 });
  const numbers = fc.constantFrom(0, 1, 2.5, -5);
  const several = ['hasAnyOf', 'hasAllOf', 'hasNoneOf', 'isExactly', 'isNotExactly'];
  const fixedDay = fc.record({
    mode: fc.constantFrom('exactDate', 'exactFormatDate'),
    exactDate: fc.constantFrom(...instants),
    timeZone: fc.constantFrom(...zones),
  });
  const texts = ['is', 'isNot', 'contains', 'doesNotContain'];
  const fixedLeaves = [
    ...plainLeaves,
    condition('Date', dateOperators, fixedDay),
    condition('Links', several, someLinked),
    condition('Links', ['contains', 'doesNotContain'], fc.constantFrom('a', '%', 'a, ', 'none')),
    condition('Link', ['is', 'isNot'], fc.constantFrom(...linkedIds, 'recNone')),
    condition('Link', ['isAnyOf', 'isNoneOf'], someLinked),
    condition('Link', ['contains', 'doesNotContain'], fc.constantFrom('A', '%', 'none')),
    condition('Far Text', texts, fc.constantFrom(...words)),
    condition('One text', texts, fc.constantFrom(...words)),
    condition('Far Number', ['is', 'isNot', 'isGreater', 'isGreaterEqual', 'isLess', 'isLessEqual'], numbers),
    condition('Far Date', dateOperators, fixedDay),
    condition('Far Check', ['is'], fc.boolean()),
    condition('Far Select', several, someChoices),
    ...['Links', 'Link', 'Far Text', 'Far Number', 'Far Date', 'Far Select', 'One text'].map((name) =>
      condition(name, ['isEmpty', 'isNotEmpty'], fc.constant(null)),
    ),
  ];
  /** Rarely drawn by chance, and what is shown of linked records without a title decides about them. */
  const titles = ['Links', 'Link'].flatMap((fieldId) =>
    ['contains', 'doesNotContain'].flatMap((operator) =>
      ['a', 'A%', '%', 'a, ', ', ', 'none'].map((value): [TestFilter] => [
        { conjunction: 'and', filterSet: [{ fieldId, operator, value }] } as TestFilter,
      ]),
    ),
  );
  /** The same filter, naming fields in another way. */
  const named = (asked: TestFilter, key: 'fieldId' | 'column'): TestFilter =>
    'filterSet' in asked
      ? { ...asked, filterSet: asked.filterSet.map((item) => named(item, key)) }
      : ({ operator: asked.operator, value: asked.value, [key]: ids[asked.fieldId] } as never);
  const asker = { now, userId: shop.owner.userId };
  const expected = (asked: TestFilter): unknown[] =>
    records
      .filter((record) => matches(named(asked, 'fieldId') as FilterGroup, twinFields, record, asker))
      .map((record) => record[ids['At'] as string]);
  const at = ids['At'] as string;

  await fc.assert(
    fc.asyncProperty(filterOf([...fixedLeaves, ...movingLeaves]), async (asked) => {
      const query = { fieldKeyType: 'id' as const, filter: JSON.stringify(named(asked, 'fieldId')), take: 100 };
      const listed = await shop.owner.call(listRecords, { params: { tableId }, query });
      expect(listed.body.records.map(({ fields: cellsOf }) => cellsOf[at])).toEqual(expected(asked));
      const level = {
        from: tableId,
        where: named(asked, 'column'),
        orderBy: [{ column: at, type: 'field', order: 'asc' }],
      };
      const found = await shop.owner.call(queryBase, {
        params: { baseId: shop.baseId },
        query: { query: JSON.stringify(level) },
      });
      expect(found.body.rows.map((one) => one[at])).toEqual(expected(asked));
    }),
    { numRuns: 60, examples: titles },
  );

  // Through a link to all of them, and without one.
  const host = await shop.table({
    name: 'Host',
    fields: [{ type: 'singleLineText', name: 'Name' }],
    records: [{ fields: {} }],
  });
  const add = async (body: object): Promise<string> => {
    const made = await shop.owner.call(createField, { params: { tableId: host.id }, body: body as never });
    expect(made.body).toMatchObject({ id: expect.any(String) });
    return made.body.id;
  };
  const link = await add({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: tableId, isOneWay: true },
  });
  const { body: all } = await shop.owner.call(listRecords, { params: { tableId }, query: { take: 100 } });
  await shop.owner.call(updateRecord, {
    params: { tableId: host.id, recordId: host.records[0]?.id as string },
    body: { fieldKeyType: 'id', record: { fields: { [link]: all.records.map(({ id }) => ({ id })) } } },
  });
  await fc.assert(
    fc.asyncProperty(filterOf(fixedLeaves), async (asked) => {
      const lookupOptions = { foreignTableId: tableId, lookupFieldId: at, filter: named(asked, 'fieldId') };
      const made = [
        await add({ type: 'autoNumber', isLookup: true, lookupOptions: { ...lookupOptions, linkFieldId: link } }),
        await add({ type: 'autoNumber', isLookup: true, isConditionalLookup: true, lookupOptions }),
      ];
      const { body } = await shop.owner.call(listRecords, {
        params: { tableId: host.id },
        query: { fieldKeyType: 'id' },
      });
      for (const id of made) expect(body.records[0]?.fields[id] ?? []).toEqual(expected(asked));
      for (const fieldId of made) await shop.owner.call(deleteField, { params: { tableId: host.id, fieldId } });
    }),
    { numRuns: 10 },
  );
});

test('the filter of a query over a base names columns as its other parts do: by key, or by field', async () => {
  const table = await shop.table({
    name: 'Aliased',
    fields: [{ type: 'number', name: 'Number' }] as never,
    records: [{ fields: { Number: 1 } }, { fields: { Number: 2 } }] as never,
  });
  const column = { column: table.fields[0]?.id as string, type: 'field' };
  const ask = (name: string) =>
    shop.owner.call(queryBase, {
      params: { baseId: shop.baseId },
      query: {
        query: JSON.stringify({
          from: { from: table.id, select: [{ ...column, alias: 'n' }] },
          orderBy: [{ ...column, order: 'asc' }],
          where: { conjunction: 'and', filterSet: [{ column: name, type: 'field', operator: 'isGreater', value: 1 }] },
        }),
      },
    });
  for (const name of ['n', column.column]) expect((await ask(name)).body).toMatchObject({ rows: [{ n: 2 }] });
  expect((await ask('none')).status).toBe(400);
});

test('the days of every date mode are those of the evaluator, at any hour of any year', () => {
  const hours = fc
    .integer({ min: Date.UTC(2023, 0, 1) / 1_800_000, max: Date.UTC(2025, 0, 1) / 1_800_000 })
    .map((halves) => new Date(halves * 1_800_000));
  const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } as const;
  fc.assert(
    fc.property(hours, fc.oneof(day, period), fc.integer({ min: -1, max: 1 }), (at, value, shift) => {
      const { start, end } = dateRange(value as never, at, formatting);
      // Where it matters: just before, at and just after either end.
      for (const edge of [Date.parse(start), Date.parse(end)]) {
        const cell = new Date(edge + shift).toISOString();
        const within = edge + shift >= Date.parse(start) && edge + shift < Date.parse(end);
        expect(
          evaluate({ fieldId: 'Date', operator: 'isWithIn', value }, { Date: cell }, { fields, now: at, me: '' }),
        ).toBe(within);
      }
    }),
    { numRuns: howMany(3_000, 500) },
  );
});
