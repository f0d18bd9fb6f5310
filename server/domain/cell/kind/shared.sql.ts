// What cells of every kind have in common.
import { accents, withoutAccents } from '@rowhouse/contract/fold.ts';
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { GroupParts, KeyParts } from '../type.ts';
import { loosePattern } from './loose-pattern.ts';

/** A pattern for LIKE that finds the text anywhere; its own wildcards mean themselves. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Without case and accents: see contract/fold.ts. */
export const foldedSql = (text: Sql): Sql =>
  sql`translate(lower(regexp_replace(normalize(${text}, NFKD), ${sql.literal(accents)}, '', 'g')), 'ς', 'σ')`;

/** Whether a column holds the text, in any case and with or without accents. A text with as many bytes as characters is ASCII: it has none. */
export const columnHoldsText = (column: Sql, text: string): Sql => {
  const pattern = loosePattern(text);
  const like = (wanted: string): Sql => sql`lower(${column}) like lower(${likePattern(wanted)}::text)`;
  if (pattern === null) return like(text);
  const plain = withoutAccents(text);
  // One letter that stands for several, such as a ligature, is in no pattern: it is found as it is.
  const asItIs = plain === text ? sql.empty : sql` or ${like(text)}`;
  return sql`(${like(plain)} or (octet_length(${column}) > char_length(${column}) and (${column} ~ ${pattern}::text${asItIs})))`;
};

/** The same of a text that is not there as it is: worked out once. */
export const holdsText = (shown: Sql, text: string): Sql =>
  sql`(select ${columnHoldsText(sql.raw('cell.shown'), text)} from (select ${shown} as shown offset 0) cell)`;

/** As much of a text as fits into an entry of an index. */
export const beginning = (text: Sql): Sql => sql`left(${text}, 200)`;

export const jsonOf = (key: Sql): Sql => sql`to_json(${key})::text`;

/** Grouped by what it is sorted by, which is also what the header shows. */
export const groupBySortKey = (key: KeyParts): GroupParts => ({
  keys: [key],
  sample: null,
  value: ([own]) => jsonOf(own as Sql),
});

/** A share of all records in percent; 0 of none. */
const percent = (count: Sql, of: Sql = sql`count(*)`): Sql =>
  sql`coalesce(100.0 * ${count} / nullif(${of}, 0), 0)::double precision`;

interface Distinct {
  /** How many different ones there are … */
  count: Sql;
  /** … of how many. */
  of: Sql;
}

/** `identity`: what tells two cells apart. */
export const distinctCells = (identity: Sql): Distinct => ({
  count: sql`count(distinct ${identity})`,
  of: sql`count(*)`,
});

/** Of lists the different items are counted, not the different lists. */
export const distinctItems = (column: Sql): Distinct => {
  const items = (what: Sql): Sql =>
    sql`(select ${what} from unnest(array_agg(${column})) as cell, jsonb_array_elements_text(cell) as item)`;
  return { count: items(sql`count(distinct item)`), of: items(sql`count(item)`) };
};

export const sharedStatistic = (statistic: Statistic, column: Sql, distinct: Distinct): Sql => {
  switch (statistic) {
    case 'count':
      return sql`count(*)`;
    case 'empty':
    case 'unChecked':
      return sql`count(*) - count(${column})`;
    case 'filled':
    case 'checked':
      return sql`count(${column})`;
    case 'unique':
      return distinct.count;
    case 'percentEmpty':
    case 'percentUnChecked':
      return percent(sql`(count(*) - count(${column}))`);
    case 'percentFilled':
    case 'percentChecked':
      return percent(sql`count(${column})`);
    case 'percentUnique':
      return percent(distinct.count, distinct.of);
    default:
      return sql`null`;
  }
};
