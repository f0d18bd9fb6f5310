// Names for SQL that is used more than once. Without them an expression would double at every level; PostgreSQL would
// evaluate it as often, too. `offset 0` keeps its planner from putting the expression in everywhere again.
import { Sql, sql } from '../../db/sql.ts';

const longest = 120;

/** Text that is written again rather than named: a column, a constant, a little around them. */
export const isShort = (fragment: Sql): boolean => {
  let left = longest;
  const walk = (part: Sql): boolean =>
    part.strings.every((text) => {
      left -= text.length;
      return left > 0 && !/rowhouse\.|select/.test(text);
    }) && part.values.every((value) => !(value instanceof Sql) || walk(value));
  return walk(fragment);
};

export type Bind = (values: readonly Sql[], body: (names: readonly Sql[]) => Sql) => Sql;

/** The names are unique within one expression: what is inside may use those of what is around it. */
export const binder = (): Bind => {
  let count = 0;
  return (values, body) => {
    if (values.every(isShort)) return body(values);
    count += 1;
    const alias = `__v${count}`;
    const names = values.map((value, at) => (isShort(value) ? value : sql.id(alias, `v${at}`)));
    const named = values.flatMap((value, at) => (isShort(value) ? [] : [sql`${value} as ${sql.id(`v${at}`)}`]));
    return sql`(select ${body(names)} from (select ${sql.join(named)} offset 0) ${sql.id(alias)})`;
  };
};

/** `a op b op c` of an operator whose order does not matter, in halves: a long one is not a deep one for PostgreSQL. */
export const chained = (
  parts: readonly Sql[],
  operator: Sql,
  around: (part: Sql) => Sql = (part) => sql`(${part})`,
): Sql => {
  if (parts.length <= 8)
    return around(
      sql.join(
        parts.map((part, at) => (at === 0 ? part : sql`${operator} ${part}`)),
        ' ',
      ),
    );
  const middle = Math.ceil(parts.length / 2);
  return around(
    sql`${chained(parts.slice(0, middle), operator, around)} ${operator} ${chained(parts.slice(middle), operator, around)}`,
  );
};
