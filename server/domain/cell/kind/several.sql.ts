// Conditions on what is one of several (a choice, a person) or a list of them.
import { type Sql, sql } from '../../../db/sql.ts';

/** One of several: `column` is a text. */
export const oneOfCondition = (column: Sql, operator: string, values: readonly string[]): Sql => {
  switch (operator) {
    case 'is':
      return sql`${column} = ${values[0]}::text`;
    case 'isNot':
      return sql`${column} is distinct from ${values[0]}::text`;
    case 'isAnyOf':
      return sql`${column} = any(${values}::text[])`;
    default:
      return sql`(${column} is null or ${column} <> all(${values}::text[]))`;
  }
};

/** A list against a list: `column` is a jsonb array of texts. */
export const severalCondition = (column: Sql, operator: string, values: readonly string[]): Sql => {
  const same = sql`(${column} ?& ${values}::text[] and ${column} <@ ${JSON.stringify(values)}::jsonb)`;
  switch (operator) {
    case 'hasAnyOf':
      return sql`${column} ?| ${values}::text[]`;
    case 'hasAllOf':
      return sql`${column} ?& ${values}::text[]`;
    case 'isExactly':
      return same;
    case 'isNotExactly':
      return sql`(${column} is null or not ${same})`;
    default:
      return sql`(${column} is null or not (${column} ?| ${values}::text[]))`;
  }
};
