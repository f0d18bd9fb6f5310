// The answer to a create, put together from what was written.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Column } from './cells.ts';
import { keyOf } from './field-key.ts';
import type { InsertedRow } from './insert.sql.ts';

const escapesNothing = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

// Most text needs no escaping, and finding that out costs half of JSON.stringify.
const quoted = (text: string): string => (text.length < 200 && escapesNothing.test(text) ? `"${text}"` : JSON.stringify(text));

const cellJson = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));

export const createdJson = (
  table: TableSchema,
  input: { columns: readonly Column[]; keyType: FieldKeyType; rows: readonly InsertedRow[]; createdBy: string; permissions: string },
): string => {
  const keys = input.columns.map(({ field }) => `${JSON.stringify(keyOf(field, input.keyType))}:`);
  const values = input.columns.map((column) => column.values);
  const primary = input.columns.find(({ field }) => field.id === table.primary.id);
  const tail = `,"createdBy":"${input.createdBy}"${input.permissions}`;
  const records = input.rows.map((row, index) => {
    let fields = '';
    for (let at = 0; at < values.length; at += 1) {
      const value = (values[at] as Column['values'])[index];
      if (value !== null && value !== undefined) fields += `${fields === '' ? '' : ','}${keys[at]}${cellJson(value)}`;
    }
    if (row.computed !== null && row.computed !== '{}') fields += `${fields === '' ? '' : ','}${row.computed.slice(1, -1)}`;
    const name = row.name ?? (primary?.values[index] as string | null | undefined) ?? '';
    return `{"id":"${row.id}","name":${cellJson(String(name))},"fields":{${fields}},"autoNumber":${row.autoNumber},"createdTime":"${row.createdTime}"${tail}`;
  });
  return `[${records.join(',')}]`;
};
