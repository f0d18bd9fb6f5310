// The answer to a create, put together from what was written.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { ownColumnOf } from '../../cell/types.ts';
import type { Column } from './cells.ts';
import { keyOf } from '../read/field-key.ts';
import type { Inserted } from './insert.sql.ts';

const escapesNothing = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

// Most text needs no escaping, and finding that out costs half of JSON.stringify.
const quoted = (text: string): string => (text.length < 200 && escapesNothing.test(text) ? `"${text}"` : JSON.stringify(text));

/** How the cells of a column become JSON: what its type rules out need not be looked for. */
const encoderOf = ({ field }: Column): ((value: unknown) => string) => {
  switch (ownColumnOf(field)) {
    case 'text':
      return (value) => quoted(value as string);
    case 'timestamptz':
      return (value) => `"${value as string}"`;
    case 'double precision':
    case 'boolean':
      return String;
    default:
      return JSON.stringify;
  }
};

interface Made {
  columns: readonly Column[];
  keyType: FieldKeyType;
  ids: readonly string[];
  inserted: Inserted;
  createdBy: string;
  permissions: string;
}

/** One record after the other as JSON text, in request order. */
const recordTexts = (sight: Sight, input: Made): ((index: number) => string) => {
  const columns = sight.hasAllFields ? input.columns : input.columns.filter(({ field }) => sight.byId.has(field.id));
  const keys = columns.map(({ field }) => `${JSON.stringify(keyOf(field, input.keyType))}:`);
  const values = columns.map((column) => column.values);
  const encoders = columns.map(encoderOf);
  const { primary: { id: primaryId } } = sight.table;
  const primary = columns.find(({ field }) => field.id === primaryId);
  const isNamed = sight.byId.has(primaryId);
  const { createdTime, autoNumbers, names, computed } = input.inserted;
  const tail = `,"createdTime":"${createdTime}","createdBy":"${input.createdBy}"${input.permissions}`;
  return (index) => {
    let fields = '';
    for (let at = 0; at < values.length; at += 1) {
      const value = (values[at] as Column['values'])[index];
      if (value !== null && value !== undefined) fields += `${fields === '' ? '' : ','}${keys[at]}${(encoders[at] as (value: unknown) => string)(value)}`;
    }
    const more = computed === null ? '{}' : (computed[index] as string);
    if (more !== '{}') fields += `${fields === '' ? '' : ','}${more.slice(1, -1)}`;
    const name = isNamed ? (names?.[index] ?? (primary?.values[index] as string | null | undefined) ?? '') : '';
    return `{"id":"${input.ids[index]}","name":${quoted(String(name))},"fields":{${fields}},"autoNumber":${autoNumbers[index]}${tail}`;
  };
};

const partSize = 500;

/** The records without the brackets around them, in parts that are joined by nothing. */
export function* createdParts(sight: Sight, input: Made): Generator<string> {
  const textOf = recordTexts(sight, input);
  for (let from = 0; from < input.ids.length; from += partSize) {
    const part = input.ids.slice(from, from + partSize).map((_, at) => textOf(from + at)).join(',');
    yield from === 0 ? part : `,${part}`;
  }
}
