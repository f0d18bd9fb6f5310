// + - * / in SQL that never fails. PostgreSQL raises when a double gets too large or too small. A whole calculation is
// therefore guarded at its leaves: if all are of a size from which nothing can go out of range, plain operators do it;
// else functions that catch. 0.4 µs against 3.
import { type Sql, sql } from '../../db/sql.ts';
import type { Bind } from './bind.sql.ts';
import type { Arithmetic } from './term.ts';

export type Calculation =
  /** `of`: how the value is calculated, when plain operators may do it again in its place. Empty counts as 0, whatever made it empty. `cell`: the value where it is not empty, else empty. */
  | { op: 'leaf'; value: Sql; of?: Calculation; cell?: Sql }
  | { op: 'number'; value: number }
  | { op: 'negative'; of: Calculation }
  | { op: Arithmetic; left: Calculation; right: Calculation };

/** Powers of ten between which the value lies, unless it is 0. */
interface Range {
  low: number;
  high: number;
}

const safe = 300;

/** The range of the result when every leaf lies within 10^±size; undefined when a step could leave what a double holds. */
const rangeOf = (part: Calculation, size: number): Range | undefined => {
  switch (part.op) {
    case 'leaf':
      return part.of === undefined ? { low: -size, high: size } : rangeOf(part.of, size);
    case 'number': {
      const exponent = part.value === 0 ? 0 : Math.log10(Math.abs(part.value));
      return within({ low: Math.floor(exponent) - 1, high: Math.ceil(exponent) + 1 });
    }
    case 'negative':
      return rangeOf(part.of, size);
  }
  const left = rangeOf(part.left, size);
  const right = rangeOf(part.right, size);
  if (left === undefined || right === undefined) return undefined;
  switch (part.op) {
    // A difference is a multiple of the last digit of both sides, the 17th.
    case '+':
    case '-':
      return within({ low: Math.min(left.low, right.low) - 18, high: Math.max(left.high, right.high) + 1 });
    case '*':
      return within({ low: left.low + right.low - 1, high: left.high + right.high + 1 });
    case '/':
      return within({ low: left.low - right.high - 1, high: left.high - right.low + 1 });
  }
};

const within = (range: Range): Range | undefined => (range.low >= -safe && range.high <= safe ? range : undefined);

const onlyAdds = (part: Calculation): boolean => {
  switch (part.op) {
    case 'number':
      return true;
    case 'leaf':
      return part.of === undefined || onlyAdds(part.of);
    case 'negative':
      return onlyAdds(part.of);
    default:
      return (part.op === '+' || part.op === '-') && onlyAdds(part.left) && onlyAdds(part.right);
  }
};

/** Whether it divides by something that may be 0, and then is empty. */
const canBeEmpty = (part: Calculation): boolean => {
  switch (part.op) {
    case 'number':
    case 'leaf':
      return false;
    case 'negative':
      return canBeEmpty(part.of);
    default:
      return (part.op === '/' && !isDivisor(part.right)) || canBeEmpty(part.left) || canBeEmpty(part.right);
  }
};

const isDivisor = (part: Calculation): boolean => part.op === 'number' && part.value !== 0;

export const numberLiteral = (value: number): Sql => sql`${sql.literal(String(value))}::double precision`;

const plain = (part: Calculation): Sql => {
  switch (part.op) {
    case 'leaf':
      if (part.of === undefined) return part.value;
      return canBeEmpty(part.of) ? sql`coalesce(${plain(part.of)}, 0)` : plain(part.of);
    case 'number':
      return numberLiteral(part.value);
    case 'negative':
      return sql`(- ${plain(part.of)})`;
    case '/':
      return isDivisor(part.right)
        ? sql`(${plain(part.left)} / ${plain(part.right)})`
        : sql`(${plain(part.left)} / nullif(${plain(part.right)}, 0))`;
    default:
      return sql`(${plain(part.left)} ${sql.raw(part.op)} ${plain(part.right)})`;
  }
};

const functions: Record<Arithmetic, Sql> = {
  '+': sql`rowhouse.plus`,
  '-': sql`rowhouse.minus`,
  '*': sql`rowhouse.times`,
  '/': sql`rowhouse.divide`,
};

const catching = (part: Calculation): Sql => {
  switch (part.op) {
    case 'leaf':
      return part.value;
    case 'number':
      return numberLiteral(part.value);
    case 'negative':
      return sql`(- ${catching(part.of)})`;
    default:
      return sql`${functions[part.op]}(${catching(part.left)}, ${catching(part.right)})`;
  }
};

const sizes = [150, 100, 70, 45, 30, 20, 15, 12, 9];

export const leavesOf = (part: Calculation): Sql[] => {
  switch (part.op) {
    case 'leaf':
      return part.of === undefined ? [part.value] : leavesOf(part.of);
    case 'number':
      return [];
    case 'negative':
      return leavesOf(part.of);
    default:
      return [...leavesOf(part.left), ...leavesOf(part.right)];
  }
};

type Leaf = Calculation & { op: 'leaf' };

/** What has got a name is not empty. */
const namedLeaf = ({ value, cell }: Leaf, name: Sql): Leaf =>
  name === value && cell !== undefined ? { op: 'leaf', value, cell } : { op: 'leaf', value: name };

const withLeaves = (part: Calculation, names: Sql[]): Calculation => {
  switch (part.op) {
    case 'leaf':
      return part.of === undefined
        ? namedLeaf(part, names.shift() as Sql)
        : { ...part, of: withLeaves(part.of, names) };
    case 'number':
      return part;
    case 'negative':
      return { op: 'negative', of: withLeaves(part.of, names) };
    default: {
      const left = withLeaves(part.left, names);
      return { op: part.op, left, right: withLeaves(part.right, names) };
    }
  }
};

/** Where every leaf is its cell. */
const withCells = (part: Calculation): Calculation => {
  switch (part.op) {
    case 'leaf':
      return part.of === undefined
        ? { op: 'leaf', value: part.cell ?? part.value }
        : { ...part, of: withCells(part.of) };
    case 'number':
      return part;
    case 'negative':
      return { op: 'negative', of: withCells(part.of) };
    default:
      return { op: part.op, left: withCells(part.left), right: withCells(part.right) };
  }
};

/** A calculation in parts. */
export interface Apart {
  /** The way of most records, in which no cell is empty or 0: half the steps. Null where it is not worth its length. */
  usual: { guard: Sql; plain: Sql } | null;
  /** What has to hold for `plain`; null when nothing has to. */
  guard: Sql | null;
  /** Without functions that catch; null when there is no such way. */
  plain: Sql | null;
  /** The whole of it, for whatever it is given. */
  any: Sql;
}

/** Of more leaves the usual way is not written. */
const mostUsual = 4;

const usualOf = (whole: Calculation, size: number): Apart['usual'] => {
  const cells = withCells(whole);
  const leaves = [...new Set(leavesOf(cells))];
  if (leaves.length > mostUsual || leavesOf(whole).every((leaf) => leaves.includes(leaf))) return null;
  const limit = sql`1e${sql.integer(size)}`;
  const guards = leaves.map((leaf) =>
    onlyAdds(whole) ? sql`abs(${leaf}) < ${limit}` : sql`abs(${leaf}) between 1e-${sql.integer(size)} and ${limit}`,
  );
  return { guard: sql.join(guards, ' and '), plain: plain(cells) };
};

const partsOf = (whole: Calculation, leaves: readonly Sql[], isForMany: boolean): Apart => {
  const size = sizes.find((candidate) => rangeOf(whole, candidate) !== undefined);
  if (size === undefined) return { usual: null, guard: null, plain: null, any: catching(whole) };
  if (leaves.length === 0) return { usual: null, guard: null, plain: plain(whole), any: plain(whole) };
  const sums = onlyAdds(whole);
  const guards = leaves.map((leaf) => {
    const limit = sql`1e${sql.integer(size)}`;
    return sums
      ? sql`abs(${leaf}) < ${limit}`
      : sql`(abs(${leaf}) between 1e-${sql.integer(size)} and ${limit} or ${leaf} = 0)`;
  });
  const guard = sql.join(guards, ' and ');
  const usual = isForMany ? usualOf(whole, size) : null;
  const first = usual === null ? sql.empty : sql`when ${usual.guard} then ${usual.plain} `;
  return {
    usual,
    guard,
    plain: plain(whole),
    any: sql`case ${first}when ${guard} then ${plain(whole)} else ${catching(whole)} end`,
  };
};

/** `isForMany`: a longer expression pays, because it is made ready once for many records. */
export const apartOf = (whole: Calculation, bind: Bind, isForMany: boolean, body: (parts: Apart) => Sql): Sql =>
  bind(leavesOf(whole), (names) => body(partsOf(withLeaves(whole, [...names]), [...new Set(names)], isForMany)));

export const calculated = (whole: Calculation, bind: Bind, isForMany: boolean): Sql =>
  apartOf(whole, bind, isForMany, ({ any }) => any);
