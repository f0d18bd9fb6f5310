// Functions of numbers. An empty number gives an empty result, except where values are added up or counted.
import { type Sql, sql } from '../../../db/sql.ts';
import type { Apart } from '../arithmetic.sql.ts';
import { chained, isShort } from '../bind.sql.ts';
import { any, type FormulaFunction, number, text, type Writing } from '../function.ts';
import { itemsOf } from '../items.sql.ts';
import { convert, type Kind, single, type Term } from '../term.ts';

const rounding = (name: string, mode: 'half' | 'up' | 'down' | 'ceiling' | 'floor'): FormulaFunction => ({
  name,
  parameters: [number('number'), number('places', 0)],
  result: 'number',
  fails: true,
  sql: ([n, places]) => sql`rowhouse.round_to(${n}, coalesce(${places}, 0), '${sql.raw(mode)}')`,
});

/** The everyday case without a function: of a number that is not near a half, doubles give what decimals give. */
const round: FormulaFunction = {
  ...rounding('ROUND', 'half'),
  readsValues: false,
  sql: (values, { args: [number, digits], bind, value, apart }) => {
    const fixed = digits?.op === 'constant' && typeof digits.value === 'number' ? digits.value : undefined;
    const places = values[1] ?? value(digits as Term);
    const slow = (n: Sql | undefined): Sql => sql`rowhouse.round_to(${n}, coalesce(${places}, 0), 'half')`;
    const given = (): Sql => values[0] ?? value(number as Term);
    if (fixed === undefined || !Number.isInteger(fixed) || fixed < 0 || fixed > 6) return slow(given());
    const unit = sql`${sql.integer(10 ** fixed)}::double precision`;
    const isFar = (n: Sql): Sql => sql`abs(${n} * ${unit} - round(${n} * ${unit})) < 0.498`;
    const isSmall = (n: Sql): Sql => sql`abs(${n}) < 1e12 / ${unit}`;
    const whole = (n: Sql): Sql => sql`round(${n} * ${unit}) / ${unit} + 0`;
    const rounded = (n: Sql, any: Sql, guard: Sql, usual: Apart['usual']): Sql => {
      // Below 1e12 a double and its decimals are less than 0.001 apart. What is nearer to a half is reckoned in decimals, which cannot fail at this size: 1 µs, against 30 by the function. `+ 0`: there is no -0.
      const near = sql`case when ${isFar(n)} then ${whole(n)} else floor(${n}::text::numeric * ${sql.integer(10 ** fixed)} + 0.5) * 1e-${sql.integer(fixed)} end`;
      const first =
        usual === null
          ? sql.empty
          : sql`when ${usual.guard} and ${isSmall(usual.plain)} and ${isFar(usual.plain)} then ${whole(usual.plain)} `;
      return sql`case ${first}when ${guard}${isSmall(n)} then ${near} else ${slow(any)} end`;
    };
    const named = (n: Sql): Sql => bind([n], ([v]) => rounded(v as Sql, v as Sql, sql.empty, null));
    // A short calculation is made several times rather than named, which takes as long as ten of them.
    const inPlace =
      values[0] === undefined
        ? apart(number as Term, ({ usual, guard, plain, any }) =>
            plain === null || !isShort(plain)
              ? named(any)
              : rounded(plain, any, guard === null ? sql.empty : sql`${guard} and `, usual),
          )
        : undefined;
    return inPlace ?? named(given());
  },
};

const asNumbers = (args: readonly Term[]): Term[] =>
  args.map((arg) => convert(arg, { kind: 'number', list: arg.type.list }));
const hasLists = (args: readonly Term[]): boolean => args.some(({ type }) => type.list);

const sum: FormulaFunction = {
  name: 'SUM',
  parameters: [any('value')],
  repeats: 1,
  takesLists: true,
  blank: 'never',
  fails: true,
  shape: (args) => ({ type: single('number'), args: asNumbers(args) }),
  sql: (values, writing) =>
    hasLists(writing.args) ? sql`rowhouse.list_sum(${itemsOf(values, writing)})` : sumOf(values, writing),
};

/** Numbers below 1e290 add up to one, however many there are in a formula. */
const sumOf = (values: readonly Sql[], { bind }: Writing): Sql =>
  bind(
    values.map((value) => sql`coalesce(${value}, 0)`),
    (names) => {
      const guards = sql.join(
        names.map((name) => sql`abs(${name}) < 1e290`),
        ' and ',
      );
      return sql`case when ${guards} then ${chained(names, sql`+`)} else rowhouse.list_sum(to_jsonb(array[${sql.join(names)}])) end`;
    },
  );

const extreme = (name: string, keyword: 'greatest' | 'least', aggregate: 'max' | 'min'): FormulaFunction => ({
  name,
  parameters: [any('value')],
  repeats: 1,
  takesLists: true,
  blank: 'always',
  shape: (args) => {
    const kind: Kind = args[0]?.type.kind === 'datetime' ? 'datetime' : 'number';
    return { type: single(kind), args: args.map((arg) => convert(arg, { kind, list: arg.type.list })) };
  },
  sql: (values, writing) => {
    if (!hasLists(writing.args)) return sql`${sql.raw(keyword)}(${sql.join(values)})`;
    const kind = writing.args[0]?.type.kind === 'datetime' ? 'datetime' : 'number';
    const item = kind === 'datetime' ? sql`rowhouse.date_of(e #>> '{}', 'UTC')` : sql`(e #>> '{}')::double precision`;
    return sql`(select ${sql.raw(aggregate)}(${item}) from jsonb_array_elements(${itemsOf(values, writing)}) as item(e) where e <> 'null')`;
  },
});

export const numberFunctions: readonly FormulaFunction[] = [
  sum,
  {
    name: 'AVERAGE',
    parameters: [any('value')],
    repeats: 1,
    takesLists: true,
    blank: 'always',
    shape: (args) => ({ type: single('number'), args: asNumbers(args) }),
    sql: (values, writing) => sql`rowhouse.list_average(${itemsOf(values, writing)})`,
  },
  extreme('MAX', 'greatest', 'max'),
  extreme('MIN', 'least', 'min'),
  round,
  rounding('ROUNDUP', 'up'),
  rounding('ROUNDDOWN', 'down'),
  rounding('CEILING', 'ceiling'),
  rounding('FLOOR', 'floor'),
  {
    name: 'EVEN',
    parameters: [number('number')],
    result: 'number',
    fails: true,
    sql: ([n]) => sql`rowhouse.next_parity(${n}, 0)`,
  },
  {
    name: 'ODD',
    parameters: [number('number')],
    result: 'number',
    fails: true,
    sql: ([n]) => sql`rowhouse.next_parity(${n}, 1)`,
  },
  { name: 'INT', parameters: [number('number')], result: 'number', sql: ([n]) => sql`floor(${n})` },
  { name: 'ABS', parameters: [number('number')], result: 'number', sql: ([n]) => sql`abs(${n})` },
  {
    name: 'SQRT',
    parameters: [number('number')],
    result: 'number',
    fails: true,
    sql: (values, { bind }) => bind(values, ([n]) => sql`case when ${n} >= 0 then sqrt(${n}) end`),
  },
  {
    name: 'EXP',
    parameters: [number('number')],
    result: 'number',
    fails: true,
    sql: (values, { bind }) =>
      bind(values, ([n]) => sql`case when abs(${n}) < 700 then exp(${n}) else rowhouse.exponential(${n}) end`),
  },
  {
    name: 'POWER',
    parameters: [number('number'), number('exponent')],
    result: 'number',
    fails: true,
    sql: ([n, exponent]) => sql`rowhouse.power_of(${n}, ${exponent})`,
  },
  {
    name: 'LOG',
    parameters: [number('number'), number('base', 10)],
    result: 'number',
    fails: true,
    sql: ([n, base]) => sql`rowhouse.logarithm(${n}, ${base})`,
  },
  {
    name: 'MOD',
    parameters: [number('number'), number('divisor')],
    result: 'number',
    fails: true,
    sql: ([n, divisor]) => sql`rowhouse.modulo(${n}, ${divisor})`,
  },
  {
    name: 'VALUE',
    parameters: [text('text')],
    result: 'number',
    fails: true,
    sql: ([t]) => sql`rowhouse.number_in(nullif(${t}, ''))`,
  },
];

/** The operator; it has no name that anybody could call. */
export const remainder: FormulaFunction = {
  name: '%',
  parameters: [number('number'), number('divisor')],
  result: 'number',
  fails: true,
  blank: 'never',
  sql: ([n, divisor]) => sql`rowhouse.remainder(coalesce(${n}, 0), coalesce(${divisor}, 0))`,
};
