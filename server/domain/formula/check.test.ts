import { describe, expect, test } from 'vitest';
import { checkFormula, fields } from '../../../test/support/formula.ts';
import { FormulaError } from './error.ts';
import { nearestOf } from './nearest.ts';
import { parse } from './parse.ts';
import { keysOf, withIds, withNames, withOtherIds } from './references.ts';

const mistakeIn = (formula: string): FormulaError => {
  try {
    checkFormula(formula);
  } catch (error) {
    if (error instanceof FormulaError) return error;
    throw error;
  }
  throw new Error(`nothing is wrong with ${formula}`);
};

describe('a mistake is told with its place and what would be right', () => {
  test.each<[formula: string, place: string, message: RegExp, nearest?: string]>([
    ['', '', /empty/],
    ['   ', '   ', /empty/],
    ['1 +', '', /Expected a value, found the end of the formula/],
    ['(1', '', /Expected "\)", found the end/],
    ['1)', ')', /closes nothing/],
    ['1 2', '2', /Expected an operator or the end, found "2"/],
    ['SUM(1,)', ')', /Expected a value, found "\)"/],
    ['SUM(1 2)', '2', /"," or "\)" in SUM/],
    ['SUM(1; 2)', ';', /commas, not semicolons/],
    ['2 × 3', '×', /"×" is not an operator; write "\*"/],
    ['2 ≤ 3', '≤', /write "<="/],
    ['SUMM(1)', 'SUMM', /no function SUMM/, 'SUM'],
    ['cocnatenate("a")', 'cocnatenate', /no function/, 'CONCATENATE'],
    ['FOO(1)', 'FOO', /no function FOO/],
    ['1 + {nmuber}', '{nmuber}', /no field \{nmuber\} in this table/, '{number}'],
    ['{something else}', '{something else}', /no field/],
    ['{}', '{}', /name of a field/],
    ['{text', '{text', /expected }/],
    ['"abc', '"abc', /expected "/],
    ["1 & 'abc", "'abc", /expected '/],
    ['text', 'text', /neither a text nor a field nor a function/],
    ['1 <> 2', '<>', /write "!="/],
    ['1 == 2', '==', /write "="/],
    ['!1', '!', /NOT/],
    ['.5', '.5', /begins with a digit/],
    ['`a`', '`', /double or single quotes/],
    ['“a”', '“', /straight quotes/],
    ['1 # 2', '#', /"#" cannot be used here/],
    ['/* a', '/*', /no end/],
    ['1e999', '1e999', /too large/],
    ['IF(1, 2)', 'IF(1, 2)', /IF takes 3 values, 2 given/],
    ['LEFT()', 'LEFT()', /LEFT takes 1 to 2 values, 0 given/],
    ['LEFT("a", 1, 2)', 'LEFT("a", 1, 2)', /3 given/],
    ['SUM()', 'SUM()', /at least 1 value, 0 given/],
    ['SWITCH(1, 2)', 'SWITCH(1, 2)', /at least 3 values, 2 given/],
    ['NOW(1)', 'NOW(1)', /NOW takes 0 values, 1 given/],
    ['DATE_ADD({date}, 1, "dyas")', '"dyas"', /not a unit of time/, '"days"'],
    ['WEEKDAY({date}, "friday")', '"friday"', /cannot begin with "friday"/],
    ['REGEXP_REPLACE("a", "(", "b")', '"("', /not a regular expression/],
    ['REGEXP_REPLACE("a", {text}, "b")', '{text}', /text in quotes/],
    ['REGEXP_REPLACE("a", "(a)\\\\1", "b")', '"(a)\\\\1"', /cannot refer back/],
    ['LAST_MODIFIED_TIME({text})', '', /LAST_MODIFIED_TIME/],
    ['1 + \u0000', '\u0000', /cannot hold/],
    [`${'('.repeat(200)}1${')'.repeat(200)}`, '(', /at most 100 levels/],
    [Array.from({ length: 200 }, () => '1').join('+'), '', /at most 100 levels/],
    ['1'.repeat(10_001), '1', /at most 10000 characters/],
  ])('%j', (formula, place, message, nearest) => {
    const mistake = mistakeIn(formula);
    expect(mistake.message).toMatch(message);
    if (place !== '') expect(formula.slice(mistake.start, mistake.end)).toBe(place);
    expect(mistake.message).toContain(`(character ${mistake.start + 1})`);
    expect(mistake.nearest).toBe(nearest);
  });
});

test('operators bind as in Teable, & least of all', () => {
  const shape = (tree: ReturnType<typeof parse>): unknown => {
    switch (tree.op) {
      case 'binary':
        return [shape(tree.left), tree.sign, shape(tree.right)];
      case 'chain':
        return tree.parts.flatMap((part, at) => (at === 0 ? [shape(part)] : [tree.sign, shape(part)]));
      case 'negative':
        return ['-', shape(tree.of)];
      default:
        return 'value' in tree ? tree.value : undefined;
    }
  };
  expect(shape(parse('1 + 2 * 3 - 4'))).toEqual([[1, '+', [2, '*', 3]], '-', 4]);
  expect(shape(parse('1 & 2 = 3 || 4 && 5 < 6 & 7'))).toEqual([
    1,
    '&',
    [[2, '=', 3], '||', [4, '&&', [5, '<', 6]]],
    '&',
    7,
  ]);
  expect(shape(parse('-1 * -(2 + 3)'))).toEqual([['-', 1], '*', ['-', [2, '+', 3]]]);
  expect(shape(parse('8 / 4 / 2 % 3'))).toEqual([[[8, '/', 4], '/', 2], '%', 3]);
});

test('spaces, lines and comments stand anywhere; names of functions are written in any case', () => {
  const checked = checkFormula('/* the sum */ sUm( 1,\n  {number} ) // done\n + 1');
  expect(checked.references).toEqual(['fld_number']);
});

test('texts have escapes, and keep a backslash before anything else', () => {
  expect(parse('"a\\n\\"\\\\\\x\'"')).toMatchObject({ op: 'text', value: 'a\n"\\\\x\'' });
  expect(parse("'it\\'s \"so\"'")).toMatchObject({ op: 'text', value: 'it\'s "so"' });
});

test('numbers are read with their exponent', () => {
  expect(['12', '1.5', '1e3', '1.5e-2', '5E-324'].map((text) => (parse(text) as { value: number }).value)).toEqual([
    12, 1.5, 1000, 0.015, 5e-324,
  ]);
});

test.each<[formula: string, kind: string, list?: boolean]>([
  ['1', 'number'],
  ['"a"', 'text'],
  ['TRUE', 'boolean'],
  ['{date}', 'datetime'],
  ['{texts}', 'text', true],
  ['{number} + 1', 'number'],
  ['{text} + 1', 'text'],
  ['{date} + 1', 'text'],
  ['{number} & 1', 'text'],
  ['{text} - 1', 'number'],
  ['{number} > 1', 'boolean'],
  ['BLANK()', 'blank'],
  ['IF({boolean}, 1, 2)', 'number'],
  ['IF({boolean}, 1, "a")', 'text'],
  ['IF({boolean}, BLANK(), {date})', 'datetime'],
  ['IF({boolean}, {texts}, {texts2})', 'text', true],
  ['IF({boolean}, {texts}, "a")', 'text'],
  ['IF({boolean}, ERROR("x"), 1)', 'number'],
  ['SWITCH({text}, "a", 1, "b", 2)', 'number'],
  ['SWITCH({text}, "a", 1, "b")', 'text'],
  ['MAX({date}, {date2})', 'datetime'],
  ['MAX({number})', 'number'],
  ['ARRAY_UNIQUE({numbers})', 'number', true],
  ['ARRAY_UNIQUE({numbers}, "a")', 'text', true],
  ['TEXT_ALL({numbers})', 'text', true],
  ['TEXTSPLIT("a", ",")', 'text', true],
  ['LEN({text})', 'number'],
  ['NOW()', 'datetime'],
  ['{boolean} && 1', 'boolean'],
])('%s is a %s', (formula, kind, list = false) => {
  expect(checkFormula(formula).term.type).toEqual({ kind, list });
});

test('what depends on the time of reading is known', () => {
  expect(
    ['NOW()', 'YEAR(TODAY())', 'IF({number}, FROMNOW({date}, "day"), 1)', 'TONOW({date}, "day") & ""'].map(
      (formula) => checkFormula(formula).isVolatile,
    ),
  ).toEqual([true, true, true, true]);
  expect(['CREATED_TIME()', '{date}', '"NOW()"'].map((formula) => checkFormula(formula).isVolatile)).toEqual([
    false,
    false,
    false,
  ]);
});

test('fields are named by name or id, with or without spaces; each is listed once', () => {
  expect(checkFormula('{text} & {fld_number} & { text } & {text}').references).toEqual(['fld_text', 'fld_number']);
});

describe('names in the editor, ids in storage', () => {
  const named = [
    { id: 'fldA', name: 'Price' },
    { id: 'fldB', name: 'a } b \\ c' },
    { id: 'fldC', name: 'fldA' },
    { id: 'fldD', name: 'Ünï {x' },
  ];

  test('there and back, nothing but the names changes', () => {
    const shown = 'IF( {Price}>1, "{Price}", /* {Price} */ {a \\} b \\\\ c} ) & {Ünï {x}';
    const stored = 'IF( {fldA}>1, "{Price}", /* {Price} */ {fldB} ) & {fldD}';
    expect(withIds(shown, named)).toBe(stored);
    expect(withNames(stored, named)).toBe(shown);
  });

  test('a name that would be read as the id of another field stays an id', () => {
    expect(withNames('{fldC} + {fldA}', named)).toBe('{fldC} + {Price}');
    expect(withIds('{fldC} + {fldA}', named)).toBe('{fldC} + {fldA}');
  });

  test('a field that is gone keeps its id, and is an error when it is saved', () => {
    expect(withNames('{fldGone} + {fldA}', named)).toBe('{fldGone} + {Price}');
    expect(() => withIds('{Pirce} * 2', named)).toThrow(
      'There is no field {Pirce} in this table (character 1). Did you mean {Price}?',
    );
  });

  test('ids are exchanged for those of a copy', () => {
    expect(withOtherIds('{fldA} & {fldB}', new Map([['fldA', 'fldX']]))).toBe('{fldX} & {fldB}');
    expect(keysOf('{fldA} & { fldB } & {fldA}')).toEqual(['fldA', 'fldB']);
  });

  test('every name that a field of a table can have', () => {
    const strange = ['{', '}', '{}', '\\', '\\}', ' x', 'a"b', "it's", '//', '/* */', ',', 'a\nb'].map((name, at) => ({
      id: `fld${at}`,
      name,
    }));
    const stored = strange.map(({ id }) => `{${id}}`).join(' & ');
    expect(withIds(withNames(stored, strange), strange)).toBe(stored);
  });
});

test('the nearest name is one that could have been meant', () => {
  const names = fields.map(({ name }) => name);
  expect([
    nearestOf('nmuber', names),
    nearestOf('Text', names),
    nearestOf('dtae2', names),
    nearestOf('entirely different', names),
  ]).toEqual(['number', 'text', 'date2', undefined]);
});
