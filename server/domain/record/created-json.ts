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

interface Made {
  columns: readonly Column[];
  keyType: FieldKeyType;
  rows: readonly InsertedRow[];
  createdBy: string;
  permissions: string;
}

/** One record after the other as JSON text, in request order. */
const recordTexts = (table: TableSchema, input: Made): ((index: number) => string) => {
  const keys = input.columns.map(({ field }) => `${JSON.stringify(keyOf(field, input.keyType))}:`);
  const values = input.columns.map((column) => column.values);
  const primary = input.columns.find(({ field }) => field.id === table.primary.id);
  const tail = `,"createdBy":"${input.createdBy}"${input.permissions}`;
  return (index) => {
    const row = input.rows[index] as InsertedRow;
    let fields = '';
    for (let at = 0; at < values.length; at += 1) {
      const value = (values[at] as Column['values'])[index];
      if (value !== null && value !== undefined) fields += `${fields === '' ? '' : ','}${keys[at]}${cellJson(value)}`;
    }
    if (row.computed !== null && row.computed !== '{}') fields += `${fields === '' ? '' : ','}${row.computed.slice(1, -1)}`;
    const name = row.name ?? (primary?.values[index] as string | null | undefined) ?? '';
    return `{"id":"${row.id}","name":${cellJson(String(name))},"fields":{${fields}},"autoNumber":${row.autoNumber},"createdTime":"${row.createdTime}"${tail}`;
  };
};

const partSize = 500;

/** The records without the brackets around them, in parts that are joined by nothing. */
export function* createdParts(table: TableSchema, input: Made): Generator<string> {
  const textOf = recordTexts(table, input);
  for (let from = 0; from < input.rows.length; from += partSize) {
    const part = input.rows.slice(from, from + partSize).map((_, at) => textOf(from + at)).join(',');
    yield from === 0 ? part : `,${part}`;
  }
}
