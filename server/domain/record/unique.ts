// Turns a violated unique index into an error that names the cell.
import { constraintOf, sqlState } from '../../db/error.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { uniqueIndexName } from '../field/column.sql.ts';
import { type CellError, cellErrors, type CellRequest, type Column } from './cells.ts';
import { keyOf } from './field-key.ts';

export const explainConstraint = (error: unknown, table: TableSchema, columns: readonly Column[], request: CellRequest): unknown => {
  if (sqlState(error) !== '23505') return error;
  const constraint = constraintOf(error) ?? '';
  const column = columns.find(({ field }) => constraint === uniqueIndexName(field.id));
  if (column === undefined || table.byId.get(column.field.id) === undefined) return error;
  const key = keyOf(column.field, request.keyType);
  const taken = /=\((.*)\) already exists/s.exec((error as { detail?: string }).detail ?? '')?.[1];
  const same = column.values.flatMap((value, index) => (value !== null && sameText(value, taken) ? [index] : []));
  // Values too long for the index are not repeated in the detail: then every given cell is named.
  const places = same.length > 0 ? same : column.values.flatMap((value, index) => (value === null ? [] : [index]));
  const errors = places.map((index): CellError => ({
    index,
    ...(request.rows[index]?.id === undefined ? {} : { recordId: request.rows[index].id }),
    field: key,
    code: 'not_unique',
    message: `"${column.field.name}" must be unique, and ${JSON.stringify(column.values[index])} is there already`,
    expected: 'a value that no other record has',
  }));
  return cellErrors(errors, errors.length);
};

const sameText = (value: unknown, text: string | undefined): boolean => {
  if (text === undefined) return false;
  if (typeof value === 'number') return Number(text) === value;
  const given = String(value);
  return given === text || (!Number.isNaN(Date.parse(given)) && Date.parse(given) === Date.parse(text));
};
