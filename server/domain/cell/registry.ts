// The registry: every field type, by name.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { attachment } from './type/attachment.ts';
import { button } from './type/button.ts';
import { checkbox } from './type/checkbox.ts';
import { date } from './type/date.ts';
import { formula } from './type/formula.ts';
import { link } from './type/link.ts';
import { listIf } from './kind/list-if.ts';
import { number } from './type/number.ts';
import { rating } from './type/rating.ts';
import { conditionalRollup, count, rollup } from './type/rollup.ts';
import { multipleSelect, singleSelect } from './type/select.ts';
import { autoNumber, createdBy, createdTime, lastModifiedBy, lastModifiedTime } from './type/system.ts';
import { longText, singleLineText } from './type/text.ts';
import { user } from './type/user.ts';
import type { CellType, FieldType } from './type.ts';

const registry: Record<FieldTypeName, FieldType> = {
  singleLineText,
  longText,
  number,
  rating,
  checkbox,
  date,
  singleSelect,
  multipleSelect,
  user,
  attachment,
  button,
  autoNumber,
  createdTime,
  lastModifiedTime,
  createdBy,
  lastModifiedBy,
  formula,
  link,
  rollup,
  count,
  conditionalRollup,
};

const lookups = new WeakMap<FieldType, FieldType>();

/** A field that shows the cells of another is of its type, and nothing that concerns writing holds. */
const lookupOf = (type: FieldType): FieldType => {
  const known = lookups.get(type);
  if (known !== undefined) return known;
  const {
    systemColumn: _column,
    hasOwnColumn: _own,
    isAlwaysFilled: _filled,
    isIdentity: _identity,
    namesPeople: _names,
    notifies: _notifies,
    identity: _told,
    namesFiles: _files,
    isOnlyKept: _kept,
    ...rest
  } = type;
  const made: FieldType = {
    ...rest,
    isComputed: true,
    canBePrimary: false,
    canBeUnique: false,
    canBeNotNull: false,
    cells: (field) => listIf(type.cells(field), field.computed?.isMultiple === true),
    read: () => ({ ok: false, expected: 'nothing: this field is computed' }),
    cast: () => ({ value: null }),
    defaultCell: () => null,
  };
  lookups.set(type, made);
  return made;
};

/** By name, or of a field. */
export const fieldTypeOf = (of: string | { type: string; isLookup?: boolean | undefined }): FieldType => {
  const name = typeof of === 'string' ? of : of.type;
  const found = registry[name as FieldTypeName];
  if (found === undefined) throw new Error(`unknown field type ${name}`);
  return typeof of === 'object' && of.isLookup === true ? lookupOf(found) : found;
};

/** The column of the record that a field shows; undefined when it has one of its own. */
export const systemColumnOf = (field: Pick<FieldSchema, 'type' | 'options' | 'isLookup'>): string | undefined => {
  const { systemColumn, hasOwnColumn } = fieldTypeOf(field);
  return hasOwnColumn?.(field.options) === true ? undefined : systemColumn;
};

/** How the cells of a field are shown, filtered, sorted … */
export const cellTypeOf = (field: Pick<FieldSchema, 'type' | 'options' | 'computed' | 'isLookup'>): CellType =>
  fieldTypeOf(field).cells(field);

const withFiles = new WeakMap<TableSchema, boolean>();

/** Whether some field of the table shows files. */
export const holdsFiles = (table: TableSchema): boolean => {
  let known = withFiles.get(table);
  if (known === undefined) {
    known = table.fields.some((field) => cellTypeOf(field).kind === 'file');
    withFiles.set(table, known);
  }
  return known;
};

/** Its column holds its cells, so an index on it serves. */
export const isStored = ({ computed, seenAs }: FieldSchema): boolean =>
  computed == null || computed.state === 'settled' || seenAs !== undefined;
