// A query of a base as SQL: each level is a subselect whose columns are named by their keys. What a column holds is known by a
// field, whose cell type says how it is compared, counted and shown.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import type { Asker } from '../../catalog/asker.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { compileFilter } from '../cell/filter.sql.ts';
import type { Reader } from '../cell/type.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { whereSql } from '../query/filter.sql.ts';
import { concatenated } from '../record/read/json.sql.ts';
import { seenRows } from '../record/read/read.sql.ts';

export interface Column {
  /** What it is called in the rows. */
  key: string;
  name: string;
  type: 'field' | 'aggregation';
  /** Says how its cells are shown. */
  field: FieldSchema;
  /** False for what was computed: then no field of a table is its source. */
  isOfTable: boolean;
}

export interface Relation {
  from: Sql;
  columns: readonly Column[];
}

const at = ({ key }: Column): Sql => sql.id('q', key);

export const ofTable = (sight: Sight): Relation => {
  const columns = sight.fields.map(
    (field): Column => ({ key: field.id, name: field.name, type: 'field', field, isOfTable: true }),
  );
  const cells = columns.map(({ key, field }) => sql`${columnOf(field, 'r')} as ${sql.id(key)}`);
  return { columns, from: sql`(select ${sql.join(cells)} from ${seenRows(sight)} r)` };
};

type JoinType = 'INNER JOIN' | 'LEFT JOIN' | 'RIGHT JOIN' | 'FULL JOIN';

/** Cells are equal when their texts are: the fields may be of different types. */
export const joined = (left: Relation, right: Relation, type: JoinType, on: readonly [Column, Column]): Relation => ({
  columns: [...left.columns, ...right.columns],
  from: sql`(select ${sql.join([...left.columns.map(({ key }) => sql.id('l', key)), ...right.columns.map(({ key }) => sql.id('o', key))])}
             from ${left.from} l ${sql.raw(type)} ${right.from} o on ${sql.id('l', on[0].key)}::text = ${sql.id('o', on[1].key)}::text)`,
});

/** The conditions of `filter` name columns by their keys. */
export const filtered = ({ from, columns }: Relation, filter: FilterGroup | null, asker: Asker): Relation => {
  const byKey = new Map(columns.map((column) => [column.key, { field: column.field, cell: () => at(column) }]));
  return {
    columns,
    from: sql`(select * from ${from} q ${whereSql(compileFilter(filter, { of: (key) => byKey.get(key) }, asker))})`,
  };
};

const plainField = (field: FieldSchema, id: string, name: string, type: 'number' | 'singleLineText'): FieldSchema => ({
  ...field,
  id,
  name,
  type,
  options: type === 'number' ? { formatting: { type: 'decimal', precision: 2 } } : {},
  isLookup: false,
  lookupOptions: null,
  computed: null,
});

/** Cells that are one plain value are groups as they are; of others, and of dates, what a person sees. */
const isPlain = ({ field }: Column): boolean => {
  const { kind, isMultiple } = cellTypeOf(field);
  return !isMultiple && (kind === 'text' || kind === 'number' || kind === 'boolean' || kind === 'choice');
};

interface Aggregate {
  column: Column;
  statistic: Statistic;
}

export const grouped = ({ from }: Relation, groups: readonly Column[], aggregates: readonly Aggregate[]): Relation => {
  const byGroup = groups.map((column) => ({
    column: isPlain(column)
      ? column
      : { ...column, field: plainField(column.field, column.field.id, column.name, 'singleLineText') },
    cell: isPlain(column) ? at(column) : cellTypeOf(column.field).text(at(column), column.field),
  }));
  const measured = aggregates.map(({ column, statistic }) => {
    const key = `${column.key}_${statistic}`;
    const isText = statistic === 'earliestDate' || statistic === 'latestDate';
    const result = cellTypeOf(column.field).statistic(statistic, at(column), column.field);
    const field = plainField(column.field, key, `${column.name}.${statistic}`, isText ? 'singleLineText' : 'number');
    return {
      column: { key, name: field.name, type: 'aggregation' as const, field, isOfTable: false },
      cell: isText ? sql`(${result})::text` : sql`(${result})::double precision`,
    };
  });
  const all = [...byGroup, ...measured];
  return {
    columns: all.map(({ column }) => column),
    from: sql`(select ${sql.join(all.map(({ column, cell }) => sql`${cell} as ${sql.id(column.key)}`))} from ${from} q
               ${byGroup.length === 0 ? sql.empty : sql`group by ${sql.join(byGroup.map(({ cell }) => cell))}`})`,
  };
};

interface Ordered {
  column: Column;
  order: 'asc' | 'desc';
  /** By what a person reads, not by the order of choices. */
  asText?: true;
}

/** `chosen`: the columns that are left, by the keys they have from then on. */
export const chosen = (
  { from }: Relation,
  picked: readonly { column: Column; key: string }[],
  order: readonly Ordered[],
  limit: number,
  offset: number,
): Relation => {
  const keys = order.map(
    ({ column, order: way, asText }) =>
      sql`${asText === true && cellTypeOf(column.field).kind !== 'number' ? cellTypeOf(column.field).text(at(column), column.field) : cellTypeOf(column.field).sortKey(at(column), column.field).expression} ${sql.raw(way === 'asc' ? 'asc nulls first' : 'desc nulls last')}`,
  );
  return {
    columns: picked.map(({ column, key }) => ({ ...column, key })),
    from: sql`(select ${picked.length === 0 ? sql.empty : sql.join(picked.map(({ column, key }) => sql`${at(column)} as ${sql.id(key)}`))} from ${from} q
               ${keys.length === 0 ? sql.empty : sql`order by ${sql.join(keys)}`} limit ${sql.integer(limit)} offset ${offset})`,
  };
};

/** How many rows it has, counted up to one more than `most`. */
export const countRows = async (db: Queryable, { from }: Relation, most: number): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from (select from ${from} q limit ${sql.integer(most + 1)}) c`,
    )
  ).count;

/** The rows as JSON text, joined by commas. */
export const selectRows = async (
  db: Queryable,
  { from, columns }: Relation,
  format: 'json' | 'text',
  reader: Reader,
): Promise<string> => {
  const cell = (column: Column): Sql => {
    const cells = cellTypeOf(column.field);
    if (format === 'json') return cells.json(at(column), column.field, reader);
    return cells.kind === 'number' && !cells.isMultiple
      ? sql`to_json(${at(column)})::text`
      : sql`to_json(${cells.text(at(column), column.field)})::text`;
  };
  const parts = columns.map((column) => sql`${sql.literal(`${JSON.stringify(column.key)}:`)} || ${cell(column)}`);
  const rows = await many<{ row: string }>(
    db,
    sql`select '{' || ${parts.length === 0 ? sql`''` : concatenated(parts)} || '}' as row from ${from} q`,
  );
  return rows.map(({ row }) => row).join(',');
};
