// Random formulas of every function and operator over fields of every kind, with constants at the edges of what there is.
import { findFunction, functionNames } from '../../server/domain/formula/functions.ts';
import { fields } from '../../test/support/formula.ts';
import type { Random } from '../random.ts';

const numbers = [
  '0',
  '1',
  '2',
  '0.5',
  '3',
  '7',
  '10',
  '100',
  '1000',
  '1e3',
  '1e15',
  '1e21',
  '1e150',
  '1e308',
  '1.7976931348623157e308',
  '5e-324',
  '1e-308',
  '1e-150',
  '0.1',
  '2147483648',
  '9007199254740993',
  '99999',
  '100001',
  '1e5',
  '12',
  '31',
  '365',
  '1e9',
];

const texts = [
  '',
  'a',
  'abc',
  '1',
  '-1.5',
  ' 12 ',
  '1e999',
  '1e-400',
  'NaN',
  'Infinity',
  '0x10',
  'äöü',
  '😀',
  "it's",
  '2024-01-31',
  '2024-02-30',
  '2024-01-31T10:00:00Z',
  '2024-01-31T10:00:00+14:00',
  '9999-12-31',
  '0001-01-01',
  '10000-01-01',
  'Jan 5, 2024',
  'tomorrow 10:00',
  '31/12/2024',
  '12:30',
  'YYYY-MM-DD',
  'dddd D MMMM YYYY [x] Z',
  'HH:mm:ss.SSS A',
  'day',
  'month',
  'year',
  'week',
  'quarter',
  'ms',
  'M',
  'days',
  'nonsense',
  'sunday',
  'monday',
  '2024-01-01, 2024-12-25',
  ', ',
  ',',
  '%',
  '_',
  '$1',
  '\\\\1',
  '\\\\',
  '[',
  '(',
  '.*',
  '[a-z]+',
  '(a|b)*c',
  '\\\\d+',
  '^$',
  '\\n',
  '\\t',
];

/** Places where a constant has to be a good one. */
const constants: Record<string, Record<number, readonly string[]>> = {
  REGEXP_REPLACE: {
    1: [
      '"a"',
      '"[0-9]+"',
      '"(a+)+b"',
      '"(\\\\w)(\\\\w)?"',
      '"."',
      '"x*"',
      '"^|$"',
      '"(?:a|ab)*c"',
      '"\\\\b"',
      '"[^a]"',
    ],
  },
  DATETIME_DIFF: { 2: ['"day"', '"month"', '"second"', '{text}', '"ms"'] },
  DATE_ADD: { 2: ['"day"', '"month"', '"year"', '"hour"', '"quarter"', '{text}', '"ms"', '"week"'] },
  IS_SAME: { 2: ['"day"', '"week"', '"month"', '{text}'] },
  IS_AFTER: { 2: ['"day"', '"week"', '"year"', '{text}'] },
  IS_BEFORE: { 2: ['"day"', '"hour"', '"quarter"', '{text}'] },
  FROMNOW: { 1: ['"day"', '"month"', '{text}'] },
  TONOW: { 1: ['"hour"', '"year"', '{text2}'] },
  WEEKDAY: { 1: ['"sunday"', '"monday"', '{text}'] },
};

const signs = ['+', '-', '*', '/', '%', '&', '=', '!=', '<', '<=', '>', '>=', '&&', '||'];

const leaf = (random: Random): string => {
  switch (random.below(8)) {
    case 0:
    case 1:
      return random.pick(numbers);
    case 2:
      return `"${random.pick(texts)}"`;
    case 3:
      return random.pick([
        'TRUE',
        'FALSE',
        'BLANK()',
        'NOW()',
        'TODAY()',
        'RECORD_ID()',
        'AUTO_NUMBER()',
        'CREATED_TIME()',
        'ERROR("x")',
      ]);
    default:
      return `{${random.pick(fields).name}}`;
  }
};

const callOf = (random: Random, size: number): string => {
  const name = random.pick(functionNames);
  const definition = findFunction(name);
  if (definition === undefined) throw new Error(`there is no function ${name}`);
  const least = definition.parameters.filter(({ fallback }) => fallback === undefined).length;
  const most = definition.parameters.length + (definition.repeats ?? 0) * random.below(3);
  const count = least + random.below(Math.max(most - least, 0) + 1);
  const share = Math.floor(size / Math.max(count, 1));
  const args = Array.from({ length: count }, (_, at) => {
    const fixed = constants[name]?.[at];
    return fixed === undefined ? expression(random, share) : random.pick(fixed);
  });
  return `${name}(${args.join(', ')})`;
};

export const expression = (random: Random, size: number): string => {
  if (size <= 1) return leaf(random);
  switch (random.below(5)) {
    case 0:
    case 1: {
      const left = 1 + random.below(size - 1);
      return `(${expression(random, left)} ${random.pick(signs)} ${expression(random, size - left)})`;
    }
    case 2:
      return random.once(4)
        ? `-${expression(random, size - 1)}`
        : random.once(3)
          ? `IS_ERROR(${expression(random, size - 1)})`
          : callOf(random, size - 1);
    default:
      return callOf(random, size - 1);
  }
};

type Cell = string | number | boolean | null | (string | number | boolean)[];

const edges: Record<string, readonly Cell[]> = {
  number: [
    null,
    0,
    1,
    -1,
    0.5,
    1e308,
    -1.7976931348623157e308,
    5e-324,
    -1e-308,
    1e15,
    9007199254740994,
    2147483648,
    -40,
    100001,
    1e150,
    12,
  ],
  text: [
    null,
    'abc',
    '12',
    '-1.5e3',
    '1e999',
    ' ',
    'o\'"\\',
    'äöü😀',
    '2024-01-31',
    '2024-02-30T25:00',
    '9999-12-31T23:59:59Z',
    'day',
    'YYYY',
    'months',
    '(',
    '[a-',
    '\\',
    '$1',
    'NaN',
    'infinity',
    'now',
    '-'.repeat(300),
    'a'.repeat(500),
  ],
  boolean: [null, true, false],
  date: [
    null,
    '2024-01-31T10:20:30.456Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00Z',
    '2024-03-31T01:30:00Z',
    '1582-10-15T00:00:00Z',
    '0044-03-15T00:00:00Z',
  ],
  numbers: [null, [1], [1, 2, 3], [1e308, 1e308], [-1.7976931348623157e308], [5e-324], [0]],
  texts: [
    null,
    ['a'],
    ['a', 'b', 'a'],
    ['12'],
    ['', 'x'],
    ['2024-01-31'],
    ['äöü', "'"],
    Array.from({ length: 300 }, (_, at) => `item ${at}`),
  ],
  booleans: [null, [true], [true, false], [false]],
  dates: [null, ['2024-01-31T10:20:30.456Z'], ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']],
};

const large: Record<string, Cell> = {
  text: 'ab,'.repeat(33_000),
  text2: '7'.repeat(100_000),
  texts: Array.from({ length: 20_000 }, (_, at) => `item ${at}`),
  numbers: Array.from({ length: 20_000 }, (_, at) => at * 1e300),
  number: 1e300,
  number2: 99_999,
  dates: Array.from({ length: 12_000 }, () => '2024-01-31T10:20:30.456Z'),
};

/** Records whose cells are of every sort; the first is empty, the second as large as can be if `withLarge`. */
export const records = (random: Random, count: number, withLarge: boolean): Record<string, Cell>[] =>
  Array.from({ length: count }, (_, at) => {
    if (at === 0) return {};
    if (at === 1 && withLarge) return large;
    return Object.fromEntries(
      fields.map(({ name }) => [name, random.pick(edges[name.replace(/2$/, '')] as readonly Cell[])]),
    );
  });
