// Teable's query language: `{Name} = 'x' and {Count} > 3`, read into a filter. Conditions are joined from left to right, `and` and
// `or` alike, as Teable does; parentheses say otherwise.
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import {
  type FilterField,
  type FilterGroup,
  mostConditions,
  mostValues,
  mostValuesInAll,
  readFilter,
} from '@rowhouse/contract/filter.ts';

/** What the query needs to know of a field beyond what filters do. */
export interface QueryField extends FilterField {
  /** Dates without an offset are meant in it. */
  timeZone: string;
}

const at = 'filterByTql';

const refuse = (position: number, message: string, expected: string): never => {
  throw invalid({ path: at, message: `At character ${position + 1}: ${message}`, expected });
};

type Token = { position: number; end: number } & (
  | { kind: 'field' | 'text' | 'word' | 'sign'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'end'; value: '' }
);

const words = new Set(['AND', 'OR', 'NOT', 'IS', 'NULL', 'TRUE', 'FALSE', 'LIKE', 'IN', 'HAS']);
const spaces = /\s*/y;
// The groups are: field, text, number, word, sign. Each branch begins with another character, so none is tried twice.
const pattern =
  /(\{[^{}]+\})|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([a-z]+)|(<>|!=|>=|<=|[=<>(),])/isuy;

/** The token at or behind `from`. One at a time: what follows the first fault is never looked at. */
const tokenFrom = (query: string, from: number): Token => {
  spaces.lastIndex = from;
  spaces.exec(query);
  const position = spaces.lastIndex;
  if (position === query.length) return { kind: 'end', value: '', position, end: position };
  pattern.lastIndex = position;
  const found = pattern.exec(query);
  if (found === null)
    return refuse(
      position,
      `${JSON.stringify(query.slice(position, position + 20))} is not understood`,
      'a field in braces such as {Name}, an operator, or a value: a text in quotes, a number, true, false',
    );
  const place = { position, end: pattern.lastIndex };
  const [, field, text, number, word, sign] = found;
  if (field !== undefined) return { ...place, kind: 'field', value: field.slice(1, -1) };
  if (text !== undefined) return { ...place, kind: 'text', value: text.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') };
  if (number !== undefined) return { ...place, kind: 'number', value: Number(number) };
  if (sign !== undefined) return { ...place, kind: 'sign', value: sign === '<>' ? '!=' : sign };
  const known = (word as string).toUpperCase();
  if (!words.has(known))
    return refuse(
      position,
      `${JSON.stringify(word)} is not a word of the language`,
      'a field in braces, a text in quotes, or one of AND, OR, NOT, IS, NULL, TRUE, FALSE, LIKE, IN, HAS',
    );
  return { ...place, kind: 'word', value: known };
};

type Literal = string | number | boolean | null;

/** As `readFilter` of the contract takes it, with the place it stands at. */
interface QueryCondition {
  isSymbol: true;
  fieldId: string;
  operator: string;
  value: Literal | Literal[] | object;
  position: number;
}

interface QueryGroup {
  conjunction: 'and' | 'or';
  filterSet: (QueryCondition | QueryGroup)[];
  position: number;
}

const isGroup = (item: QueryCondition | QueryGroup): item is QueryGroup => 'filterSet' in item;

/** Adds a condition or group to the one before it; those joined by the same word share a group. Changes `left`, which nothing else refers to: copying it for every condition takes seconds. */
const joined = (
  left: QueryCondition | QueryGroup,
  conjunction: 'and' | 'or',
  right: QueryCondition | QueryGroup,
): QueryGroup => {
  const group =
    isGroup(left) && left.conjunction === conjunction
      ? left
      : { conjunction, filterSet: [left], position: left.position };
  for (const item of isGroup(right) && right.conjunction === conjunction ? right.filterSet : [right])
    group.filterSet.push(item);
  return group;
};

const deepest = 50;

const parse = (query: string, fields: ReadonlyMap<string, QueryField>): QueryGroup => {
  let token = tokenFrom(query, 0);
  let [conditions, valuesInAll] = [0, 0];
  const peek = (): Token => token;
  /** The present token, of which the next one takes the place. */
  const take = (): Token => {
    const present = token;
    token = tokenFrom(query, present.end);
    return present;
  };
  const is = (kind: Token['kind'], value: string): boolean => peek().kind === kind && peek().value === value;
  const taken = (kind: Token['kind'], value: string): boolean => {
    if (!is(kind, value)) return false;
    take();
    return true;
  };
  const told = (): string =>
    peek().kind === 'end' ? 'the query ends here' : `found ${JSON.stringify(query.slice(peek().position, peek().end))}`;

  const literal = (): Literal => {
    const { kind, value, position } = peek();
    const isWord = kind === 'word' && (value === 'NULL' || value === 'TRUE' || value === 'FALSE');
    if (!isWord && kind !== 'text' && kind !== 'number')
      return refuse(position, told(), 'a value: a text in quotes, a number, true, false or null');
    take();
    return isWord ? (value === 'NULL' ? null : value === 'TRUE') : value;
  };

  const list = (): Literal[] => {
    if (!taken('sign', '(')) return refuse(peek().position, told(), 'a list of values in parentheses');
    const values: Literal[] = [];
    if (taken('sign', ')')) return values;
    do {
      if (values.length >= mostValues)
        return refuse(peek().position, `the list has more than ${mostValues} values`, `at most ${mostValues}`);
      if ((valuesInAll += 1) > mostValuesInAll)
        return refuse(
          peek().position,
          `the lists have more than ${mostValuesInAll} values together`,
          `at most ${mostValuesInAll}`,
        );
      values.push(literal());
    } while (taken('sign', ','));
    return taken('sign', ')') ? values : refuse(peek().position, told(), '"," or ")"');
  };

  const operator = (): string => {
    const { kind, value, position } = peek();
    if (kind === 'sign' && ['=', '!=', '>', '>=', '<', '<='].includes(value)) return take().value as string;
    if (kind === 'word') {
      if (['LIKE', 'IN', 'HAS'].includes(value)) return take().value as string;
      if (taken('word', 'IS')) {
        const word = taken('word', 'NOT') ? 'IS NOT NULL' : 'IS NULL';
        return taken('word', 'NULL') ? word : refuse(peek().position, told(), 'NULL or NOT NULL');
      }
      if (taken('word', 'NOT')) {
        if (taken('word', 'LIKE')) return 'NOT LIKE';
        return taken('word', 'IN') ? 'NOT IN' : refuse(peek().position, told(), 'LIKE or IN');
      }
    }
    return refuse(
      position,
      told(),
      'an operator: =, !=, <>, >, >=, <, <=, LIKE, NOT LIKE, IN, NOT IN, HAS, IS NULL, IS NOT NULL',
    );
  };

  const condition = (): QueryCondition => {
    const { kind, value: name, position } = peek();
    if (kind !== 'field') return refuse(position, told(), 'a field in braces such as {Name}, or "("');
    conditions += 1;
    if (conditions > mostConditions)
      return refuse(position, `A filter may have at most ${mostConditions} conditions`, `at most ${mostConditions}`);
    take();
    const field = fields.get(name as string);
    if (field === undefined)
      return refuse(position, `the table has no field ${JSON.stringify(name)}`, 'the name of a field, or its id');
    const sign = operator();
    const takesList = sign.endsWith('IN') || sign === 'HAS' || (sign === '=' && is('sign', '('));
    const value = sign.startsWith('IS') ? null : takesList ? list() : literal();
    const of = (meant: string, operand: QueryCondition['value']): QueryCondition => ({
      isSymbol: true,
      fieldId: field.id,
      operator: meant,
      value: operand,
      position,
    });
    if (value === null && (sign === '=' || sign === '!=')) return of(sign === '=' ? 'IS NULL' : 'IS NOT NULL', null);
    if (sign === '!=' && typeof value === 'boolean' && field.cellValueType === 'boolean') return of('=', !value);
    if (field.cellValueType === 'dateTime' && typeof value === 'string')
      return of(sign, { mode: 'exactDate', exactDate: value, timeZone: field.timeZone });
    return of(sign, value);
  };

  const expression = (depth: number): QueryCondition | QueryGroup => {
    const part = (): QueryCondition | QueryGroup => {
      const { position } = peek();
      if (!taken('sign', '(')) return condition();
      if (depth >= deepest)
        return refuse(position, `there are more than ${deepest} parentheses within each other`, `at most ${deepest}`);
      const inner = expression(depth + 1);
      return taken('sign', ')') ? inner : refuse(peek().position, told(), 'AND, OR or ")"');
    };
    let left = part();
    for (;;) {
      if (taken('word', 'AND')) left = joined(left, 'and', part());
      else if (taken('word', 'OR')) left = joined(left, 'or', part());
      else return left;
    }
  };

  const whole = expression(0);
  if (peek().kind !== 'end') return refuse(peek().position, told(), 'AND, OR or the end');
  return isGroup(whole) ? whole : { conjunction: 'and', filterSet: [whole], position: whole.position };
};

/** Where the condition stands that an issue is about: its path leads to it. */
const positionOf = (group: QueryGroup, path: string): number => {
  let item: QueryCondition | QueryGroup = group;
  for (const [, index] of path.matchAll(/filterSet\[(\d+)\]/g))
    item = (isGroup(item) ? item.filterSet[Number(index)] : undefined) ?? item;
  return item.position;
};

export const readQuery = (query: string, fields: ReadonlyMap<string, QueryField>): FilterGroup | null => {
  const group = parse(query, fields);
  const { filter, issues } = readFilter(group, fields, at);
  if (issues.length === 0) return filter;
  throw invalid(
    issues.map(
      (issue): Issue => ({
        ...issue,
        path: at,
        message: `At character ${positionOf(group, issue.path) + 1}: ${issue.message}`,
      }),
    ),
  );
};
