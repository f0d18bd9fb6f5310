// The registry: every field type, by name.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { attachment } from './type/attachment.ts';
import { checkbox } from './type/checkbox.ts';
import { date } from './type/date.ts';
import { formula } from './type/formula.ts';
import { link } from './type/link.ts';
import { number } from './type/number.ts';
import { rating } from './type/rating.ts';
import { multipleSelect, singleSelect } from './type/select.ts';
import { autoNumber, createdBy, createdTime, lastModifiedBy, lastModifiedTime } from './type/system.ts';
import { longText, singleLineText } from './type/text.ts';
import { user } from './type/user.ts';
import type { CellType, FieldType } from './type.ts';

const registry: Record<FieldTypeName, FieldType> = {
  singleLineText, longText, number, rating, checkbox, date, singleSelect, multipleSelect, user, attachment,
  autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy, formula, link,
};

/** By name, or of a field. */
export const fieldTypeOf = (of: string | Pick<FieldSchema, 'type'>): FieldType => {
  const name = typeof of === 'string' ? of : of.type;
  const found = registry[name as FieldTypeName];
  if (found === undefined) throw new Error(`unknown field type ${name}`);
  return found;
};

/** The column of the record that a field shows; undefined when it has one of its own. */
export const systemColumnOf = ({ type, options }: Pick<FieldSchema, 'type' | 'options'>): string | undefined => {
  const { systemColumn, hasOwnColumn } = fieldTypeOf(type);
  return hasOwnColumn?.(options) === true ? undefined : systemColumn;
};

/** How the cells of a field are shown, filtered, sorted … */
export const cellTypeOf = (field: Pick<FieldSchema, 'type' | 'options' | 'computed'>): CellType => fieldTypeOf(field.type).cells(field);
