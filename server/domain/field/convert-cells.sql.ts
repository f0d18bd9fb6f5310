// Statements that carry the cells of a field over to another type.
import type { CellKind } from '@rowhouse/contract/field.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { byTheNode } from '../../db/cluster-form.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type ColumnType, type ConversionStep, forStorage } from '../cell/type.ts';
import { cellTypeOf, columnOf, fieldTypeOf } from '../cell/types.ts';
import { isLink } from '../cell/linked.sql.ts';
import { addColumn, retypeColumn, tableOf } from './column.sql.ts';

/** The cell as JSON text, in the form that the new type makes the most of. `column` holds the old cell. */
export const carriedJson = (from: FieldSchema, to: FieldSchema, column: Sql): Sql => {
  const cells = cellTypeOf(from);
  // Of linked records their titles.
  if (cells.kind === 'link' && !isLink(to))
    return cells.isMultiple
      ? sql`jsonb_path_query_array(${column}, '$[*].title')::text`
      : sql`(${column} -> 'title')::text`;
  return fieldTypeOf(to).carry(from, cells, column);
};

/** A column for the cells of a field that has none of its own. */
export const addCarriedColumn = async (
  db: Queryable,
  table: TableSchema,
  from: FieldSchema,
  to: FieldSchema,
): Promise<void> => {
  await addColumn(db, table, to.dbFieldName, 'text');
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(to.dbFieldName)} = ${byTheNode(carriedJson(from, to, columnOf(from, 'r')))}`,
  );
};

/** Of a column that holds texts already, for cells that are looked up: a change of the type of a column cannot do that. */
export const carryInPlace = async (
  db: Queryable,
  table: TableSchema,
  from: FieldSchema,
  to: FieldSchema,
): Promise<void> => {
  const column = sql.id('r', to.dbFieldName);
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(to.dbFieldName)} = ${byTheNode(carriedJson(from, to, column))} where ${column} is not null`,
  );
};

export const carryInColumn = (db: Queryable, table: TableSchema, from: FieldSchema, to: FieldSchema): Promise<void> =>
  retypeColumn(db, table, to.dbFieldName, 'text', (column) => carriedJson(from, to, column));

/** From JSON text to what a column of the new type holds. */
export const readCarriedColumn = (db: Queryable, table: TableSchema, name: string, type: ColumnType): Promise<void> =>
  retypeColumn(db, table, name, type, (column) =>
    type === 'text' || type === 'timestamptz'
      ? sql`(${column}::jsonb #>> '{}')::${sql.raw(type)}`
      : sql`${column}::${sql.raw(type)}`,
  );

export const updateCells = async (
  db: Queryable,
  table: TableSchema,
  name: string,
  { update, where }: Extract<ConversionStep, { update: unknown }>,
): Promise<void> => {
  const column = sql.id('r', name);
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(name)} = ${byTheNode(update(column))} where ${where(column)}`,
  );
};

interface CarriedCell {
  id: string;
  value: string;
}

/** Of a batch: a long text has up to 4 MB, and a process that reads 5,000 of them at once ends. */
const mostBytes = sql.integer(32 * 1_048_576);

const historyOf = (table: TableSchema): Sql => sql.id(table.baseId, `__history_${table.id}`);

/** `except`: not of records with an entry of this operation. */
export const selectCarried = (
  db: Queryable,
  table: TableSchema,
  name: string,
  { after, limit, except }: { after: string; limit: number; except?: number | undefined },
): Promise<CarriedCell[]> =>
  many<CarriedCell>(
    db,
    sql`select c.id, c.value
        from (select n.id, n.value, row_number() over (order by n.id) as place, sum(octet_length(n.value)) over (order by n.id rows unbounded preceding) as bytes
              from (select r.__id as id, ${sql.id('r', name)} as value from ${tableOf(table)} r
                    where ${sql.id('r', name)} is not null and r.__id > ${after}
                      ${except === undefined ? sql.empty : sql`and not exists (select 1 from ${historyOf(table)} h where h.op_id = ${except}::bigint and h.record_id = r.__id)`}
                    order by r.__id limit ${limit}) n) c
        where c.place = 1 or c.bytes <= ${mostBytes} order by c.id`,
  );

/** Forms of texts that can be meant in one way only: dates with the day or the month first, numbers with a comma or a point before the fraction. */
const tellingForms: Partial<Record<CellKind, readonly [string, string]>> = {
  date: [
    '^\\s*(1[3-9]|[2-9]\\d)[-/](0?\\d|1[0-2])[-/](\\d{2}|\\d{4})(?!\\d)',
    '^\\s*(0?\\d|1[0-2])[-/](1[3-9]|[2-9]\\d)[-/](\\d{2}|\\d{4})(?!\\d)',
  ],
  number: [
    "^[^0-9A-Za-z.,]{0,4}([0-9]{1,3}([. '][0-9]{3})+,[0-9]+|[0-9]+,([0-9]{1,2}|[0-9]{4,})|0,[0-9]+)[^0-9.,]{0,4}$",
    '^[^0-9A-Za-z.,]{0,4}([0-9]{1,3}(,[0-9]{3})+[.][0-9]+|[0-9]+[.]([0-9]{1,2}|[0-9]{4,})|0[.][0-9]+)[^0-9.,]{0,4}$',
  ],
};

/** One text of each form. */
export const selectTelling = async (
  db: Queryable,
  table: TableSchema,
  name: string,
  kind: CellKind,
): Promise<string[]> => {
  const forms = tellingForms[kind];
  if (forms === undefined) return [];
  const text = sql`(${sql.id('r', name)}::jsonb #>> '{}')`;
  const telling = (form: string): Sql =>
    sql`(select ${text} from ${tableOf(table)} r where ${sql.id('r', name)} like '"%' and ${text} ~ ${form} limit 1)`;
  const { first, second } = await one<{ first: string | null; second: string | null }>(
    db,
    sql`select ${telling(forms[0])} as first, ${telling(forms[1])} as second`,
  );
  return [first, second].filter((value) => value !== null);
};

/** The column holds the JSON of each cell, and beside it the form that the other type makes the most of. */
export const carryBothInColumn = (
  db: Queryable,
  table: TableSchema,
  from: FieldSchema,
  to: FieldSchema,
): Promise<void> =>
  retypeColumn(
    db,
    table,
    to.dbFieldName,
    'text',
    (column) =>
      sql`case when ${column} is not null then json_build_array((${cellTypeOf(from).json(column, from, forStorage)})::json, (${carriedJson(from, to, column)})::json)::text end`,
  );

export const emptyColumn = (db: Queryable, table: TableSchema, name: string): Promise<void> =>
  retypeColumn(db, table, name, 'text', () => sql`null::text`);

/** The JSON of the cells as they were before a conversion. */
export const writeOldCells = async (db: Queryable, table: TableSchema, name: string, opId: number): Promise<void> => {
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(name)} = h.before from ${historyOf(table)} h where h.op_id = ${opId}::bigint and h.record_id = r.__id`,
  );
};

export const updateCarried = async (
  db: Queryable,
  table: TableSchema,
  name: string,
  ids: readonly string[],
  values: readonly (string | null)[],
): Promise<void> => {
  await db.query(
    sql`update ${tableOf(table)} r set ${sql.id(name)} = n.value
        from unnest(${ids}::text[], ${values}::text[]) as n(id, value) where r.__id = n.id`,
  );
};
