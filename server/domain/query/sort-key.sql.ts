// What records are sorted by, as SQL: one or more keys per field, each with the direction and the type its values
// have on their way through a cursor. Empty cells are first ascending and last descending, as in Teable.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { choicesOf } from '../field/type/select.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';

export interface SortKey {
  /** Tells it from other keys: cursors are bound to the keys they were made with. */
  name: string;
  expression: Sql;
  order: 'asc' | 'desc';
  type: 'text' | 'double precision' | 'boolean' | 'timestamptz' | 'timestamp' | 'bigint' | 'integer' | 'integer[]';
  canBeNull: boolean;
  /** It can stand in an index: no subquery, nothing that depends on other tables or settings. */
  indexable: boolean;
}

export type KeyParts = Pick<SortKey, 'expression' | 'type' | 'indexable'>;

/** An array literal: an index can only be made on, and used for, the very same text. */
const choiceNames = (field: FieldSchema): Sql => {
  const names = choicesOf(field.options).map(({ name }) => `"${name.replace(/["\\]/g, '\\$&')}"`);
  return sql`${sql.literal(`{${names.join(',')}}`)}::text[]`;
};

export const beginning = (text: Sql): Sql => sql`left(${text}, 200)`;

export const choicePosition = (field: FieldSchema, column: Sql): KeyParts => ({
  expression: sql`array_position(${choiceNames(field)}, ${column})`,
  type: 'integer',
  indexable: true,
});

export const choicePositions = (field: FieldSchema, column: Sql): KeyParts => ({
  expression: sql`(select array_agg(array_position(${choiceNames(field)}, choice.name) order by choice.at) from jsonb_array_elements_text(${column}) with ordinality as choice(name, at))`,
  type: 'integer[]',
  indexable: false,
});

/** `alias`: how the record row is called; an index has no name for it. */
export const keyParts = (field: FieldSchema, alias: string | undefined): KeyParts => {
  const type = fieldTypeOf(field.type);
  const column = columnOf(field, alias);
  if (field.type === 'singleSelect') return choicePosition(field, column);
  if (field.type === 'multipleSelect') return choicePositions(field, column);
  if (field.type === 'autoNumber') return { expression: column, type: 'bigint', indexable: true };
  if (type.dbFieldType === 'JSON') return { expression: beginning(type.text(column, field)), type: 'text', indexable: field.type === 'user' && !type.isMultiple(field.options) };
  switch (type.cellValueType) {
    case 'number':
      return { expression: column, type: 'double precision', indexable: true };
    case 'boolean':
      return { expression: column, type: 'boolean', indexable: true };
    case 'dateTime':
      return { expression: column, type: 'timestamptz', indexable: true };
    default:
      return { expression: beginning(column), type: 'text', indexable: true };
  }
};

export const sortKey = (field: FieldSchema, order: 'asc' | 'desc', alias: string | undefined): SortKey => ({
  name: `${field.id}.${fieldTypeOf(field.type).type}`,
  ...keyParts(field, alias),
  order,
  canBeNull: !(field.notNull || field.type === 'autoNumber' || field.type === 'createdTime'),
});

/** What ties end with: every record has another autoNumber. */
export const numberKey = (alias: string | undefined): SortKey => ({ name: 'autoNumber', expression: alias === undefined ? sql.id('__auto_number') : sql.id(alias, '__auto_number'), order: 'asc', type: 'bigint', canBeNull: false, indexable: true });

/** The manual order of a view, `expression` being the position in it. */
export const positionKey = (viewId: string, expression: Sql): SortKey => ({
  name: `position.${viewId}`,
  expression,
  order: 'asc',
  type: 'double precision',
  canBeNull: false,
  indexable: true,
});

const direction = ({ order, canBeNull }: SortKey): Sql => sql.raw(`${order}${canBeNull ? (order === 'asc' ? ' nulls first' : ' nulls last') : ''}`);

export const orderSql = (keys: readonly SortKey[]): Sql => sql.join(keys.map((key) => sql`${key.expression} ${direction(key)}`));

/** The same as columns of an index. */
export const indexColumns = (keys: readonly SortKey[]): Sql => sql.join(keys.map((key) => sql`(${key.expression}) ${direction(key)}`));

/** The value of a key as text for a cursor. Times as ISO text, whatever the settings of the database are. */
export const keyText = ({ expression, type }: SortKey): Sql => (type.startsWith('timestamp') ? sql`to_json(${expression}) #>> '{}'` : sql`(${expression})::text`);
