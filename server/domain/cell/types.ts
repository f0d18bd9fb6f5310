// Where the cells of a field are stored.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { expressionOf, isFormula } from './formula.sql.ts';
import { lookedUpExpression } from './looked-up.sql.ts';
import { cellTypeOf, isStored, systemColumnOf } from './registry.ts';
import type { ColumnType } from './type.ts';

export { cellTypeOf, fieldTypeOf, isStored, systemColumnOf } from './registry.ts';

/** Type of the column that a field adds to its table. Null if it shows a system column. */
export const ownColumnOf = (
  field: Pick<FieldSchema, 'type' | 'options' | 'computed' | 'isLookup'>,
): ColumnType | null => (systemColumnOf(field) === undefined ? cellTypeOf(field).column : null);

/**
 * The column has no empty cell. A link that is required can have some: no request may empty it or create a record without it, but the
 * records that it leads to can be deleted, as in Teable.
 */
export const hasNoEmptyCells = ({ notNull, type }: Pick<FieldSchema, 'notNull' | 'type'>): boolean =>
  notNull && type !== 'link';

/** The SQL expression for the cells of a field. `alias` names the row; leave it out in an index. */
export const columnOf = (field: FieldSchema, alias?: string): Sql => {
  // Where the row has no such column the statement fails, and shows nothing.
  if (field.seenAs !== undefined && alias !== undefined) return sql.id(alias, field.seenAs);
  if (!isStored(field))
    return isFormula(field) ? expressionOf(field, alias, columnOf) : lookedUpExpression(field, alias, columnOf);
  const name = systemColumnOf(field) ?? field.dbFieldName;
  return alias === undefined ? sql.id(name) : sql.id(alias, name);
};

/** The column itself, even while reads do not use it. For code that writes it. */
export const columnName = (field: FieldSchema): Sql => sql.id(field.dbFieldName);
