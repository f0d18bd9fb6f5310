// Where the cells of a field are.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { expressionOf, isFormula } from './formula.sql.ts';
import { lookedUpExpression } from './looked-up.sql.ts';
import { cellTypeOf, isStored, systemColumnOf } from './registry.ts';
import type { ColumnType } from './type.ts';

export { cellTypeOf, fieldTypeOf, isStored, systemColumnOf } from './registry.ts';

/** What a field adds to the table of its records; null when it shows a column that is there anyway. */
export const ownColumnOf = (
  field: Pick<FieldSchema, 'type' | 'options' | 'computed' | 'isLookup'>,
): ColumnType | null => (systemColumnOf(field) === undefined ? cellTypeOf(field).column : null);

/** The SQL that holds the cells of a field. `alias`: how the record row is called; an index has no name for it. */
export const columnOf = (field: FieldSchema, alias?: string): Sql => {
  if (!isStored(field))
    return isFormula(field) ? expressionOf(field, alias, columnOf) : lookedUpExpression(field, alias, columnOf);
  const name = systemColumnOf(field) ?? field.dbFieldName;
  return alias === undefined ? sql.id(name) : sql.id(alias, name);
};

/** The column itself, also while it is not read from: for what writes it. */
export const columnName = (field: FieldSchema): Sql => sql.id(field.dbFieldName);
