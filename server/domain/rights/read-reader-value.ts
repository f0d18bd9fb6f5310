// Reads values of the reader in conditions of grants: cells of their own records in another table, and their groups. What they are compared with has to be of the same kind.
import type { Condition, ReadBeside } from '@rowhouse/contract/filter.ts';
import {
  groupKinds,
  readerKinds,
  readerOperators,
  type ReaderValue,
  readerValueOf,
} from '@rowhouse/contract/reader-value.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { isLink } from '../cell/linked.sql.ts';

const kindOf = (field: FieldSchema): string => cellTypeOf(field).kind;

const leadsTo = (field: FieldSchema): unknown => (isLink(field) ? field.options['foreignTableId'] : undefined);

const isOwn = (field: FieldSchema): boolean =>
  field.isLookup !== true && (isLink(field) || !fieldTypeOf(field).isComputed);

const faultOf = (
  value: ReaderValue,
  field: FieldSchema,
  operator: string,
  tables: ReadonlyMap<string, TableSchema>,
): { message: string; expected: string } | undefined => {
  const kind = kindOf(field);
  if (!readerOperators.includes(operator))
    return {
      message: `A value of the reader is compared with ${readerOperators.join(', ')}`,
      expected: readerOperators.join(', '),
    };
  const kinds = readerKinds[kind];
  if (kinds === undefined)
    return {
      message: `"${field.name}" is of type ${field.type}`,
      expected: 'a field of texts, numbers, choices, people or links',
    };
  if (value.type === 'myGroups')
    return groupKinds.includes(kind)
      ? undefined
      : { message: `"${field.name}" is of type ${field.type}`, expected: 'a field of people, texts or choices' };
  const table = tables.get(value.tableId);
  if (table === undefined)
    return {
      message: `This base has no table ${value.tableId.slice(0, 50)}`,
      expected: 'the id of a table of this base',
    };
  const key = table.byId.get(value.keyFieldId);
  if (key === undefined || kindOf(key) !== 'person' || !isOwn(key))
    return {
      message: `"${table.name}" has no field of people ${value.keyFieldId.slice(0, 50)}`,
      expected: `the id of a field of people of ${table.name}`,
    };
  if (value.fieldId === undefined)
    return leadsTo(field) === table.id
      ? undefined
      : { message: `"${field.name}" is no link to "${table.name}"`, expected: 'a `fieldId` of that table' };
  const cell = table.byId.get(value.fieldId);
  if (cell === undefined || !isOwn(cell) || !kinds.includes(kindOf(cell)) || leadsTo(cell) !== leadsTo(field))
    return {
      message: `"${table.name}" has no field ${value.fieldId.slice(0, 50)} that "${field.name}" can be compared with`,
      expected: 'the id of a field that is not computed and has cells of the same kind',
    };
  return undefined;
};

/** `beside`: the tables that the values name. */
export const readReaderValue =
  (table: TableSchema, beside: ReadonlyMap<string, TableSchema>): ReadBeside =>
  (given, { operator, field: { id }, at, complain }) => {
    const value = readerValueOf(given);
    const field = table.byId.get(id);
    if (value === undefined || field === undefined) return undefined;
    const fault = faultOf(value, field, operator, beside);
    if (fault !== undefined) return complain(at, fault.message, fault.expected);
    return value.type === 'myGroups'
      ? { type: value.type, of: kindOf(field) === 'person' ? 'people' : 'names' }
      : value;
  };

/** Whether a condition with such a value can hold for anything. */
export const isReaderValueUnderstood = (
  { fieldId, operator, value: given }: Condition,
  table: TableSchema,
  beside: ReadonlyMap<string, TableSchema>,
): boolean => {
  const value = readerValueOf(given);
  const field = table.byId.get(fieldId);
  return value !== undefined && field !== undefined && faultOf(value, field, operator, beside) === undefined;
};
