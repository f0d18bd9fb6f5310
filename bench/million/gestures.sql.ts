// What people do in a large table, and the same as a statement by hand.
import { tableName } from '../ground.ts';
import { page, type RawTable } from '../process/raw.sql.ts';

export interface Gesture {
  name: string;
  path: string;
  raw: string;
  /** Milliseconds over HTTP, on a quiet machine of two cores. */
  must: number;
}

const column = (table: RawTable, name: string): string =>
  `"${table.fields.find((field) => field.name === name)?.dbFieldName}"`;

const texts = ['Text 1', 'Text 2', 'Text 3', 'Long'];

const place = (table: RawTable): string =>
  `array_position('{Planned,"In progress","In review",Done,Dropped}'::text[], ${column(table, 'Status')})`;

export const twinIndexes = (twin: RawTable): string[] => {
  const on = (columns: string): string => `create index on ${tableName(twin)} ${columns}`;
  return [
    'create extension if not exists pg_trgm',
    on(`using gin (${texts.map((name) => `lower(${column(twin, name)}) gin_trgm_ops`).join(', ')})`),
    on(`(left(${column(twin, 'Text 1')}, 200) nulls first, __auto_number)`),
    on(`(${column(twin, 'Number 1')} nulls first, __auto_number)`),
    on(`((${place(twin)}) nulls first, __auto_number)`),
    on(`(${column(twin, 'Status')})`),
  ];
};

const parameters = (query: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

const filter = (fieldId: string, operator: string, value: unknown): object => ({
  conjunction: 'and',
  filterSet: [{ fieldId, operator, value }],
});

export const gesturesOf = ({ tableId }: RawTable, twin: RawTable, records: number): Gesture[] => {
  const list = (query: Record<string, unknown>): string =>
    `/table/${tableId}/record?${parameters({ take: '100', ...query })}`;
  const aggregation = (what: string, query: Record<string, unknown> = {}): string =>
    `/table/${tableId}/aggregation${what}?${parameters(query)}`;
  const text = column(twin, 'Text 1');
  const number = column(twin, 'Number 1');
  const from = `from ${tableName(twin)}`;
  const anywhere = (word: string): string =>
    texts.map((name) => `lower(${column(twin, name)}) like '%${word}%'`).join(' or ');
  const [middle, deep] = [Math.floor(records / 2), Math.floor(records * 0.9)];
  const rare = `willow ${deep + 11}`;
  return [
    { name: 'first page', path: list({}), raw: page(twin, '__auto_number'), must: 20 },
    {
      name: 'search, none found',
      path: list({ search: ['zebra', '', true] }),
      raw: page(twin, '__auto_number', anywhere('zebra')),
      must: 150,
    },
    {
      name: 'search, one found',
      path: list({ search: [rare, '', true] }),
      raw: page(twin, '__auto_number', anywhere(rare)),
      must: 150,
    },
    {
      name: 'text contains',
      path: list({ filter: filter('Text 1', 'contains', 'willow 99') }),
      raw: page(twin, '__auto_number', `lower(${text}) like '%willow 99%'`),
      must: 100,
    },
    {
      name: 'by a text, first page',
      path: list({ orderBy: [{ fieldId: 'Text 1', order: 'asc' }] }),
      raw: page(twin, `left(${text}, 200) nulls first, __auto_number`),
      must: 50,
    },
    {
      name: 'by a text, from the middle',
      path: list({ skip: String(middle), orderBy: [{ fieldId: 'Text 1', order: 'asc' }] }),
      raw: page(twin, `left(${text}, 200) nulls first, __auto_number`, 'true', middle),
      must: 500,
    },
    {
      name: 'groups by a select, with headers',
      path: list({ groupBy: [{ fieldId: 'Status', order: 'asc' }] }),
      raw: `select (${page(twin, `${place(twin)} nulls first, __auto_number`)}), (select json_agg(g) from (select ${column(twin, 'Status')}, count(*) ${from} group by 1) g)`,
      must: 200,
    },
    {
      name: 'page at nine tenths',
      path: list({ skip: String(deep) }),
      raw: page(
        twin,
        '__auto_number',
        `__auto_number >= (select __auto_number ${from} order by 1 limit 1 offset ${deep})`,
      ),
      must: 60,
    },
    {
      name: 'by a number, first page',
      path: list({ orderBy: [{ fieldId: 'Number 1', order: 'asc' }] }),
      raw: page(twin, `${number} nulls first, __auto_number`),
      must: 50,
    },
    {
      name: 'a number below 1',
      path: list({ filter: filter('Number 1', 'isLess', 1) }),
      raw: page(twin, '__auto_number', `${number} < 1`),
      must: 50,
    },
    {
      name: 'sum and average',
      path: `/table/${tableId}/aggregation?field[sum][]=Number 1&field[average][]=Number 2`,
      raw: `select sum(${number}), avg(${column(twin, 'Number 2')}) ${from}`,
      must: 207,
    },
    {
      name: 'row count, filtered',
      path: aggregation('/row-count', { filter: filter('Number 1', 'isLess', 5_000) }),
      raw: `select count(*) ${from} where ${number} < 5000`,
      must: 60,
    },
    { name: 'row count', path: aggregation('/row-count'), raw: `select count(*) ${from}`, must: 60 },
  ];
};
