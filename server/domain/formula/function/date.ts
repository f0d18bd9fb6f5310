// Functions of dates, on the clock of the field's time zone.
import { type Sql, sql } from '../../../db/sql.ts';
import { any, boolean, constantText, datetime, type FormulaFunction, number, text, type Writing } from '../function.ts';
import { toCharPattern } from '../date-pattern.ts';
import { type DateUnit, unitNames, unitOf } from '../date-unit.ts';
import { nearestOf } from '../nearest.ts';
import { convert, single, type Term } from '../term.ts';

const wall = (value: Sql | undefined, { clock }: Writing): Sql => sql`(${value} at time zone ${clock})`;

const part = (name: string, field: Sql): FormulaFunction => ({
  name,
  parameters: [datetime('date')],
  result: 'number',
  sql: ([d], writing) => sql`extract(${field} from ${wall(d, writing)})::double precision`,
});

/** What is wrong with a unit that stands in the formula; one that comes from a field is looked at record by record. */
const verifyUnit =
  (at: number) =>
  (args: readonly Term[]): ReturnType<NonNullable<FormulaFunction['verify']>> => {
    const name = constantText(args[at]);
    if (name === undefined || unitOf(name) !== undefined) return undefined;
    const near = nearestOf(
      name,
      unitNames.flatMap((unit) => [unit, `${unit}s`]),
    );
    return {
      at,
      message: `"${name}" is not a unit of time`,
      expected: unitNames.map((unit) => `"${unit}"`).join(', '),
      ...(near === undefined ? {} : { nearest: `"${near}"` }),
    };
  };

const knownUnit = ({ args }: Writing, at: number): DateUnit | undefined => {
  const name = constantText(args[at]);
  return name === undefined ? undefined : unitOf(name);
};

const unitSql = (value: Sql | undefined, writing: Writing, at: number): Sql => {
  const known = knownUnit(writing, at);
  return known === undefined ? sql`rowhouse.date_unit(${value})` : sql.literal(known);
};

const seconds: Partial<Record<DateUnit, Sql>> = {
  millisecond: sql`0.001`,
  second: sql`1`,
  minute: sql`60`,
  hour: sql`3600`,
  day: sql`86400`,
  week: sql`604800`,
};

const difference = (a: Sql, b: Sql, unit: Sql | undefined, writing: Writing, at: number): Sql => {
  const known = knownUnit(writing, at);
  const size = known === undefined ? undefined : seconds[known];
  if (size === undefined) return sql`rowhouse.date_diff(${a}, ${b}, ${unitSql(unit, writing, at)}, ${writing.zone})`;
  const both = known === 'day' || known === 'week' ? sql`${wall(a, writing)} - ${wall(b, writing)}` : sql`${a} - ${b}`;
  return sql`(extract(epoch from (${both}))::double precision / ${size})`;
};

/** What a fixed number of units is as an interval, and whether clocks of the zone are moved by it or instants. */
const steps: Partial<Record<DateUnit, { part: 'days' | 'months' | 'hours' | 'mins'; size: number; isWall: boolean }>> =
  {
    minute: { part: 'mins', size: 1, isWall: false },
    hour: { part: 'hours', size: 1, isWall: false },
    day: { part: 'days', size: 1, isWall: true },
    week: { part: 'days', size: 7, isWall: true },
    month: { part: 'months', size: 1, isWall: true },
    quarter: { part: 'months', size: 3, isWall: true },
    year: { part: 'months', size: 12, isWall: true },
  };

/** The everyday case without a function that catches, which takes ten times as long: so few units, so far from the ends of the calendar. */
const mostSteps = 500;

const added = (d: Sql, slow: (d: Sql) => Sql, writing: Writing): Sql => {
  const count = writing.args[1]?.op === 'constant' ? writing.args[1].value : undefined;
  const step = steps[knownUnit(writing, 2) ?? 'millisecond'];
  if (step === undefined || !Number.isInteger(count) || Math.abs(count as number) > mostSteps) return slow(d);
  // In UTC a day is 24 hours, always: nothing has to go to the clock of a zone and back.
  const isDays = writing.isUtc && step.part === 'days';
  const interval = sql`make_interval(${sql.raw(isDays ? 'hours' : step.part)} => ${sql.integer((count as number) * step.size * (isDays ? 24 : 1))})`;
  return writing.bind([d], ([v]) => {
    const fast =
      step.isWall && !isDays
        ? sql`(${wall(v, writing)} + ${interval}) at time zone ${writing.clock}`
        : sql`${v} + ${interval}`;
    return sql`case when ${v} between '1000-01-01T00:00:00Z'::timestamptz and '9000-01-01T00:00:00Z'::timestamptz then ${fast} else ${slow(v as Sql)} end`;
  });
};

const floor = (value: Sql | undefined, unit: Sql | undefined, writing: Writing, at: number): Sql => {
  const known = knownUnit(writing, at);
  if (known === undefined || known === 'week')
    return sql`rowhouse.date_floor(${value}, ${unitSql(unit, writing, at)}, ${writing.zone})`;
  return sql`date_trunc('${sql.raw(known)}', ${wall(value, writing)})`;
};

const relation = (name: string, sign: '=' | '<' | '>' | '<=' | '>='): FormulaFunction => ({
  name,
  parameters: [datetime('date'), datetime('other'), text('unit', 'day')],
  result: 'boolean',
  verify: verifyUnit(2),
  sql: ([a, b, unit], writing) => sql`(${floor(a, unit, writing, 2)} ${sql.raw(sign)} ${floor(b, unit, writing, 2)})`,
});

const fromNow = (name: string): FormulaFunction => ({
  name,
  parameters: [datetime('date'), text('unit'), boolean('exact', false)],
  result: 'number',
  volatile: true,
  verify: verifyUnit(1),
  sql: ([d, unit, exact], writing) =>
    writing.bind(
      [sql`abs(${difference(writing.now, d as Sql, unit, writing, 1)})`],
      ([n]) => sql`case when ${exact} then ${n} else trunc(${n}) end`,
    ),
});

const format = (d: Sql | undefined, form: Sql | undefined, constantForm: string | undefined, writing: Writing): Sql => {
  const pattern = constantForm === undefined ? undefined : toCharPattern(constantForm);
  if (pattern === undefined) return sql`rowhouse.format_date(${d}, ${form}, ${writing.zone})`;
  return sql`to_char(${wall(d, writing)}, ${sql.literal(pattern)})`;
};

const firstDays = ['sunday', 'monday'];

export const dateFunctions: readonly FormulaFunction[] = [
  {
    name: 'TODAY',
    parameters: [],
    result: 'datetime',
    blank: 'never',
    volatile: true,
    sql: (_, writing) => sql`(date_trunc('day', ${wall(writing.now, writing)}) at time zone ${writing.clock})`,
  },
  { name: 'NOW', parameters: [], result: 'datetime', blank: 'never', volatile: true, sql: (_, { now }) => now },
  part('YEAR', sql`year`),
  part('MONTH', sql`month`),
  part('DAY', sql`day`),
  part('HOUR', sql`hour`),
  part('MINUTE', sql`minute`),
  {
    name: 'SECOND',
    parameters: [datetime('date')],
    result: 'number',
    sql: ([d], writing) => sql`floor(extract(second from ${wall(d, writing)}))::double precision`,
  },
  {
    name: 'WEEKNUM',
    parameters: [datetime('date')],
    result: 'number',
    sql: ([d], writing) => sql`rowhouse.week_number(${wall(d, writing)})`,
  },
  {
    name: 'WEEKDAY',
    parameters: [datetime('date'), text('firstDay', 'sunday')],
    result: 'number',
    verify: (args) => {
      const day = constantText(args[1]);
      return day === undefined || firstDays.includes(day.toLowerCase())
        ? undefined
        : { at: 1, message: `A week cannot begin with "${day}"`, expected: '"sunday" or "monday"' };
    },
    sql: ([d, first], writing) => {
      const day = constantText(writing.args[1])?.toLowerCase();
      const days = sql`extract(dow from ${wall(d, writing)})::int`;
      if (day === 'sunday') return sql`${days}::double precision`;
      return sql`((${days} + case when lower(${first}) = 'monday' then 6 else 0 end) % 7)::double precision`;
    },
  },
  {
    name: 'DATETIME_DIFF',
    parameters: [datetime('date'), datetime('other'), text('unit', 'day'), any('exact', null)],
    result: 'number',
    verify: verifyUnit(2),
    sql: ([a, b, unit], writing) => difference(a as Sql, b as Sql, unit, writing, 2),
  },
  {
    name: 'DATE_ADD',
    parameters: [datetime('date'), number('count'), text('unit')],
    result: 'datetime',
    fails: true,
    verify: verifyUnit(2),
    sql: ([d, n, unit], writing) =>
      added(
        d as Sql,
        (value) => sql`rowhouse.date_add(${value}, coalesce(${n}, 0), ${unitSql(unit, writing, 2)}, ${writing.zone})`,
        writing,
      ),
  },
  relation('IS_SAME', '='),
  relation('IS_AFTER', '>'),
  relation('IS_BEFORE', '<'),
  fromNow('FROMNOW'),
  fromNow('TONOW'),
  {
    name: 'WORKDAY',
    parameters: [datetime('date'), number('count'), text('holidays', null)],
    result: 'datetime',
    fails: true,
    sql: ([d, n, holidays], { zone }) => sql`rowhouse.workday(${d}, coalesce(${n}, 0), ${holidays}, ${zone})`,
  },
  {
    name: 'WORKDAY_DIFF',
    parameters: [datetime('date'), datetime('other'), text('holidays', null)],
    result: 'number',
    sql: ([a, b, holidays], { zone }) => sql`rowhouse.workday_diff(${a}, ${b}, ${holidays}, ${zone})`,
  },
  {
    name: 'DATESTR',
    parameters: [datetime('date')],
    result: 'text',
    sql: ([d], writing) => format(d, undefined, 'YYYY-MM-DD', writing),
  },
  {
    name: 'TIMESTR',
    parameters: [datetime('date')],
    result: 'text',
    sql: ([d], writing) => format(d, undefined, 'HH:mm:ss', writing),
  },
  {
    name: 'DATETIME_FORMAT',
    parameters: [datetime('date'), text('format', 'YYYY-MM-DD HH:mm')],
    result: 'text',
    sql: ([d, form], writing) =>
      format(d, sql`coalesce(nullif(${form}, ''), 'YYYY-MM-DD HH:mm')`, constantText(writing.args[1]), writing),
  },
  {
    name: 'DATETIME_PARSE',
    parameters: [any('text'), text('format', null)],
    fails: true,
    shape: ([value, form]) => {
      const given = value as Term;
      return {
        type: single('datetime'),
        args: [
          given.type.kind === 'datetime' && !given.type.list ? given : convert(given, single('text')),
          convert(form as Term, single('text')),
        ],
      };
    },
    sql: ([t, form], { args, zone }) => {
      if (args[0]?.type.kind === 'datetime') return t as Sql;
      const withoutForm = args[1]?.op === 'constant' && (args[1].value === null || args[1].value === '');
      const written = sql`nullif(${t}, '')`;
      return withoutForm
        ? sql`rowhouse.date_of(${written}, ${zone})`
        : sql`rowhouse.parse_date(${written}, ${form}, ${zone})`;
    },
  },
  {
    name: 'CREATED_TIME',
    parameters: [],
    result: 'datetime',
    blank: 'never',
    sql: (_, { record }) => record.createdTime,
  },
  {
    name: 'LAST_MODIFIED_TIME',
    parameters: [],
    result: 'datetime',
    blank: 'always',
    sql: (_, { record }) => record.lastModifiedTime,
  },
];
