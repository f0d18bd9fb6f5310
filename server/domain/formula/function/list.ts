// Functions of lists, and what a record knows of itself.
import { type Sql, sql } from '../../../db/sql.ts';
import { any, type FormulaFunction, text } from '../function.ts';
import { countOf, itemsOf } from '../items.sql.ts';
import { commonType, convert, listOf, single, type Term } from '../term.ts';

const counting = (
  name: string,
  repeats: number,
  wanted: Sql,
  countsKind: (term: Term) => boolean,
): FormulaFunction => ({
  name,
  parameters: [any('value')],
  repeats,
  takesLists: true,
  blank: 'never',
  shape: (args) => ({
    type: single('number'),
    args: args.map((arg) => (arg.type.kind === 'blank' ? convert(arg, single('text')) : arg)),
  }),
  sql: (values, writing) => {
    const counted = values.filter((_, at) => countsKind(writing.args[at] as Term));
    if (counted.length === 0) return sql`0::double precision`;
    return countOf(itemsOf(counted, { ...writing, args: writing.args.filter(countsKind) }), wanted);
  },
});

const gathered = (name: string, alias: string, what: 'all' | 'filled' | 'unique'): FormulaFunction => ({
  name,
  aliases: [alias],
  parameters: [any('value')],
  repeats: 1,
  takesLists: true,
  blank: 'always',
  shape: (args) => {
    const { kind } = commonType(args.map((arg) => arg.type));
    const known = kind === 'blank' ? 'text' : kind;
    return { type: listOf(known), args: args.map((arg) => convert(arg, { kind: known, list: arg.type.list })) };
  },
  sql: (values, writing) => sql`rowhouse.list_part(${itemsOf(values, writing)}, '${sql.raw(what)}')`,
});

const filled = sql`e not in ('null', '""')`;

export const listFunctions: readonly FormulaFunction[] = [
  counting('COUNTALL', 0, sql`e <> 'null'`, () => true),
  counting('COUNTA', 1, filled, () => true),
  counting('COUNT', 1, filled, ({ type: { kind } }) => kind === 'number' || kind === 'datetime'),
  {
    name: 'ARRAY_JOIN',
    aliases: ['ARRAYJOIN'],
    parameters: [any('list'), text('separator', ', ')],
    takesLists: true,
    shape: ([list, separator]) => ({
      type: single('text'),
      args: [
        convert(list as Term, { kind: 'text', list: (list as Term).type.list }),
        convert(separator as Term, single('text')),
      ],
    }),
    sql: ([list, separator], { args }) =>
      args[0]?.type.list === true ? sql`rowhouse.list_text(${list}, coalesce(${separator}, ''))` : (list as Sql),
  },
  gathered('ARRAY_UNIQUE', 'ARRAYUNIQUE', 'unique'),
  gathered('ARRAY_FLATTEN', 'ARRAYFLATTEN', 'all'),
  gathered('ARRAY_COMPACT', 'ARRAYCOMPACT', 'filled'),
  {
    name: 'TEXT_ALL',
    parameters: [any('value')],
    takesLists: true,
    shape: ([arg]) => {
      const type = { kind: 'text' as const, list: (arg as Term).type.list };
      return { type, args: [convert(arg as Term, type)] };
    },
    sql: ([value]) => value as Sql,
  },
  { name: 'RECORD_ID', parameters: [], result: 'text', blank: 'never', sql: (_, { record }) => record.id },
  {
    name: 'AUTO_NUMBER',
    parameters: [],
    result: 'number',
    blank: 'never',
    sql: (_, { record }) => sql`(${record.autoNumber})::double precision`,
  },
];
