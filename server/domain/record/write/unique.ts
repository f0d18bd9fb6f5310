// Turns a violated unique index into an error that names the cell.
import { createHash } from 'node:crypto';
import { conflict } from '@rowhouse/contract/error.ts';
import { constraintOf, sqlState } from '../../../db/error.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { uniqueIndexName } from '../../field/column.sql.ts';
import { type CellError, cellErrors, type CellRequest, type Column } from './cells.ts';
import { keyOf } from '../read/field-key.ts';

export const explainConstraint = (
  error: unknown,
  sight: Sight,
  columns: readonly Column[],
  request: CellRequest,
): unknown => {
  if (sqlState(error) !== '23505') return error;
  const constraint = constraintOf(error) ?? '';
  const column = columns.find(({ field }) => constraint === uniqueIndexName(field.id));
  if (column === undefined || sight.table.byId.get(column.field.id) === undefined) return error;
  // By a default: the caller neither sent it nor sees it.
  if (!sight.byId.has(column.field.id))
    return conflict('A value that the table fills in by itself has to be unique and is taken; nothing was written');
  const key = keyOf(column.field, request.keyType);
  // The value need not be one that the caller sent: it may come back from the history, or be copied.
  const valueText = (value: unknown): string => (sight.seesCells ? JSON.stringify(value) : 'its value');
  const taken = /=\((.*)\) already exists/s.exec((error as { detail?: string }).detail ?? '')?.[1];
  const places = column.values.flatMap((value, index) => (value !== null && isTaken(value, taken) ? [index] : []));
  if (places.length === 0) return error;
  const errors = places.map(
    (index): CellError => ({
      index,
      ...(request.rows[index]?.id === undefined ? {} : { recordId: request.rows[index].id }),
      field: key,
      code: 'not_unique',
      message: `"${column.field.name}" must be unique, and ${valueText(column.values[index])} is there already`,
      expected: 'a value that no other record has',
    }),
  );
  return cellErrors(errors, errors.length, request);
};

/** The index tells texts apart by their digest, which is what the database then names. */
const isTaken = (value: unknown, named: string | undefined): boolean => {
  if (named === undefined) return false;
  if (typeof value === 'number') return Number(named) === value;
  const text = String(value);
  if (createHash('md5').update(text).digest('hex') === named.replaceAll('-', '')) return true;
  return !Number.isNaN(Date.parse(text)) && Date.parse(text) === Date.parse(named);
};
