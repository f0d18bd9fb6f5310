// Tokens → tree, by precedence climbing. Knows the grammar, not the functions and fields.
import { FormulaError } from './error.ts';
import { type Token, tokensOf } from './tokens.ts';

interface Span {
  start: number;
  end: number;
  /** Of the tree below, itself included. */
  depth: number;
}

export type Sign = '+' | '-' | '*' | '/' | '%' | '&' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '&&' | '||';

export type Tree = Span &
  (
    | { op: 'text'; value: string }
    | { op: 'number'; value: number }
    | { op: 'boolean'; value: boolean }
    | { op: 'field'; key: string }
    | { op: 'call'; name: string; args: Tree[] }
    | { op: 'negative'; of: Tree }
    | { op: 'binary'; sign: Sign; left: Tree; right: Tree }
    /** `a & b & c`, also of && and ||: their order does not matter, so a long one is not a deep one. */
    | { op: 'chain'; sign: '&' | '&&' | '||'; parts: Tree[] }
  );

/** Teable's precedence: `&` binds least, so `"a" & "b" = "ab"` is `"a" & ("b" = "ab")`. */
const precedence: Record<Sign, number> = {
  '&': 1,
  '||': 2,
  '&&': 3,
  '=': 4,
  '!=': 4,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
};
const ofUnary = 8;

/** Deeper trees could exceed the stack of PostgreSQL, where the expression becomes as deep. */
const deepest = 100;

const described = (token: Token): string =>
  token.kind === 'end'
    ? 'the end of the formula'
    : token.kind === 'text'
      ? 'a text'
      : token.kind === 'field'
        ? `{${token.value}}`
        : `"${token.value}"`;

interface Reader {
  tokens: Token[];
  at: number;
}

const peek = ({ tokens, at }: Reader): Token => tokens[at] as Token;

const take = (reader: Reader): Token => {
  const token = peek(reader);
  if (token.kind !== 'end') reader.at += 1;
  return token;
};

const refuse = (token: Token, expected: string): never => {
  throw new FormulaError(`Expected ${expected}, found ${described(token)}`, {
    start: token.start,
    end: token.end,
    expected,
  });
};

const readNumber = ({ value: text, start, end }: Token): Tree => {
  const value = Number(text);
  if (!Number.isFinite(value))
    throw new FormulaError('This number is too large', { start, end, expected: 'a number below 1.8e308' });
  return { op: 'number', value, start, end, depth: 1 };
};

const tooDeep = (token: { start: number; end: number }): never => {
  throw new FormulaError(`A formula has at most ${deepest} levels`, {
    start: token.start,
    end: token.end,
    expected: 'fewer levels; part of it can be a formula of its own, and SUM(…) adds any number of values',
  });
};

/** A branch over its parts. */
const over = (parts: readonly Tree[], start: number, end: number): Span => {
  const depth = 1 + parts.reduce((most, part) => Math.max(most, part.depth), 0);
  return depth > deepest ? tooDeep({ start, end }) : { start, end, depth };
};

const readArguments = (reader: Reader, name: Token, level: number): Tree[] => {
  const args: Tree[] = [];
  if (peek(reader).kind === 'close') return args;
  for (;;) {
    args.push(readExpression(reader, 0, level));
    const next = peek(reader);
    if (next.kind === 'close') return args;
    if (next.kind !== 'comma') refuse(next, `"," or ")" in ${name.value.toUpperCase()}(…)`);
    take(reader);
  }
};

const readName = (reader: Reader, name: Token, level: number): Tree => {
  if (peek(reader).kind === 'open') {
    take(reader);
    const args = readArguments(reader, name, level + 1);
    return { op: 'call', name: name.value, args, ...over(args, name.start, take(reader).end) };
  }
  const word = name.value.toLowerCase();
  if (word === 'true' || word === 'false')
    return { op: 'boolean', value: word === 'true', start: name.start, end: name.end, depth: 1 };
  throw new FormulaError(`"${name.value}" is neither a text nor a field nor a function`, {
    start: name.start,
    end: name.end,
    expected: `"${name.value}", {${name.value}} or ${name.value.toUpperCase()}(…)`,
  });
};

const readOperand = (reader: Reader, level: number): Tree => {
  const token = take(reader);
  switch (token.kind) {
    case 'number':
      return readNumber(token);
    case 'text':
      return { op: 'text', value: token.value, start: token.start, end: token.end, depth: 1 };
    case 'field':
      return { op: 'field', key: token.value, start: token.start, end: token.end, depth: 1 };
    case 'name':
      return readName(reader, token, level);
    case 'open': {
      const inside = readExpression(reader, 0, level + 1);
      const close = take(reader);
      if (close.kind !== 'close') refuse(close, '")"');
      return { ...inside, start: token.start, end: close.end };
    }
    case 'operator':
      if (token.value === '-') {
        const of = readExpression(reader, ofUnary, level + 1);
        return { op: 'negative', of, ...over([of], token.start, of.end) };
      }
  }
  return refuse(token, 'a value');
};

const isChained = (sign: Sign): sign is '&' | '&&' | '||' => sign === '&' || sign === '&&' || sign === '||';

const joined = (sign: Sign, left: Tree, right: Tree): Tree => {
  if (!isChained(sign)) return { op: 'binary', sign, left, right, ...over([left, right], left.start, right.end) };
  const parts = [...(left.op === 'chain' && left.sign === sign ? left.parts : [left]), right];
  return { op: 'chain', sign, parts, ...over(parts, left.start, right.end) };
};

const readExpression = (reader: Reader, least: number, level: number): Tree => {
  if (level > deepest) tooDeep(peek(reader));
  let left = readOperand(reader, level);
  for (;;) {
    const token = peek(reader);
    const sign = token.value as Sign;
    if (token.kind !== 'operator' || precedence[sign] < least) return left;
    take(reader);
    left = joined(sign, left, readExpression(reader, precedence[sign] + 1, level + 1));
  }
};

export const parse = (text: string): Tree => {
  const reader: Reader = { tokens: tokensOf(text), at: 0 };
  if (peek(reader).kind === 'end')
    throw new FormulaError('The formula is empty', {
      start: 0,
      end: text.length,
      expected: 'a value, a field or a function',
    });
  const tree = readExpression(reader, 0, 1);
  const rest = peek(reader);
  if (rest.kind !== 'end')
    refuse(rest, rest.kind === 'close' ? 'an operator or the end: this ")" closes nothing' : 'an operator or the end');
  return tree;
};
