// The query language beside Teable's own reader of it.
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type QueryField, readQuery } from './tql.ts';

const { parseTQL } = createRequire(createRequire(import.meta.url).resolve('@teable/openapi'))('@teable/core') as {
  parseTQL: (query: string) => unknown;
};

const field = (
  id: string,
  type: string,
  cellValueType: QueryField['cellValueType'],
  isMultiple = false,
): [string, QueryField] => [id, { id, type, cellValueType, isMultiple, timeZone: 'Europe/Berlin' }];
const fields = new Map([
  field('Name', 'singleLineText', 'string'),
  field('Count', 'number', 'number'),
  field('Done', 'checkbox', 'boolean'),
  field('Due', 'date', 'dateTime'),
  field('Status', 'singleSelect', 'string'),
  field('Tags', 'multipleSelect', 'string', true),
  field('two words', 'singleLineText', 'string'),
]);
const read = (query: string): unknown => readQuery(query, fields);
const problem = (query: string): string => {
  try {
    return JSON.stringify(read(query));
  } catch (error) {
    return (error as { data: { issues: { message: string }[] } }).data.issues.map(({ message }) => message).join('; ');
  }
};

const one = (fieldId: string, operator: string, value: unknown): object => ({
  conjunction: 'and',
  filterSet: [{ fieldId, operator, value }],
});

test.each([
  [`{Name} = 'x'`, one('Name', 'is', 'x')],
  [`{Name} <> "it's"`, one('Name', 'isNot', `it's`)],
  [`{Name} = 'it\\'s \\\\'`, one('Name', 'is', `it's \\`)],
  [`{Name} like 'a'`, one('Name', 'contains', 'a')],
  [`{Name} NOT LIKE 'a'`, one('Name', 'doesNotContain', 'a')],
  [`{two words} is null`, one('two words', 'isEmpty', null)],
  [`{Name}  is   not\nnull`, one('Name', 'isNotEmpty', null)],
  ['{Count} >= -1.5e1', one('Count', 'isGreaterEqual', -15)],
  ['{Count}<3', one('Count', 'isLess', 3)],
  ['{Count} = null', one('Count', 'isEmpty', null)],
  ['{Count} != NULL', one('Count', 'isNotEmpty', null)],
  ['{Done} = true', one('Done', 'is', true)],
  ['{Done} != TRUE', one('Done', 'is', false)],
  [
    `{Due} > '2024-07-01'`,
    one('Due', 'isAfter', { mode: 'exactDate', exactDate: '2024-06-30T22:00:00.000Z', timeZone: 'Europe/Berlin' }),
  ],
  [
    `{Due} <= '2024-07-01T10:00:00Z'`,
    one('Due', 'isOnOrBefore', { mode: 'exactDate', exactDate: '2024-07-01T10:00:00.000Z', timeZone: 'Europe/Berlin' }),
  ],
  [`{Status} in ('a', 'b')`, one('Status', 'isAnyOf', ['a', 'b'])],
  [`{Status} not in ('a')`, one('Status', 'isNoneOf', ['a'])],
  [`{Tags} in ('a')`, one('Tags', 'hasAnyOf', ['a'])],
  [`{Tags} has ('a','b')`, one('Tags', 'hasAllOf', ['a', 'b'])],
  [`{Tags} = ('a')`, one('Tags', 'isExactly', ['a'])],
  [`{Tags} not in ('a')`, one('Tags', 'hasNoneOf', ['a'])],
])('%s', (query, filter) => {
  expect(read(query)).toEqual(filter);
});

describe('a query that is not right is refused with the place and what would be right', () => {
  test.each([
    ['', 'At character 1: the query ends here'],
    ['{Name}', 'At character 7: the query ends here'],
    ['Name = 1', 'At character 1: "Name" is not a word of the language'],
    ['{Nope} = 1', 'At character 1: the table has no field "Nope"'],
    [`{Name} = 'x`, `At character 10: "'x" is not understood`],
    ['{Name} = x', 'At character 10: "x" is not a word of the language'],
    ['{Name} = 1 {Count} = 2', 'At character 12: found "{Count}"'],
    ['({Name} = 1', 'At character 12: the query ends here'],
    ['{Count} in 1', 'At character 12: found "1"'],
    [`{Count} = 1 and {Count} like 'x'`, 'At character 17: A field of type number has no operator "LIKE"'],
    [`{Count} = 1 or ({Name} = 'x' and {Count} > 'many')`, 'At character 34: Expected a number'],
    [`{Due} > 'soon'`, 'At character 1: The mode exactDate needs an ISO date'],
    ['{Count} is 5', 'At character 12: found "5"'],
    ['{Count} not 5', 'At character 13: found "5"'],
    ['1 = {Count}', 'At character 1: found "1"'],
    [`${'('.repeat(60)}{Count} = 1`, 'At character 51: there are more than 50'],
  ])('%s', (query, message) => {
    expect(problem(query)).toContain(message);
  });
});

describe('a query is measured while it is read', () => {
  test.each([
    ['conditions', `${'{A}=1 or '.repeat(1_000)}{A}=1`, 'At character 9001: A filter may have at most 1000 conditions'],
    [
      'conditions in groups',
      `${'({A}=1 and {A}=2) or '.repeat(500)}{A}=1`,
      'A filter may have at most 1000 conditions',
    ],
    [
      'values of all lists',
      Array.from({ length: 11 }, () => `{A} in (${'1,'.repeat(999)}1)`).join(' or '),
      'the lists have more than 10000 values together',
    ],
    ['values of a list', `{A} in (${'1,'.repeat(1_000)}1)`, 'the list has more than 1000 values'],
  ])('%s', (_what, query, message) => {
    const open = new Map([field('A', 'number', 'number')]);
    expect(() => readQuery(query, open)).toThrow(message);
    // What follows is not looked at: it would be another fault.
    expect(() => readQuery(`${query} ~`, open)).toThrow(message);
  });
});

test('any query is understood as Teable understands it', () => {
  const literal = fc.oneof(
    fc.integer({ min: -1_000, max: 1_000 }).map(String),
    fc.constantFrom(`'a'`, '"b c"', 'true', 'FALSE'),
  );
  const condition = fc.oneof(
    fc
      .tuple(fc.constantFrom('=', '!=', '<>', 'like', 'NOT LIKE'), literal)
      .map(([sign, value]) => `{Any} ${sign} ${value}`),
    fc.constantFrom('{Any} is null', '{Any} IS NOT NULL'),
  );
  const { query } = fc.letrec<{ query: string; part: string }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'small' },
      condition,
      tie('query').map((inner) => `(${inner})`),
    ),
    query: fc
      .tuple(tie('part'), fc.array(fc.tuple(fc.constantFrom('and', 'OR'), tie('part')), { maxLength: 3 }))
      .map(([first, more]) => [first, ...more.map(([word, part]) => `${word} ${part}`)].join(' ')),
  }));
  /** Its meaning: which combinations of true and false of its conditions, in their order, make it true. */
  const truth = (given: unknown): string => {
    let count = 0;
    const shape = (item: unknown): unknown => {
      const group = item as { conjunction?: string; filterSet?: unknown[] };
      return group.filterSet === undefined
        ? (count += 1) - 1
        : { conjunction: group.conjunction, parts: group.filterSet.map(shape) };
    };
    const tree = shape(given);
    const holds = (node: unknown, row: number): boolean => {
      if (typeof node === 'number') return ((row >> node) & 1) === 1;
      const { conjunction, parts } = node as { conjunction: string; parts: unknown[] };
      return conjunction === 'and' ? parts.every((part) => holds(part, row)) : parts.some((part) => holds(part, row));
    };
    return `${count}:${Array.from({ length: 2 ** count }, (_, row) => (holds(tree, row) ? 1 : 0)).join('')}`;
  };
  const leaves = (given: unknown): unknown[] => {
    const group = given as { filterSet?: unknown[] };
    return group.filterSet === undefined ? [given] : group.filterSet.flatMap(leaves);
  };
  /** Groups within each other, when those that are joined by the same word stand in one group. */
  const depth = (given: unknown, around?: string): number => {
    const { conjunction, filterSet } = given as { conjunction?: string; filterSet?: unknown[] };
    if (filterSet === undefined) return 0;
    if (filterSet.length === 1) return depth(filterSet[0], around);
    return Math.max(...filterSet.map((part) => depth(part, conjunction))) + (conjunction === around ? 0 : 1);
  };
  const open = new Map([field('Any', 'singleLineText', 'string')]);
  fc.assert(
    fc.property(query, (text) => {
      const theirs = parseTQL(text);
      fc.pre(leaves(theirs).length <= 10);
      if (depth(theirs) > 8) expect(() => readQuery(text, open)).toThrow('at most 8 groups deep');
      else expect(truth(readQuery(text, open))).toBe(truth(theirs));
    }),
    {
      numRuns: 300,
      examples: [
        [
          '{Any} = 1 or {Any} = 2 and {Any} = 3 or {Any} = 4 and {Any} = 5 or {Any} = 6 and {Any} = 7 or {Any} = 8 and {Any} = 9',
        ],
        [
          '{Any} = 1 or {Any} = 2 and {Any} = 3 or {Any} = 4 and {Any} = 5 or {Any} = 6 and {Any} = 7 or {Any} = 8 and {Any} = 9 or {Any} = 0',
        ],
      ],
    },
  );
});
