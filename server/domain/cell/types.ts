// The registry: every field type, by name.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { checkbox } from './type/checkbox.ts';
import { date } from './type/date.ts';
import { number } from './type/number.ts';
import { rating } from './type/rating.ts';
import { multipleSelect, singleSelect } from './type/select.ts';
import { autoNumber, createdBy, createdTime, lastModifiedBy, lastModifiedTime } from './type/system.ts';
import { longText, singleLineText } from './type/text.ts';
import { user } from './type/user.ts';
import type { CellType, ColumnType, FieldType } from './type.ts';

const registry: Record<FieldTypeName, FieldType> = {
  singleLineText, longText, number, rating, checkbox, date, singleSelect, multipleSelect, user,
  autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy,
};

export const fieldTypeOf = (name: string): FieldType => {
  const found = registry[name as FieldTypeName];
  if (found === undefined) throw new Error(`unknown field type ${name}`);
  return found;
};

/** How the cells of a field are shown, filtered, sorted … */
export const cellTypeOf = (field: Pick<FieldSchema, 'type' | 'options'>): CellType => fieldTypeOf(field.type).cells(field);

/** What a field adds to the table of its records; null when it shows a column that is there anyway. */
export const ownColumnOf = (field: Pick<FieldSchema, 'type' | 'options'>): ColumnType | null =>
  fieldTypeOf(field.type).systemColumn === undefined ? cellTypeOf(field).column : null;

/** The SQL that holds the cells of a field. `alias`: how the record row is called; an index has no name for it. */
export const columnOf = (field: FieldSchema, alias?: string): Sql => {
  const name = fieldTypeOf(field.type).systemColumn ?? field.dbFieldName;
  return alias === undefined ? sql.id(name) : sql.id(alias, name);
};
