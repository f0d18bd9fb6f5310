// Functions of text. Positions count characters from 1. An empty text gives an empty result.
import { type Sql, sql } from '../../../db/sql.ts';
import { asPart, cut, cutAlone, joinedText } from '../convert.sql.ts';
import { any, boolean, constantText, type FormulaFunction, number, text, whole } from '../function.ts';
import { toPattern, toReplacement } from '../pattern.ts';
import { convert, listOf, single } from '../term.ts';

/** What JavaScript's trim() removes. */
const spaces = sql.literal(
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);

const longest = 100_000;

/** Replacing makes a text at most so much longer that it need not be watched. */
const growsLittle = (former: string | undefined, latter: string | undefined): boolean =>
  former !== undefined && former !== '' && latter !== undefined && latter.length <= 10;

export const textFunctions: readonly FormulaFunction[] = [
  {
    name: 'CONCATENATE',
    parameters: [any('value')],
    repeats: 1,
    blank: 'never',
    shape: (args) => ({ type: single('text'), args: args.map((arg) => convert(arg, single('text'))) }),
    sql: (values) => joinedText(values.map((value) => sql`coalesce(${asPart(value)}, '')`)),
  },
  {
    name: 'FIND',
    parameters: [text('what'), text('text'), number('start', 1)],
    result: 'number',
    sql: ([what, t, start], { args }) =>
      args[2]?.op === 'constant' && args[2].value === 1
        ? sql`strpos(${t}, ${what})::double precision`
        : sql`rowhouse.find_text(${what}, ${t}, coalesce(${start}, 1))`,
  },
  {
    name: 'SEARCH',
    parameters: [text('what'), text('text'), number('start', 1)],
    result: 'number',
    blank: 'always',
    sql: ([what, t, start], { args }) =>
      args[2]?.op === 'constant' && args[2].value === 1
        ? sql`nullif(strpos(lower(${t}), lower(${what})), 0)::double precision`
        : sql`nullif(rowhouse.find_text(lower(${what}), lower(${t}), coalesce(${start}, 1)), 0)`,
  },
  {
    name: 'MID',
    parameters: [text('text'), number('start'), number('count')],
    result: 'text',
    sql: ([t, start, count]) =>
      sql`substr(${t}, coalesce(${whole(start, -1_000_000, 1_000_000)}, 1), ${whole(count, 0, longest)})`,
  },
  {
    name: 'LEFT',
    parameters: [text('text'), number('count', 1)],
    result: 'text',
    sql: ([t, count]) => sql`left(${t}, ${whole(count, 0, longest)})`,
  },
  {
    name: 'RIGHT',
    parameters: [text('text'), number('count', 1)],
    result: 'text',
    sql: ([t, count]) => sql`right(${t}, ${whole(count, 0, longest)})`,
  },
  {
    name: 'REPLACE',
    parameters: [text('text'), number('start'), number('count'), text('new')],
    result: 'text',
    sql: ([t, start, count, latter]) =>
      cut(
        sql`overlay(${t} placing coalesce(${latter}, '') from ${whole(start, 1, 1_000_000)} for ${whole(count, 0, longest)})`,
      ),
  },
  {
    name: 'REGEXP_REPLACE',
    parameters: [text('text'), text('pattern'), text('new')],
    result: 'text',
    fails: true,
    sql: ([t, , latter], { args }) => {
      const { pattern } = toPattern(constantText(args[1]) ?? '');
      const fixed = constantText(args[2]);
      const written =
        fixed === undefined
          ? sql`replace(coalesce(${latter}, ''), E'\\\\', E'\\\\\\\\')`
          : sql`${sql.literal(toReplacement(fixed))}::text`;
      return sql`rowhouse.replace_pattern(${t}, ${sql.literal(pattern ?? '')}, ${written})`;
    },
    verify: (args) => {
      const written = constantText(args[1]);
      if (written === undefined)
        return {
          at: 1,
          message: 'The pattern of REGEXP_REPLACE has to be a text in quotes',
          expected: 'a text in quotes such as "[0-9]+"',
        };
      const { wrong } = toPattern(written);
      return wrong === undefined
        ? undefined
        : { at: 1, message: wrong, expected: 'a regular expression without backreferences' };
    },
  },
  {
    name: 'SUBSTITUTE',
    parameters: [text('text'), text('old'), text('new'), number('nth', null)],
    result: 'text',
    sql: ([t, former, latter, nth], { args }) =>
      args[3]?.op === 'constant' && args[3].value === null && growsLittle(constantText(args[1]), constantText(args[2]))
        ? cut(sql`replace(${t}, ${former}, ${latter})`)
        : sql`rowhouse.substitute(${t}, ${former}, ${latter}, ${nth})`,
  },
  { name: 'LOWER', parameters: [text('text')], result: 'text', sql: ([t]) => sql`lower(${t})` },
  { name: 'UPPER', parameters: [text('text')], result: 'text', sql: ([t]) => cutAlone(sql`upper(${t})`) },
  { name: 'TRIM', parameters: [text('text')], result: 'text', sql: ([t]) => sql`btrim(${t}, ${spaces})` },
  { name: 'LEN', parameters: [text('text')], result: 'number', sql: ([t]) => sql`length(${t})::double precision` },
  {
    name: 'REPT',
    parameters: [text('text'), number('count')],
    result: 'text',
    sql: (values, { bind }) =>
      bind(
        values,
        ([t, count]) =>
          sql`nullif(left(repeat(${t}, least(greatest(trunc(${count}), 0), ${sql.integer(longest)} / greatest(length(${t}), 1) + 1)::int), ${sql.integer(longest)}), '')`,
      ),
  },
  {
    name: 'T',
    parameters: [any('value')],
    shape: ([arg]) => ({ type: single('text'), args: [convert(arg ?? nothing(), single('text'))] }),
    sql: ([t]) => t as Sql,
  },
  {
    name: 'ENCODE_URL_COMPONENT',
    parameters: [text('text')],
    result: 'text',
    sql: ([t]) => sql`rowhouse.url_component(${t})`,
  },
  {
    name: 'TEXTBEFORE',
    parameters: [
      text('text'),
      text('mark'),
      number('nth', 1),
      boolean('ignoreCase', false),
      boolean('matchEnd', false),
      text('otherwise', null),
    ],
    result: 'text',
    blank: 'always',
    sql: ([t, mark, nth, ignoreCase, matchEnd, otherwise]) =>
      sql`coalesce(rowhouse.text_before(${t}, ${mark}, ${nth}, coalesce(${ignoreCase}, false), coalesce(${matchEnd}, false)), ${otherwise})`,
  },
  {
    name: 'TEXTSPLIT',
    parameters: [text('text'), text('mark'), boolean('ignoreEmpty', false), boolean('ignoreCase', false)],
    shape: ([t, mark, ...rest]) => ({
      type: listOf('text'),
      args: [
        ...[t, mark].map((arg) => convert(arg ?? nothing(), single('text'))),
        ...rest.map((arg) => convert(arg, single('boolean'))),
      ],
    }),
    sql: ([t, mark, ignoreEmpty, ignoreCase]) =>
      sql`rowhouse.text_split(${t}, ${mark}, coalesce(${ignoreEmpty}, false), coalesce(${ignoreCase}, false))`,
  },
];

function nothing(): never {
  throw new Error('an argument that the checker has counted is missing');
}
