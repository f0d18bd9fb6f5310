// What charts show: the same as counting over all records by hand, for each kind of chart and of field.
import type { Chart } from '@rowhouse/contract/chart.ts';
import type { ChartData, ChartDataOf } from '@rowhouse/contract/chart-data.ts';
import { previewChart } from '@rowhouse/contract/dashboard.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { FullTable } from '@rowhouse/contract/table.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
let table: FullTable;

const kinds = ['late', 'open', 'done'];
const tags = ['red', 'blue', 'green'];

interface Row {
  Name: string;
  Price?: number;
  Kind?: string;
  Tags?: string[];
  Day?: string;
  Done?: boolean;
}

/** Drawn by a fixed rule, with holes. */
const rows: Row[] = Array.from({ length: 60 }, (_none, at) => ({
  Name: `n${at % 7}`,
  ...(at % 5 === 0 ? {} : { Price: (at * 37) % 101 }),
  ...(at % 4 === 0 ? {} : { Kind: kinds[at % 3] as string }),
  ...(at % 6 === 0 ? {} : { Tags: tags.filter((_tag, place) => (at >> place) % 2 === 0) }),
  ...(at % 9 === 0 ? {} : { Day: new Date(Date.UTC(2024, at % 14, (at * 5) % 28, 23, 30)).toISOString() }),
  ...(at % 2 === 0 ? { Done: true } : {}),
}));

const idOf = (name: string): string => table.fields.find((field) => field.name === name)?.id as string;

beforeAll(async () => {
  shop = await openWorkshop(world());
  const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'Europe/Berlin' };
  table = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Price' },
      { type: 'singleSelect', name: 'Kind', options: { choices: kinds.map((name) => ({ name })) } },
      { type: 'multipleSelect', name: 'Tags', options: { choices: tags.map((name) => ({ name })) } },
      { type: 'date', name: 'Day', options: { formatting } },
      { type: 'checkbox', name: 'Done' },
      { type: 'createdBy', name: 'Maker' },
    ],
    records: rows.map((fields) => ({ fields: { ...fields, ...(fields.Tags?.length === 0 ? { Tags: null } : {}) } })),
  });
});

const draw = async <K extends ChartData['kind']>(
  kind: K,
  chart: Chart,
  filters?: object[],
): Promise<ChartDataOf<K>> => {
  const { status, body, error } = await shop.owner.call(previewChart, {
    params: { baseId: shop.baseId },
    body: { chart, ...(filters === undefined ? {} : { filters }) } as never,
  });
  if (status !== 200 || body.kind !== kind) throw new Error(JSON.stringify(error ?? body));
  return body as ChartDataOf<K>;
};

const source = () => ({ tableId: table.id });
const sum = (some: readonly Row[]): number | null => {
  const prices = some.flatMap(({ Price }) => Price ?? []);
  return prices.length === 0 ? null : prices.reduce((one, other) => one + other, 0);
};
/** Wall time in Berlin: summer time from the last Sunday of March to that of October. */
const dayIn = (iso: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' }).format(new Date(iso));

const byKind = (name: string | null): Row[] => rows.filter(({ Kind }) => (Kind ?? null) === name);

test('the data says what its values are called and how they are written, also to those who do not know the chart', async () => {
  const data = await draw('groups', {
    type: 'bar',
    ...source(),
    group: { fieldId: idOf('Day'), by: 'quarter' },
    measures: [
      { statistic: 'count' },
      { statistic: 'sum', fieldId: idOf('Price'), label: 'Sales', format: { suffix: ' kg', decimals: 1 } },
      { statistic: 'average', fieldId: idOf('Price') },
      { statistic: 'percentFilled', fieldId: idOf('Kind') },
    ],
  });
  expect(data.groupedBy).toEqual([{ name: 'Day', by: 'quarter' }]);
  expect(data.measures).toEqual([
    { label: '', statistic: 'count' },
    { label: 'Sales', statistic: 'sum', fieldName: 'Price', suffix: ' kg', decimals: 1 },
    { label: '', statistic: 'average', fieldName: 'Price', decimals: 2 },
    { label: '', statistic: 'percentFilled', fieldName: 'Kind', suffix: '%', decimals: 1 },
  ]);
  const map = await draw('groups', {
    type: 'heatMap',
    ...source(),
    rows: { fieldId: idOf('Kind') },
    columns: { fieldId: idOf('Day') },
    measure: { statistic: 'count' },
  });
  expect(map.groupedBy).toEqual([{ name: 'Day', by: 'month' }, { name: 'Kind' }]);
});

describe('groups', () => {
  test('of choices stand in the order of the choices, the empty ones last', async () => {
    const data = await draw('groups', {
      type: 'bar',
      ...source(),
      group: { fieldId: idOf('Kind') },
      measures: [{ statistic: 'count' }, { statistic: 'sum', fieldId: idOf('Price'), label: 'Sales' }],
    });
    const order = [...kinds, null];
    expect(data.groups.map(({ value }) => value)).toEqual(order);
    expect(data.groups[0]?.color).toMatch(/\w/);
    expect(data.series.map(({ label }) => label)).toEqual(['Records', 'Sales']);
    expect(data.values).toEqual([order.map((name) => byKind(name).length), order.map((name) => sum(byKind(name)))]);
    expect(data).toMatchObject({ total: 60, isCut: false, tableId: table.id });
  });

  test('a record with several values counts in each, and once in the total', async () => {
    const data = await draw('groups', {
      type: 'stackedBar',
      ...source(),
      group: { fieldId: idOf('Tags'), omitEmpty: true },
      split: { fieldId: idOf('Done') },
      measures: [{ statistic: 'count' }],
    });
    const tagged = rows.filter(({ Tags = [] }) => Tags.length > 0);
    const of = (tag: string, done: boolean): number =>
      tagged.filter(({ Tags, Done = false }) => Tags?.includes(tag) === true && Done === done).length;
    expect(data.groups.map(({ value }) => value)).toEqual(tags);
    expect(data.series.map(({ group }) => group?.value)).toEqual([false, true]);
    expect(data.values).toEqual([false, true].map((done) => tags.map((tag) => of(tag, done))));
    expect(data.total).toBe(tagged.length);
  });

  test.each(['day', 'week', 'month', 'quarter', 'year'] as const)(
    'of dates by %s, on the clock of the field',
    async (by) => {
      const first = (iso: string): string => {
        const date = new Date(`${dayIn(iso)}T00:00:00Z`);
        const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
        const start = {
          day: date,
          week: new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000),
          month: new Date(Date.UTC(year, month)),
          quarter: new Date(Date.UTC(year, month - (month % 3))),
          year: new Date(Date.UTC(year, 0)),
        }[by];
        return start.toISOString().slice(0, 10);
      };
      const counts = new Map<string, number>();
      for (const { Day } of rows) if (Day !== undefined) counts.set(first(Day), (counts.get(first(Day)) ?? 0) + 1);
      const data = await draw('groups', {
        type: 'line',
        ...source(),
        group: { fieldId: idOf('Day'), by, omitEmpty: true },
        measures: [{ statistic: 'count' }],
      });
      const expected = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
      expect(data.groups.map(({ value }, at) => [value, data.values[0]?.[at]])).toEqual(expected);
      // Behind each point stand its records.
      const at = Math.floor(data.groups.length / 2);
      const { body } = await shop.owner.call(listRecords, {
        params: { tableId: table.id },
        query: { filter: JSON.stringify(data.groups[at]?.filter), fieldKeyType: 'id' },
      });
      expect(body.records).toHaveLength(data.values[0]?.[at] as number);
    },
  );

  test('are ordered by the measure and cut, which is said', async () => {
    const data = await draw('groups', {
      type: 'pie',
      ...source(),
      group: { fieldId: idOf('Name'), sort: 'measure', order: 'desc', limit: 3 },
      measure: { statistic: 'sum', fieldId: idOf('Price') },
    });
    const names = [...new Set(rows.map(({ Name }) => Name))];
    const all = names.map((name) => [name, sum(rows.filter(({ Name }) => Name === name))] as const);
    const best = all.toSorted(([, one], [, other]) => (other ?? 0) - (one ?? 0)).slice(0, 3);
    expect(data.groups.map(({ value }, at) => [value, data.values[0]?.[at]])).toEqual(best);
    expect(data).toMatchObject({ isCut: true, total: 60 });
  });

  test('are filled where no record is', async () => {
    const filter = {
      conjunction: 'and' as const,
      filterSet: [{ fieldId: idOf('Kind'), operator: 'is', value: 'done' }],
    };
    const choices = await draw('groups', {
      type: 'area',
      ...source(),
      filter,
      group: { fieldId: idOf('Kind'), fill: true },
      measures: [{ statistic: 'count' }],
    });
    expect(choices.values).toEqual([[0, 0, byKind('done').length]]);
    const months = await draw('groups', {
      type: 'area',
      ...source(),
      filter,
      group: { fieldId: idOf('Day'), by: 'month', fill: true, omitEmpty: true },
      measures: [{ statistic: 'sum', fieldId: idOf('Price') }],
    });
    const of = byKind('done').flatMap(({ Day }) => (Day === undefined ? [] : [dayIn(Day).slice(0, 7)]));
    const [first, last] = [of.toSorted()[0], of.toSorted().at(-1)] as [string, string];
    const at = new Date(`${first}-01T00:00:00Z`);
    const between: string[] = [];
    for (; at.toISOString().slice(0, 7) <= last; at.setUTCMonth(at.getUTCMonth() + 1))
      between.push(at.toISOString().slice(0, 10));
    expect(months.groups.map(({ value }) => value)).toEqual(between);
    expect(months.values[0]).toContain(null);
  });

  test('of people have their names', async () => {
    const data = await draw('groups', {
      type: 'bar',
      ...source(),
      group: { fieldId: idOf('Maker') },
      measures: [{ statistic: 'count' }],
    });
    expect(data.groups).toMatchObject([{ value: shop.owner.userId, label: shop.owner.name }]);
    expect(JSON.stringify(data)).not.toContain('@');
  });
});

test('a view and filters of the reader narrow the records', async () => {
  const { body: view } = await shop.owner.call(createView, {
    params: { tableId: table.id },
    body: {
      type: 'grid',
      filter: { conjunction: 'and', filterSet: [{ fieldId: idOf('Done'), operator: 'is', value: true }] },
    },
  });
  const chart: Chart = { type: 'number', ...source(), viewId: view.id, measure: { statistic: 'count' } };
  const filter = { conjunction: 'and', filterSet: [{ fieldId: idOf('Kind'), operator: 'is', value: 'open' }] };
  const done = rows.filter(({ Done }) => Done === true);
  expect((await draw('number', chart)).value).toBe(done.length);
  const narrowed = await draw('number', chart, [
    { tableId: table.id, filter },
    { tableId: 'tblOther', filter },
  ]);
  expect(narrowed.value).toBe(done.filter(({ Kind }) => Kind === 'open').length);
  expect(narrowed).toMatchObject({ viewId: view.id, filter: { filterSet: [{ filterSet: [{ value: 'open' }] }] } });
});

test('a heat map is a series for each row', async () => {
  const data = await draw('groups', {
    type: 'heatMap',
    ...source(),
    rows: { fieldId: idOf('Kind') },
    columns: { fieldId: idOf('Done') },
    measure: { statistic: 'average', fieldId: idOf('Price') },
  });
  const average = (some: Row[]): number | null => {
    const prices = some.flatMap(({ Price }) => Price ?? []);
    return prices.length === 0 ? null : (sum(some) as number) / prices.length;
  };
  for (const [line, name] of [...kinds, null].entries())
    for (const [at, done] of [false, true].entries()) {
      const expected = average(byKind(name).filter(({ Done = false }) => Done === done));
      const value = data.values[line]?.[at] ?? null;
      if (expected === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(expected, 9);
    }
});

test('a pivot table has its totals, where a record with several values counts once', async () => {
  const data = await draw('pivot', {
    type: 'pivot',
    ...source(),
    rows: [{ fieldId: idOf('Kind') }, { fieldId: idOf('Done') }],
    columns: [{ fieldId: idOf('Tags') }],
    measures: [{ statistic: 'count' }, { statistic: 'sum', fieldId: idOf('Price') }],
  });
  const tagsOf = ({ Tags = [] }: Row): (string | null)[] => (Tags.length === 0 ? [null] : Tags);
  const measured = (some: Row[]) => [some.length, sum(some)];
  for (const [at, [kind, done]] of data.rows.entries()) {
    const own = rows.filter(({ Kind, Done = false }) => (Kind ?? null) === kind?.value && Done === done?.value);
    expect(data.rowTotals[at]).toEqual(measured(own));
    for (const [place, [tag]] of data.columns.entries()) {
      const cell = own.filter((row) => tagsOf(row).includes(tag?.value as string | null));
      expect(data.values[at]?.[place]).toEqual(measured(cell));
    }
  }
  for (const [place, [tag]] of data.columns.entries())
    expect(data.columnTotals[place]).toEqual(
      measured(rows.filter((row) => tagsOf(row).includes(tag?.value as string | null))),
    );
  expect(data.totals).toEqual(measured(rows));
  expect(data.columns.map(([tag]) => tag?.value)).toEqual([...tags, null]);
  expect(data).toMatchObject({ total: 60, isCut: false });
});

test('a scatter chart has a point for each record with both values', async () => {
  const data = await draw('points', {
    type: 'scatter',
    ...source(),
    x: idOf('Day'),
    y: idOf('Price'),
    split: { fieldId: idOf('Kind') },
  });
  const both = rows.filter(({ Day, Price }) => Day !== undefined && Price !== undefined);
  expect(data.points.map(({ x, y, name, series }) => [x, y, name, data.series[series]?.group?.value])).toEqual(
    both.map(({ Day, Price, Name, Kind = null }) => [Day, Price, Name, Kind]),
  );
});

test('a number has its trend up to now', async () => {
  const data = await draw('number', {
    type: 'number',
    ...source(),
    measure: { statistic: 'sum', fieldId: idOf('Price') },
    trend: { fieldId: idOf('Day'), by: 'year', periods: 5 },
  });
  const year = new Date().getUTCFullYear();
  expect(data.value).toBe(sum(rows));
  expect(data.total).toBe(60);
  expect(data.trend?.groups.map(({ value }) => value)).toEqual([4, 3, 2, 1, 0].map((back) => `${year - back}-01-01`));
  expect(data.trend?.values).toEqual(
    [4, 3, 2, 1, 0].map((back) =>
      sum(rows.filter(({ Day }) => Day !== undefined && dayIn(Day).startsWith(`${year - back}`))),
    ),
  );
});

test('a list has its records in their order', async () => {
  const data = await draw('records', {
    type: 'records',
    ...source(),
    fieldIds: [idOf('Price'), idOf('Name')],
    sort: [{ fieldId: idOf('Price'), order: 'desc' }],
    take: 2,
  });
  const prices = rows.flatMap(({ Price }) => Price ?? []).toSorted((one, other) => other - one);
  expect(data.records.map(({ fields }) => fields[idOf('Price')])).toEqual(prices.slice(0, 2));
  expect(data.fields.map(({ name }) => name)).toEqual(['Price', 'Name']);
  expect(data).toMatchObject({ total: 60, isCut: true });
});

test('a chart that cannot be drawn says why', async () => {
  const { body } = await shop.owner.call(previewChart, {
    params: { baseId: shop.baseId },
    body: {
      chart: {
        type: 'bar',
        ...source(),
        viewId: 'viwNone',
        filter: { conjunction: 'and', filterSet: [{ fieldId: 'fldNone', operator: 'is', value: 1 }] },
        group: { fieldId: 'fldNone' },
        measures: [{ statistic: 'sum', fieldId: idOf('Name') }, { statistic: 'sum' }],
        split: { fieldId: idOf('Kind') },
      },
    },
  });
  expect(body.kind === 'broken' && body.problems.map(({ path, code }) => [path, code])).toEqual([
    ['measures', 'unfit'],
    ['viewId', 'noView'],
    ['filter.filterSet[0].fieldId', 'noField'],
    ['group.fieldId', 'noField'],
    ['measures[0].statistic', 'unfit'],
    ['measures[1].fieldId', 'unfit'],
  ]);
});
