// What the records of a chart are grouped by: the plain value beside the record, so that a million of them cost what they cost PostgreSQL itself. What a person reads is
// looked up afterwards, once for each group.
import type { Grouping } from '@rowhouse/contract/chart.ts';
import type { CellKind } from '@rowhouse/contract/field.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { formattingOf, wallClock } from '../cell/kind/date-format.sql.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import { isLink, linkedBy, recordsOf } from '../cell/linked.sql.ts';
import { cellTypeOf, columnOf, isStored } from '../cell/types.ts';

export interface ChartKey {
  field: FieldSchema;
  grouping: Grouping;
  /** On the record row `r`. */
  value: Sql;
  /** What a cell with several values is taken apart by, and the number of the value in it; null when a cell is one value. */
  parts: { from: Sql; at: Sql } | null;
  /** What a person reads of the cell, on the record row; null when the value is its name, or has it looked up by `nameOf`. */
  label: Sql | null;
  /** The name of the group whose value is in a column; null where the label or the value itself is it. */
  nameOf: ((value: Sql) => Sql) | null;
}

/** Characters of a text that tell groups apart for a reader. */
const longestLabel = 500;

const unitOf = ({ by = 'month' }: Grouping) => by;

const ofDate = (column: Sql, field: FieldSchema, grouping: Grouping): Sql =>
  sql`date_trunc(${sql.literal(unitOf(grouping))}, ${wallClock(column, formattingOf(field.options))})`;

/** Items of a list, each once. */
const partsOf = (column: Sql, alias: string, item: Sql, isText: boolean): ChartKey['parts'] => {
  const elements = sql.raw(isText ? 'jsonb_array_elements_text' : 'jsonb_array_elements');
  return {
    from: sql` left join lateral (select e.v, row_number() over () as at from (select distinct ${item} as v from ${elements}(${column}) i(v)) e) ${sql.id(alias)} on true`,
    at: sql.id(alias, 'at'),
  };
};

/** The key of a link beside the record: its title is read once for each group. */
const ofSharedLink = (field: FieldSchema, grouping: Grouping): ChartKey | undefined => {
  if (!isLink(field) || !isStored(field) || field.seenAs !== undefined) return undefined;
  const linked = linkedBy(field);
  if (linked === undefined || linked.place !== 'own') return undefined;
  const cell = columnOf(field, 'x');
  return {
    field,
    grouping,
    value: sql.id('r', linked.foreignKey),
    parts: null,
    label: null,
    nameOf: (value) =>
      sql`(select ${cell} ->> 'title' from ${recordsOf(linked.own)} x where ${sql.id('x', linked.foreignKey)} = ${value} limit 1)`,
  };
};

/** All but files and buttons. */
const groupedKinds: readonly CellKind[] = ['text', 'number', 'boolean', 'date', 'choice', 'person', 'link'];

/** By a field that the reader sees. Undefined for cells that nothing is grouped by. */
export const chartKey = ({ byId }: Sight, grouping: Grouping, alias: string): ChartKey | undefined => {
  const field = byId.get(grouping.fieldId);
  if (field === undefined) return undefined;
  const cells = cellTypeOf(field);
  if (!groupedKinds.includes(cells.kind)) return undefined;
  const column = columnOf(field, 'r');
  const plain = (value: Sql): ChartKey => ({ field, grouping, value, parts: null, label: null, nameOf: null });
  const several = (item: Sql, typed: Sql, isText: boolean, label: Sql | null = null): ChartKey => ({
    ...plain(typed),
    parts: partsOf(column, alias, item, isText),
    label,
  });
  const [part, text] = [sql.id(alias, 'v'), sql`i.v`];
  switch (cells.kind) {
    case 'person':
    case 'link': {
      if (cells.isLookedUpPerson === true && !cells.isMultiple)
        return { ...plain(column), nameOf: (value) => cells.text(value, field) };
      if (cells.isMultiple)
        return several(
          sql`jsonb_build_object('id', i.v ->> 'id', 'title', i.v ->> 'title')`,
          sql`(${part} ->> 'id')`,
          false,
          sql`(${part} ->> 'title')`,
        );
      return (
        ofSharedLink(field, grouping) ?? {
          ...plain(sql`(${column} ->> 'id')`),
          label: sql`(${column} ->> 'title')`,
        }
      );
    }
    case 'boolean':
      return cells.isMultiple ? several(text, sql`(${part})::boolean`, true) : plain(sql`(${column} is true)`);
    case 'date':
      return cells.isMultiple
        ? several(text, ofDate(sql`(${part})::timestamptz`, field, grouping), true)
        : plain(ofDate(column, field, grouping));
    case 'number':
      return cells.isMultiple ? several(text, sql`(${part})::double precision`, true) : plain(column);
    default:
      return cells.isMultiple ? several(text, part, true) : plain(column);
  }
};

/** The condition that leaves out records with an empty cell; null when they count. */
export const omitsEmpty = ({ field, grouping, value, parts }: ChartKey): Sql | null =>
  grouping.omitEmpty !== true
    ? null
    : cellTypeOf(field).kind === 'boolean'
      ? sql`${columnOf(field, 'r')} is not null`
      : parts === null
        ? sql`${value} is not null`
        : sql`${columnOf(field, 'r')} is not null`;

/** The value as it goes to a reader, from the column that holds it. */
export const shownValue = ({ field }: ChartKey, value: Sql): Sql => {
  switch (cellTypeOf(field).kind) {
    case 'date':
      return sql`to_char(${value}, 'YYYY-MM-DD')`;
    case 'number':
    case 'boolean':
      return value;
    default:
      return sql`left(${value}, ${sql.integer(longestLabel)})`;
  }
};

/** What groups are ordered by, from the columns that hold value and name. */
export const orderOf = ({ field, grouping }: ChartKey, value: Sql, name: Sql, measured: Sql): Sql => {
  const direction = sql.raw(grouping.order === 'desc' ? 'desc nulls last' : 'asc nulls last');
  if (grouping.sort === 'measure') return sql`${measured} ${direction}, ${value} asc nulls last`;
  switch (cellTypeOf(field).kind) {
    case 'choice': {
      const names = choicesOf(field.options).map((choice) => choice.name);
      return sql`array_position(${names}::text[], ${value}) ${direction}, ${value} ${direction}`;
    }
    case 'person':
    case 'link':
      return sql`(${value} is null), ${name} ${direction}, ${value} ${direction}`;
    default:
      return sql`${value} ${direction}`;
  }
};

/** A text that was cut is no value to look for. */
export const isWholeLabel = (value: unknown): boolean => typeof value !== 'string' || value.length < longestLabel;
