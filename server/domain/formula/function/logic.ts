// Conditions. What is empty, 0 or an empty text is not true; a list or a date is true when there is one.
import { type Sql, sql } from '../../../db/sql.ts';
import { chained } from '../bind.sql.ts';
import { any, type FormulaFunction, text, type Writing } from '../function.ts';
import { countOf, itemsOf } from '../items.sql.ts';
import { commonType, convert, single, type Term } from '../term.ts';

const never = (parts: readonly (Sql | undefined)[]): boolean => parts.every((part) => part === undefined);
const orFalse = (part: Sql | undefined): Sql => part ?? sql`false`;

const whether = (value: Sql | undefined): Sql => sql`coalesce(${value}, false)`;

const choice: FormulaFunction = {
  name: 'IF',
  parameters: [any('condition'), any('then'), any('otherwise')],
  shape: ([condition, ...branches]) => {
    const type = commonType(branches.map((branch) => branch.type));
    return {
      type,
      args: [convert(condition as Term, single('boolean')), ...branches.map((branch) => convert(branch, type))],
      blank: branches.some(({ blank }) => blank),
    };
  },
  sql: ([condition, one, other]) => sql`case when ${condition} then ${one} else ${other} end`,
  failed: ([condition, one, other], { args, value }) => {
    if (never([one, other])) return condition;
    const branch = sql`case when ${value(args[0] as Term)} then ${orFalse(one)} else ${orFalse(other)} end`;
    return condition === undefined ? branch : sql`(${condition} or ${branch})`;
  },
};

/** x, k1, v1, k2, v2, …, otherwise → the places of keys and values. */
const casesOf = <T>(args: readonly T[]): { keys: T[]; results: T[]; otherwise: T | undefined } => {
  const rest = args.slice(1);
  const pairs = Math.floor(rest.length / 2);
  return {
    keys: rest.filter((_, at) => at % 2 === 0 && at < 2 * pairs),
    results: rest.filter((_, at) => at % 2 === 1),
    otherwise: rest.length % 2 === 1 ? rest.at(-1) : undefined,
  };
};

const keyed = (value: Sql | undefined, kind: string): Sql =>
  kind === 'text' ? sql`coalesce(${value}, '')` : (value as Sql);

const switchFunction: FormulaFunction = {
  name: 'SWITCH',
  parameters: [any('value'), any('key'), any('result')],
  repeats: 2,
  shape: (args) => {
    const { keys, results, otherwise } = casesOf(args);
    const type = commonType([...results, ...(otherwise === undefined ? [] : [otherwise])].map((term) => term.type));
    const common = commonType([args[0] as Term, ...keys].map((term) => term.type));
    const compared = single(common.kind === 'blank' || common.list ? 'text' : common.kind);
    const isResult = (at: number): boolean => at > 0 && (at % 2 === 0 || at === args.length - 1);
    return {
      type,
      args: args.map((arg, at) => convert(arg, isResult(at) ? type : compared)),
      blank: otherwise === undefined || [...results, otherwise].some(({ blank }) => blank),
    };
  },
  sql: (values, { args }) => {
    const kind = args[0]?.type.kind ?? 'text';
    const { keys, results, otherwise } = casesOf(values);
    const cases = keys.map((key, at) => sql`when ${keyed(key, kind)} then ${results[at]}`);
    return sql`case ${keyed(values[0], kind)} ${sql.join(cases, ' ')}${otherwise === undefined ? sql.empty : sql` else ${otherwise}`} end`;
  },
  failed: (parts, { args, value }) => {
    const [first, ...rest] = [parts[0], ...casesOf(parts).keys];
    const always = [first, ...rest].filter((part) => part !== undefined);
    const { results, otherwise } = casesOf(parts);
    if (!never([...results, otherwise])) {
      const kind = args[0]?.type.kind ?? 'text';
      const keys = casesOf(args).keys.map((key) => keyed(value(key), kind));
      const cases = keys.map((key, at) => sql`when ${key} then ${orFalse(results[at])}`);
      always.push(
        sql`case ${keyed(value(args[0] as Term), kind)} ${sql.join(cases, ' ')} else ${orFalse(otherwise)} end`,
      );
    }
    return always.length === 0 ? undefined : sql`(${sql.join(always, ' or ')})`;
  },
};

/** `e` is an item of a list. */
const isTrue = sql`e not in ('null', 'false', '0', '""')`;

const asConditions = (args: readonly Term[]): Term[] =>
  args.map((arg) => (arg.type.list ? arg : convert(arg, single('boolean'))));

const gathering = (
  name: string,
  ofValues: (values: readonly Sql[]) => Sql,
  ofItems: (trueOnes: Sql, all: Sql) => Sql,
): FormulaFunction => ({
  name,
  parameters: [any('condition')],
  repeats: 1,
  takesLists: true,
  blank: 'never',
  shape: (args) => ({ type: single('boolean'), args: asConditions(args) }),
  sql: (values, writing: Writing) => {
    if (!writing.args.some(({ type }) => type.list)) return sql`(${ofValues(values.map(whether))})`;
    return writing.bind(
      [itemsOf(values, writing)],
      ([items]) => sql`(${ofItems(countOf(items as Sql, isTrue), sql`jsonb_array_length(${items})`)})`,
    );
  },
});

export const logicFunctions: readonly FormulaFunction[] = [
  choice,
  switchFunction,
  gathering(
    'AND',
    (values) => sql.join(values, ' and '),
    (trueOnes, all) => sql`${all} > 0 and ${trueOnes} = ${all}`,
  ),
  gathering(
    'OR',
    (values) => sql.join(values, ' or '),
    (trueOnes) => sql`${trueOnes} > 0`,
  ),
  gathering(
    'XOR',
    (values) =>
      sql`${chained(
        values.map((value) => sql`${value}::int`),
        sql`+`,
      )} % 2 = 1`,
    (trueOnes) => sql`${trueOnes}::int % 2 = 1`,
  ),
  {
    name: 'NOT',
    parameters: [any('condition')],
    blank: 'never',
    shape: ([arg]) => ({ type: single('boolean'), args: [convert(arg as Term, single('boolean'))] }),
    sql: ([value]) => sql`(not ${whether(value)})`,
  },
  {
    name: 'BLANK',
    parameters: [],
    blank: 'always',
    shape: () => ({ type: single('blank'), args: [] }),
    sql: () => sql`null::text`,
  },
  {
    name: 'ERROR',
    parameters: [text('message', null)],
    blank: 'always',
    shape: () => ({ type: single('blank'), args: [] }),
    sql: () => sql`null::text`,
    failed: () => sql`true`,
  },
  {
    name: 'IS_ERROR',
    parameters: [any('value')],
    takesLists: true,
    readsValues: false,
    blank: 'never',
    shape: (args) => ({ type: single('boolean'), args: [...args] }),
    sql: (_values, { args, failed }) => sql`${failed(args[0] as Term)}`,
    failed: () => undefined,
  },
];
