// = != < <= > >= in SQL. Both sides are of one type by now; a text that was converted and could not be is not equal to
// anything, not even to an empty cell. Nothing is less or greater than an empty cell.
import { type Sql, sql } from '../../db/sql.ts';
import type { Bind } from './bind.sql.ts';
import { canFail, converted, isEmpty } from './convert.sql.ts';
import type { Comparison, Term } from './term.ts';

interface Side {
  term: Term;
  value: Sql;
}

const isNothing = ({ term }: Side): boolean => term.op === 'constant' && term.value === null;

/** Equal when one side is converted and can get lost: asked by what it was before. */
const equalConverted = (from: Term, source: Sql, to: Term, other: Sql, zone: Sql, bind: Bind): Sql =>
  bind(
    [source, other],
    ([t, o]) =>
      sql`case when ${isEmpty(t as Sql, from.type)} then ${o} is null else coalesce(${converted(t as Sql, from.type, to.type, zone, bind)} = ${o}, false) end`,
  );

const equal = (left: Side, right: Side, valueOf: (term: Term) => Sql, zone: Sql, bind: Bind): Sql => {
  const { kind, list } = left.term.type;
  if (isNothing(right)) return sql`(${isEmpty(left.value, left.term.type)})`;
  if (isNothing(left)) return sql`(${isEmpty(right.value, right.term.type)})`;
  if (kind === 'text' && !list) return sql`(coalesce(${left.value}, '') = coalesce(${right.value}, ''))`;
  // A checkbox that is not ticked is empty.
  if (kind === 'boolean' && !list) return sql`(coalesce(${left.value}, false) = coalesce(${right.value}, false))`;
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (side.term.op === 'convert' && canFail(side.term.of.type, side.term.type))
      return equalConverted(side.term.of, valueOf(side.term.of), side.term, other.value, zone, bind);
  }
  return sql`(${left.value} is not distinct from ${right.value})`;
};

export const compared = (
  sign: Comparison,
  left: Side,
  right: Side,
  valueOf: (term: Term) => Sql,
  zone: Sql,
  bind: Bind,
): Sql => {
  if (sign === '=') return equal(left, right, valueOf, zone, bind);
  if (sign === '!=') return sql`(not ${equal(left, right, valueOf, zone, bind)})`;
  if (isNothing(left) || isNothing(right)) return sql`false`;
  const { kind, list } = left.term.type;
  const order = kind === 'text' && !list ? sql` collate "C"` : sql.empty;
  return sql`coalesce(${left.value} ${sql.raw(sign)} ${right.value}${order}, false)`;
};
