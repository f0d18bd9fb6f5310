// What records are grouped by. Numbers as they are rounded for display, dates as far as their format shows them,
// people by name and id; the keys of a level also sort the records, so the records of a group stand together.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { dateText, type DateFormatting, formattingOf } from '../field/type/date-format.ts';
import { choicesOf } from '../field/type/select.ts';
import { columnOf, fieldTypeOf } from '../field/types.ts';
import { chosenKey } from './filter.sql.ts';
import { type KeyParts, keyParts, type SortKey } from './sort-key.sql.ts';

export interface Level {
  field: FieldSchema;
  order: 'asc' | 'desc';
  keys: SortKey[];
  /** An aggregate over the group that gives the cell as JSON text, where the keys alone do not. */
  sample: Sql | null;
  /** The value of the header as JSON text, from the columns of the keys and of the sample. */
  value: (keys: readonly Sql[], sample: Sql) => Sql;
}

const jsonOf = (key: Sql): Sql => sql`to_json(${key})::text`;

/** The smallest unit that a format shows, when it shows everything above it too; null when it does not. */
export const shownUnit = ({ date, time }: DateFormatting): 'year' | 'month' | 'day' | 'minute' | null => {
  const shows = [date.includes('Y'), date.includes('M'), date.includes('D'), time !== 'None'];
  const count = shows.lastIndexOf(true) + 1;
  if (count === 0 || shows.slice(0, count).includes(false)) return null;
  return (['year', 'month', 'day', 'minute'] as const)[count - 1] as 'year';
};

const dateLevel = (field: FieldSchema, column: Sql): Pick<Level, 'sample' | 'value'> & { parts: KeyParts[] } => {
  const formatting = formattingOf(field.options);
  const zone = sql.literal(formatting.timeZone);
  const unit = shownUnit(formatting);
  if (unit === null) return { parts: [{ expression: dateText(column, formatting), type: 'text', indexable: false }], sample: null, value: ([key]) => jsonOf(key as Sql) };
  return {
    parts: [{ expression: sql`date_trunc(${sql.literal(unit)}, ${column} at time zone ${zone})`, type: 'timestamp', indexable: true }],
    sample: null,
    value: ([key]) => jsonOf(dateText(sql`(${key} at time zone ${zone})`, formatting)),
  };
};

const levelParts = (field: FieldSchema, alias: string | undefined): Pick<Level, 'sample' | 'value'> & { parts: KeyParts[] } => {
  const type = fieldTypeOf(field.type);
  const column = columnOf(field, alias);
  const plain = keyParts(field, alias);
  if (type.cellValueType === 'dateTime') return dateLevel(field, column);
  if (field.type === 'number') {
    const places = (field.options.formatting as { precision?: number } | undefined)?.precision ?? 2;
    // A percentage shows two more digits than its precision says.
    const digits = places + ((field.options.formatting as { type?: string } | undefined)?.type === 'percent' ? 2 : 0);
    return { parts: [{ ...plain, expression: sql`round(${column}::numeric, ${sql.raw(String(digits))})::double precision` }], sample: null, value: ([key]) => sql`${key}::text` };
  }
  if (field.type === 'singleSelect') {
    const names = choicesOf(field.options).map(({ name }) => name);
    return { parts: [plain], sample: null, value: ([key]) => jsonOf(sql`(${names}::text[])[${key}]`) };
  }
  if (field.type === 'multipleSelect') return { parts: [plain], sample: sql`min(${column}::text)`, value: (_keys, sample) => sample };
  if (type.dbFieldType === 'JSON') {
    const identity: KeyParts = { expression: sql`${chosenKey(field, column)}::text`, type: 'text', indexable: plain.indexable };
    return { parts: [plain, identity], sample: sql`min(${type.json(column, field)})`, value: (_keys, sample) => sample };
  }
  return { parts: [plain], sample: null, value: ([key]) => jsonOf(key as Sql) };
};

export const groupLevel = (field: FieldSchema, order: 'asc' | 'desc', alias: string | undefined): Level => {
  const { parts, sample, value } = levelParts(field, alias);
  const canBeNull = !field.notNull || parts.length > 1;
  return { field, order, sample, value, keys: parts.map((part, at) => ({ ...part, name: `${field.id}.${field.type}.group${at}`, order, canBeNull })) };
};
