// Groups of records: their keys, their counts, and the conditions that leave some of them out.
import type { Sight } from '../../../catalog/sight.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { whereSql } from '../../query/filter.sql.ts';
import type { Level } from '../../query/group-key.sql.ts';
import { seenRows } from './read.sql.ts';

export interface GroupRow {
  /** The values of the headers, outermost first. */
  values: unknown[];
  /** The sort keys per level, as text. */
  keys: (string | null)[][];
  count: number;
  /** Records in all groups, also those beyond the limit. */
  total: number;
}

export const maxGroups = 5_000;

interface NamedLevel {
  keys: Sql[];
  sample: Sql;
}

const named = (levels: readonly Level[]): NamedLevel[] =>
  levels.map((level, depth) => ({ keys: level.keys.map((_key, at) => sql.id(`k${depth}_${at}`)), sample: sql.id(`s${depth}`) }));

/** One row per group: the values of its headers, its keys, and what `aggregate` says of its records. */
export const groupsSql = (sight: Sight, levels: readonly Level[], where: Sql | null, aggregate: Sql): { select: Sql; from: Sql; order: Sql } => {
  const names = named(levels);
  const ofLevel = (depth: number): NamedLevel => names[depth] as NamedLevel;
  const columns = levels.flatMap((level, depth) => [
    ...level.keys.map(({ expression }, at) => sql`${expression} as ${ofLevel(depth).keys[at]}`),
    ...(level.sample === null ? [] : [sql`${level.sample} as ${ofLevel(depth).sample}`]),
  ]);
  const values = levels.map((level, depth) => sql`(${level.value(ofLevel(depth).keys, ofLevel(depth).sample)})::json`);
  const keyLists = names.map(({ keys }) => sql`json_build_array(${sql.join(keys.map((key) => sql`${key}::text`))})`);
  const order = levels.flatMap(({ order: direction }, depth) => ofLevel(depth).keys.map((key) => sql`${key} ${sql.raw(direction === 'asc' ? 'asc nulls first' : 'desc nulls last')}`));
  return {
    select: sql`json_build_array(${sql.join(values)}) as values, json_build_array(${sql.join(keyLists)}) as keys`,
    from: sql`(select ${sql.join(columns)}, ${aggregate} from ${seenRows(sight)} r ${whereSql(where)} group by ${sql.join(names.flatMap(({ keys }) => keys))}) groups`,
    order: sql.join(order),
  };
};

export const selectGroups = (db: Queryable, sight: Sight, levels: readonly Level[], where: Sql | null): Promise<GroupRow[]> => {
  const { select, from, order } = groupsSql(sight, levels, where, sql`count(*) as count`);
  return many<GroupRow>(db, sql`select ${select}, count, sum(count) over ()::bigint as total from ${from} order by ${order} limit ${maxGroups}`);
};

export const amongSql = (recordIds: readonly string[]): Sql => sql`r.__id = any(${recordIds}::text[])`;

/** Holds for every record that is in none of the groups. A path may end above the innermost level. */
export const outsideOf = (paths: readonly (string | null)[][][], levels: readonly Level[]): Sql | null => {
  if (paths.length === 0) return null;
  const inside = paths.map((path) =>
    sql.join(
      path.flatMap((values, depth) =>
        values.map((value, at) => {
          const { expression, type } = (levels[depth] as Level).keys[at] as Level['keys'][number];
          return value === null ? sql`${expression} is null` : sql`${expression} is not distinct from ${value}::${sql.raw(type)}`;
        }),
      ),
      ' and ',
    ),
  );
  return sql`not (${sql.join(inside, ' or ')})`;
};
