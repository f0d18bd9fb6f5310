// Conditions on what is one of several (a choice, a person) or a list of them.
import { type Sql, sql } from '../../../db/sql.ts';

/** What is compared with, in the forms that conditions take it in. Who asks may be in it, so a statement may not know the values yet. */
export interface Values {
  readonly first: string | undefined;
  readonly all: readonly string[];
  readonly json: string;
}

export const valuesOf = (all: readonly string[]): Values => ({ first: all[0], all, json: JSON.stringify(all) });

/** One of several: `column` is a text. */
export const oneOfCondition = (column: Sql, operator: string, { first, all }: Omit<Values, 'json'>): Sql => {
  switch (operator) {
    case 'is':
      return sql`${column} = ${first}::text`;
    case 'isNot':
      return sql`${column} is distinct from ${first}::text`;
    case 'isAnyOf':
      return sql`${column} = any(${all}::text[])`;
    default:
      return sql`(${column} is null or ${column} <> all(${all}::text[]))`;
  }
};

/** A list against a list: `column` is a jsonb array of texts. */
export const severalCondition = (column: Sql, operator: string, { all, json }: Values): Sql => {
  const same = sql`(${column} ?& ${all}::text[] and ${column} <@ ${json}::jsonb)`;
  switch (operator) {
    case 'hasAnyOf':
      return sql`${column} ?| ${all}::text[]`;
    case 'hasAllOf':
      return sql`${column} ?& ${all}::text[]`;
    case 'isExactly':
      return same;
    case 'isNotExactly':
      return sql`(${column} is null or not ${same})`;
    default:
      return sql`(${column} is null or not (${column} ?| ${all}::text[]))`;
  }
};
