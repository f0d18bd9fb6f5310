// Teable's query language: `{Name} = 'x' and {Count} > 3`, read into a filter. Conditions are joined from left to right, `and` and
// `or` alike, as Teable does; parentheses say otherwise.
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import { type FilterField, type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';

/** What the query needs to know of a field beyond what filters do. */
export interface QueryField extends FilterField {
  /** Dates without an offset are meant in it. */
  timeZone: string;
}

const at = 'filterByTql';

const refuse = (position: number, message: string, expected: string): never => {
  throw invalid({ path: at, message: `At character ${position + 1}: ${message}`, expected });
};

type Token =
  | { kind: 'field' | 'text' | 'word' | 'sign'; value: string; position: number }
  | { kind: 'number'; value: number; position: number }
  | { kind: 'end'; value: ''; position: number };

const words = new Set(['AND', 'OR', 'NOT', 'IS', 'NULL', 'TRUE', 'FALSE', 'LIKE', 'IN', 'HAS']);
const pattern = /\s+|(?<field>\{[^{}]+\})|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>[a-z]+)|(?<sign><>|!=|>=|<=|[=<>(),])/suy;

const tokensOf = (query: string): Token[] => {
  const tokens: Token[] = [];
  const matcher = new RegExp(pattern.source, 'isuy');
  for (let position = 0; position < query.length; position = matcher.lastIndex) {
    matcher.lastIndex = position;
    const found = matcher.exec(query);
    if (found === null) return refuse(position, `${JSON.stringify(query.slice(position, position + 20))} is not understood`, 'a field in braces such as {Name}, an operator, or a value: a text in quotes, a number, true, false');
    const { field, text, number, word, sign } = found.groups ?? {};
    if (field !== undefined) tokens.push({ kind: 'field', value: field.slice(1, -1), position });
    else if (text !== undefined) tokens.push({ kind: 'text', value: text.slice(1, -1).replaceAll(/\\(.)/gsu, '$1'), position });
    else if (number !== undefined) tokens.push({ kind: 'number', value: Number(number), position });
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign === '<>' ? '!=' : sign, position });
    else if (word !== undefined) {
      if (!words.has(word.toUpperCase())) return refuse(position, `${JSON.stringify(word)} is not a word of the language`, 'a field in braces, a text in quotes, or one of AND, OR, NOT, IS, NULL, TRUE, FALSE, LIKE, IN, HAS');
      tokens.push({ kind: 'word', value: word.toUpperCase(), position });
    }
  }
  tokens.push({ kind: 'end', value: '', position: query.length });
  return tokens;
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

/** One condition or group more: those that are joined by the same word stand in one group. */
const joined = (left: QueryCondition | QueryGroup, conjunction: 'and' | 'or', right: QueryCondition | QueryGroup): QueryGroup => {
  const group = isGroup(left) && left.conjunction === conjunction ? left : { conjunction, filterSet: [left], position: left.position };
  const added = isGroup(right) && right.conjunction === conjunction ? right.filterSet : [right];
  return { ...group, filterSet: [...group.filterSet, ...added] };
};

const deepest = 50;

const parse = (query: string, fields: ReadonlyMap<string, QueryField>): QueryGroup => {
  const tokens = tokensOf(query);
  let next = 0;
  const peek = (): Token => tokens[next] as Token;
  const is = (kind: Token['kind'], value: string): boolean => peek().kind === kind && peek().value === value;
  const taken = (kind: Token['kind'], value: string): boolean => {
    if (!is(kind, value)) return false;
    next += 1;
    return true;
  };
  const told = (): string => (peek().kind === 'end' ? 'the query ends here' : `found ${JSON.stringify(query.slice(peek().position, (tokens[next + 1] ?? peek()).position).trim())}`);

  const literal = (): Literal => {
    const token = peek();
    next += 1;
    if (token.kind === 'text' || token.kind === 'number') return token.value;
    if (token.kind === 'word' && token.value === 'NULL') return null;
    if (token.kind === 'word' && (token.value === 'TRUE' || token.value === 'FALSE')) return token.value === 'TRUE';
    next -= 1;
    return refuse(token.position, told(), 'a value: a text in quotes, a number, true, false or null');
  };

  const list = (): Literal[] => {
    if (!taken('sign', '(')) return refuse(peek().position, told(), 'a list of values in parentheses');
    const values: Literal[] = [];
    if (taken('sign', ')')) return values;
    do values.push(literal());
    while (taken('sign', ','));
    return taken('sign', ')') ? values : refuse(peek().position, told(), '"," or ")"');
  };

  const operator = (): string => {
    const token = peek();
    next += 1;
    if (token.kind === 'sign' && ['=', '!=', '>', '>=', '<', '<='].includes(token.value)) return token.value;
    if (token.kind === 'word') {
      if (['LIKE', 'IN', 'HAS'].includes(token.value)) return token.value;
      if (token.value === 'IS') {
        const word = taken('word', 'NOT') ? 'IS NOT NULL' : 'IS NULL';
        return taken('word', 'NULL') ? word : refuse(peek().position, told(), 'NULL or NOT NULL');
      }
      if (token.value === 'NOT') {
        if (taken('word', 'LIKE')) return 'NOT LIKE';
        return taken('word', 'IN') ? 'NOT IN' : refuse(peek().position, told(), 'LIKE or IN');
      }
    }
    next -= 1;
    return refuse(token.position, told(), 'an operator: =, !=, <>, >, >=, <, <=, LIKE, NOT LIKE, IN, NOT IN, HAS, IS NULL, IS NOT NULL');
  };

  const condition = (): QueryCondition => {
    const { kind, value: name, position } = peek();
    if (kind !== 'field') return refuse(position, told(), 'a field in braces such as {Name}, or "("');
    next += 1;
    const field = fields.get(name as string);
    if (field === undefined) return refuse(position, `the table has no field ${JSON.stringify(name)}`, 'the name of a field, or its id');
    const sign = operator();
    const takesList = sign.endsWith('IN') || sign === 'HAS' || (sign === '=' && is('sign', '('));
    const value = sign.startsWith('IS') ? null : takesList ? list() : literal();
    const of = (meant: string, operand: QueryCondition['value']): QueryCondition => ({ isSymbol: true, fieldId: field.id, operator: meant, value: operand, position });
    if (value === null && (sign === '=' || sign === '!=')) return of(sign === '=' ? 'IS NULL' : 'IS NOT NULL', null);
    if (sign === '!=' && typeof value === 'boolean' && field.cellValueType === 'boolean') return of('=', !value);
    if (field.cellValueType === 'dateTime' && typeof value === 'string') return of(sign, { mode: 'exactDate', exactDate: value, timeZone: field.timeZone });
    return of(sign, value);
  };

  const expression = (depth: number): QueryCondition | QueryGroup => {
    const part = (): QueryCondition | QueryGroup => {
      const { position } = peek();
      if (!taken('sign', '(')) return condition();
      if (depth >= deepest) return refuse(position, `there are more than ${deepest} parentheses within each other`, `at most ${deepest}`);
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
  for (const [, index] of path.matchAll(/filterSet\[(\d+)\]/g)) item = (isGroup(item) ? item.filterSet[Number(index)] : undefined) ?? item;
  return item.position;
};

export const readQuery = (query: string, fields: ReadonlyMap<string, QueryField>): FilterGroup | null => {
  const group = parse(query, fields);
  const { filter, issues } = readFilter(group, fields, at);
  if (issues.length === 0) return filter;
  throw invalid(issues.map((issue): Issue => ({ ...issue, path: at, message: `At character ${positionOf(group, issue.path) + 1}: ${issue.message}` })));
};
