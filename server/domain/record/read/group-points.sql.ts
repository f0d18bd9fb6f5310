// Groups of records: their keys, their counts, and the conditions that leave some of them out.
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { many, type Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { isLink, type Linked, linkedBy, recordsOf } from '../../cell/linked.sql.ts';
import { cellTypeOf, columnOf, isStored, systemColumnOf } from '../../cell/types.ts';
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
  levels.map((level, depth) => ({
    keys: level.keys.map((_key, at) => sql.id(`k${depth}_${at}`)),
    sample: sql.id(`s${depth}`),
  }));

/** The records that the caller sees, as `r`. */
const rowsSql = (sight: Sight, where: Sql | null): Sql => sql`${seenRows(sight)} r ${whereSql(where)}`;

/** One row per group of the rows `r`: the values of its headers, its keys, and what `aggregate` says of its records. */
export const groupsSql = (
  sight: Sight,
  levels: readonly Level[],
  where: Sql | null,
  aggregate: Sql,
  rows = rowsSql(sight, where),
): { select: Sql; from: Sql; order: Sql } => {
  const names = named(levels);
  const ofLevel = (depth: number): NamedLevel => names[depth] as NamedLevel;
  const columns = levels.flatMap((level, depth) => [
    ...level.keys.map(({ expression }, at) => sql`${expression} as ${ofLevel(depth).keys[at]}`),
    ...(level.sample === null ? [] : [sql`${level.sample(sight)} as ${ofLevel(depth).sample}`]),
  ]);
  const values = levels.map((level, depth) => sql`(${level.value(ofLevel(depth).keys, ofLevel(depth).sample)})::json`);
  const keyLists = names.map(({ keys }) => sql`json_build_array(${sql.join(keys.map((key) => sql`${key}::text`))})`);
  const order = levels.flatMap(({ order: direction }, depth) =>
    ofLevel(depth).keys.map(
      (key) => sql`${key} ${sql.raw(direction === 'asc' ? 'asc nulls first' : 'desc nulls last')}`,
    ),
  );
  return {
    select: sql`json_build_array(${sql.join(values)}) as values, json_build_array(${sql.join(keyLists)}) as keys`,
    from: sql`(select ${sql.join(columns)}, ${aggregate} from ${rows} group by ${sql.join(names.flatMap(({ keys }) => keys))}) groups`,
    order: sql.join(order),
  };
};

/** What tells cells apart that very many records share, and that is read more cheaply than its title: the key of a link beside the record, a choice, a user. */
const sharedColumn = (field: FieldSchema): { name: string; linked?: Linked } | undefined => {
  if (!isStored(field) || field.seenAs !== undefined) return undefined;
  const linked = isLink(field) ? linkedBy(field) : undefined;
  if (linked !== undefined) return linked.place === 'own' ? { name: linked.foreignKey, linked } : undefined;
  const { kind, column } = cellTypeOf(field);
  return column === 'boolean' || (column === 'text' && (kind === 'choice' || kind === 'person'))
    ? { name: systemColumnOf(field) ?? field.dbFieldName }
    : undefined;
};

/**
 * Records with the same cells as one row `r`, with their number: titles are then looked at once for each of these cells and not for each record. 170,000 tasks by their project take
 * less than half of the time; the index of the link is all that is read of them. Null where that is not so.
 */
const countedRows = (sight: Sight, levels: readonly Level[], where: Sql | null): Sql | null => {
  const shared = levels.map(({ field }) => sharedColumn(field));
  if (!shared.every((one) => one !== undefined)) return null;
  const keys = sql.join([...new Set(shared.map(({ name }) => name))].map((name) => sql.id('r', name)));
  const cells = new Map(
    shared.map(({ name, linked }, depth): [string, Sql] => {
      if (linked === undefined) return [name, sql.id('r', name)];
      const cell = columnOf((levels[depth] as Level).field, 'x');
      const column = sql.id(linked.field.dbFieldName);
      return [
        linked.field.dbFieldName,
        sql`(select ${cell} from ${recordsOf(linked.own)} x where ${sql.id('x', name)} = ${sql.id('r', name)} limit 1) as ${column}`,
      ];
    }),
  );
  return sql`(select ${sql.join([...cells.values()])}, r.__count from (select ${keys}, count(*) as __count from ${rowsSql(sight, where)} group by ${keys}) r offset 0) r`;
};

export const selectGroups = (
  db: Queryable,
  sight: Sight,
  levels: readonly Level[],
  where: Sql | null,
): Promise<GroupRow[]> => {
  const counted = countedRows(sight, levels, where);
  const { select, from, order } =
    counted === null
      ? groupsSql(sight, levels, where, sql`count(*) as count`)
      : groupsSql(sight, levels, where, sql`sum(r.__count)::bigint as count`, counted);
  return many<GroupRow>(
    db,
    sql`select ${select}, count, total from (select groups.*, sum(count) over ()::bigint as total from ${from} order by ${order} limit ${maxGroups}) groups order by ${order}`,
    { base: sight.table.baseId },
  );
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
          return value === null
            ? sql`${expression} is null`
            : sql`${expression} is not distinct from ${value}::${sql.raw(type)}`;
        }),
      ),
      ' and ',
    ),
  );
  return sql`not (${sql.join(inside, ' or ')})`;
};
