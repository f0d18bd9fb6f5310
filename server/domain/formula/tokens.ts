// Text of a formula → tokens. Knows the letters, not the grammar.
import { FormulaError } from './error.ts';

type TokenKind = 'number' | 'text' | 'field' | 'name' | 'operator' | 'open' | 'close' | 'comma' | 'end';

export interface Token {
  kind: TokenKind;
  /** What it stands for: a text without its quotes, the name of a field without its braces, the sign of an operator. */
  value: string;
  start: number;
  end: number;
}

const longestFormula = 10_000;

const escapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

const skipped = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/uy;
const numberForm = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/iuy;
const nameForm = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const operatorForm = /&&|\|\||!=|<=|>=|[-+*/%&=<>]/uy;

/** What people write out of habit, and what it is here. */
const habits: [form: RegExp, message: string][] = [
  [/<>/y, '"<>" is not an operator; write "!="'],
  [/==/y, '"==" is not an operator; write "="'],
  [/!/y, '"!" is not an operator; write NOT(…)'],
  [/\.\d/y, 'A number begins with a digit; write 0.5, not .5'],
  [/`/y, 'A text is written in double or single quotes'],
  [/;/y, 'Values are separated by commas, not semicolons'],
  [/[“”„«»‘’]/y, 'A text is written in straight quotes, " or \''],
  [/\/\*/y, 'This comment has no end; expected */'],
  ...[...Object.entries({ '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-', '≤': '<=', '≥': '>=', '≠': '!=' })].map(
    ([sign, operator]): [RegExp, string] => [
      new RegExp(sign, 'y'),
      `"${sign}" is not an operator; write "${operator}"`,
    ],
  ),
];

const match = (form: RegExp, text: string, at: number): string | undefined => {
  form.lastIndex = at;
  return form.exec(text)?.[0];
};

const readText = (text: string, start: number): Token => {
  const quote = text[start] as string;
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === quote) return { kind: 'text', value, start, end: at + 1 };
    if (letter === '\\' && at + 1 < text.length) {
      at += 1;
      const next = text[at] as string;
      // As in Teable: a backslash before any other letter is a backslash.
      value += escapes[next] ?? `\\${next}`;
    } else value += letter;
  }
  throw new FormulaError(`This text has no end; expected ${quote}`, { start, end: text.length, expected: quote });
};

/** `\}` and `\\` stand for themselves, so that a field of any name can be named. */
const readField = (text: string, start: number): Token => {
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === '}') {
      if (value.trim() === '')
        throw new FormulaError('Expected the name of a field between the braces', {
          start,
          end: at + 1,
          expected: 'the name of a field',
        });
      return { kind: 'field', value, start, end: at + 1 };
    }
    const next = text[at + 1];
    if (letter === '\\' && (next === '}' || next === '\\')) {
      value += next;
      at += 1;
    } else value += letter;
  }
  throw new FormulaError('This field name has no end; expected }', { start, end: text.length, expected: '}' });
};

const punctuation: Record<string, TokenKind> = { '(': 'open', ')': 'close', ',': 'comma' };

const readToken = (text: string, start: number): Token => {
  const letter = text[start] as string;
  if (letter === '"' || letter === "'") return readText(text, start);
  if (letter === '{') return readField(text, start);
  const mark = punctuation[letter];
  if (mark !== undefined) return { kind: mark, value: letter, start, end: start + 1 };
  for (const [form, message] of habits) {
    const found = letter === '!' && text[start + 1] === '=' ? undefined : match(form, text, start);
    if (found !== undefined) throw new FormulaError(message, { start, end: start + found.length });
  }
  for (const [kind, form] of [
    ['number', numberForm],
    ['name', nameForm],
    ['operator', operatorForm],
  ] as const) {
    const value = match(form, text, start);
    if (value !== undefined) return { kind, value, start, end: start + value.length };
  }
  const shown = String.fromCodePoint(text.codePointAt(start) as number);
  throw new FormulaError(`"${shown}" cannot be used here`, {
    start,
    end: start + shown.length,
    expected: 'a value or an operator',
  });
};

export const tokensOf = (text: string): Token[] => {
  if (text.length > longestFormula)
    throw new FormulaError(`A formula has at most ${longestFormula} characters`, {
      start: longestFormula,
      end: text.length,
    });
  const unstorable = /[\0]|\p{Surrogate}/u.exec(text);
  if (unstorable !== null)
    throw new FormulaError('A formula cannot hold this character', {
      start: unstorable.index,
      end: unstorable.index + 1,
    });
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += match(skipped, text, at)?.length ?? 0;
    if (at >= text.length) return [...tokens, { kind: 'end', value: '', start: text.length, end: text.length }];
    const token = readToken(text, at);
    tokens.push(token);
    at = token.end;
  }
};
