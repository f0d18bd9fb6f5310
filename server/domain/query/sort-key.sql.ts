// What records are sorted by, as SQL: one or more keys per field, each with its direction. Empty cells are first
// ascending and last descending, as in Teable.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { KeyParts } from '../cell/type.ts';
import { cellTypeOf, columnOf, fieldTypeOf, hasNoEmptyCells, isStored } from '../cell/types.ts';

export interface SortKey extends KeyParts {
  /** Tells it from other keys: cursors are bound to the keys they were made with. */
  name: string;
  order: 'asc' | 'desc';
  canBeNull: boolean;
}

/** A formula that is read by its expression has no column that an index could be on. */
export const indexableIf = (field: FieldSchema, key: KeyParts): KeyParts =>
  key.indexable && !isStored(field) ? { ...key, indexable: false } : key;

export const sortKey = (field: FieldSchema, order: 'asc' | 'desc', alias: string | undefined): SortKey => ({
  name: `${field.id}.${field.type}`,
  ...indexableIf(field, cellTypeOf(field).sortKey(columnOf(field, alias), field)),
  order,
  canBeNull: !(hasNoEmptyCells(field) || fieldTypeOf(field).isAlwaysFilled === true),
});

/** What ties end with: every record has another autoNumber. */
export const numberKey = (alias: string | undefined): SortKey => ({
  name: 'autoNumber',
  expression: alias === undefined ? sql.id('__auto_number') : sql.id(alias, '__auto_number'),
  order: 'asc',
  type: 'bigint',
  canBeNull: false,
  indexable: true,
});

/** The manual order of a view, `expression` being the position in it. */
export const positionKey = (viewId: string, expression: Sql): SortKey => ({
  name: `position.${viewId}`,
  expression,
  order: 'asc',
  type: 'double precision',
  canBeNull: false,
  indexable: true,
});

const direction = ({ order, canBeNull }: SortKey): Sql =>
  sql.raw(`${order}${canBeNull ? (order === 'asc' ? ' nulls first' : ' nulls last') : ''}`);

export const orderSql = (keys: readonly SortKey[]): Sql =>
  sql.join(keys.map((key) => sql`${key.expression} ${direction(key)}`));

/** The same as columns of an index. */
export const indexColumns = (keys: readonly SortKey[]): Sql =>
  sql.join(keys.map((key) => sql`(${key.expression}) ${direction(key)}`));

/** The value of a key as text for a cursor. Times as ISO text, whatever the settings of the database are. */
export const keyText = ({ expression, type }: SortKey): Sql =>
  type.startsWith('timestamp') ? sql`to_json(${expression}) #>> '{}'` : sql`(${expression})::text`;
