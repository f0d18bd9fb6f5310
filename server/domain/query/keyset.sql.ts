// The records behind a cursor. One range per key, `a = x and b > y`, each of which an index on the keys finds at once:
// a single condition with `or` would walk through everything before it.
import { invalid } from '@rowhouse/contract/error.ts';
import { compile, type Sql, sql } from '../../db/sql.ts';
import type { KeyValues } from './cursor.ts';
import type { SortKey } from './sort-key.sql.ts';

const same = ({ expression, type }: SortKey, value: string | null): Sql =>
  value === null ? sql`${expression} is null` : sql`${expression} = ${value}::${sql.raw(type)}`;

/** The ranges of one key that come later than the value, in no particular order. */
const later = ({ expression, order, type, canBeNull }: SortKey, value: string | null): Sql[] => {
  if (value === null) return order === 'asc' ? [sql`${expression} is not null`] : [];
  if (order === 'asc') return [sql`${expression} > ${value}::${sql.raw(type)}`];
  return [sql`${expression} < ${value}::${sql.raw(type)}`, ...(canBeNull ? [sql`${expression} is null`] : [])];
};

/** Conditions that exclude each other and together hold for exactly what comes after the values. */
export const rangesAfter = (keys: readonly SortKey[], values: KeyValues): Sql[] => {
  const ranges: Sql[] = [];
  for (let depth = keys.length - 1; depth >= 0; depth -= 1) {
    const equal = keys.slice(0, depth).map((key, at) => same(key, values[at] as string | null));
    for (const range of later(keys[depth] as SortKey, values[depth] as string | null))
      ranges.push(sql.join([...equal, range], ' and '));
  }
  return ranges;
};

// The protocol of PostgreSQL counts parameters with 16 bits.
const maxParameters = 60_000;

/** The condition stands in every range: with thousands of operands and dozens of sort keys a statement has no room for it. */
export const demandRoom = (ranges: readonly Sql[], where: Sql | null): void => {
  const count = where === null ? 0 : compile(where).values.length;
  if (ranges.length * (count + ranges.length) > maxParameters)
    throw invalid({
      path: 'query.cursor',
      message: 'Filter and sort are too large together for pages by cursor',
      expected: 'a shorter filter, fewer fields to sort by, or skip',
    });
};
