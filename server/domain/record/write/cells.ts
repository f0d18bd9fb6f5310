// The pure part of a write: a request becomes typed columns, or the list of every cell that is wrong.
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import type { FieldKeyType, TypecastReport } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { type FieldSchema, storedField, type TableSchema } from '../../../catalog/table.ts';
import { largestAnswer } from '../../../db/error.ts';
import type { CellContext, FieldType, Stored } from '../../cell/type.ts';
import { fieldTypeOf, hasNoEmptyCells } from '../../cell/types.ts';
import { fieldsBy, keyOf, type Nameable, unknownFields } from '../read/field-key.ts';
import { hiddenRequired } from './not-permitted.ts';
import type { IsUnchanged } from './written-back.ts';

export interface Column {
  field: FieldSchema;
  type: FieldType;
  /** One per record of the request. */
  values: Stored[];
  /** Which records name this field; absent when all do. */
  given?: boolean[];
}

interface ReadColumn extends Column {
  /** With what is known of the column as a whole. */
  context: CellContext;
}

export interface Cells {
  columns: Column[];
  report: TypecastReport | undefined;
}

export interface CellError {
  index: number;
  recordId?: string;
  field: string;
  code: 'invalid_value' | 'required' | 'not_unique' | 'computed';
  message: string;
  expected: string;
}

export interface CellRequest {
  rows: readonly { id?: string; fields: Record<string, unknown> }[];
  keyType: FieldKeyType;
  typecast: boolean;
  /** Only what could not be converted is reported. */
  reportsDropped?: true;
  /** Whether a computed cell is as it was sent; absent: nothing is known of them. */
  isUnchanged?: IsUnchanged | undefined;
  /** Values of a field that belong to the same column, beyond those of this request. */
  columnValues?: (fieldId: string) => Iterable<unknown>;
  /** Where a cell stands in the body of the request; absent: in `records`. */
  placeOf?: (index: number, key: string) => string;
}

const maxErrors = 100;
const maxEntries = 1_000;

const placeInRecords = (index: number, key: string): string => `records[${index}].fields.${key}`;

export const cellErrors = (
  errors: readonly CellError[],
  total: number,
  { placeOf = placeInRecords }: Pick<CellRequest, 'placeOf'>,
): ApiError => {
  const first = errors[0] as CellError;
  const more = total > 1 ? ` (and ${total - 1} more)` : '';
  return new ApiError(
    'validation_error',
    `Validation error: ${first.message} at "${placeOf(first.index, first.field)}"${more}`,
    {
      errors: errors.slice(0, maxErrors),
      total,
    },
  );
};

const deepest = 20;

/** Deeper than any cell: it could not even be told back. */
const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth >= deepest || Object.values(value).some((item) => isTooDeep(item, depth + 1)));

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};

/** Reads cells one by one and remembers what went wrong and what was converted. */
const createReader = (request: CellRequest, context: CellContext) => {
  const errors: CellError[] = [];
  let total = 0;
  const entries: TypecastReport['entries'] = [];
  let changed = 0;

  const fail = (index: number, key: string, code: CellError['code'], message: string, expected: string): void => {
    total += 1;
    if (errors.length >= maxErrors) return;
    const recordId = request.rows[index]?.id;
    errors.push({ index, ...(recordId === undefined ? {} : { recordId }), field: key, code, message, expected });
  };

  const read = (value: unknown, index: number, key: string, { field, type, context: ofColumn }: ReadColumn): Stored => {
    const result = type.read(value, field, ofColumn);
    if (result.ok) return result.value;
    if (isTooDeep(value)) {
      fail(
        index,
        key,
        'invalid_value',
        `Expected ${result.expected}, got something nested more than ${deepest} deep`,
        result.expected,
      );
      return null;
    }
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      fail(
        index,
        key,
        'invalid_value',
        'The number is larger than a number can be',
        'a number up to 1.7976931348623157e308',
      );
      return null;
    }
    if (!request.typecast) {
      fail(index, key, 'invalid_value', `Expected ${result.expected}, got ${shown(value)}`, result.expected);
      return null;
    }
    const cast = type.cast(value, field, ofColumn);
    if (cast.note !== undefined && (request.reportsDropped !== true || cast.note === 'dropped')) {
      changed += 1;
      if (entries.length < maxEntries)
        entries.push({
          index,
          field: key,
          from: value,
          to: cast.value,
          note: cast.note,
          ...(cast.isAmbiguous === true ? { ambiguous: true } : {}),
        });
    }
    return cast.value;
  };

  const finish = (): TypecastReport | undefined => {
    if (total > 0) throw cellErrors(errors, total, request);
    return request.typecast ? { entries, total: changed } : undefined;
  };

  /** All values of a column decide together how each is read. */
  const contextOf = (key: string, field: FieldSchema, type: FieldType): CellContext => {
    if (!request.typecast || type.columnContext === undefined) return context;
    return {
      ...context,
      ...type.columnContext(request.columnValues?.(field.id) ?? request.rows.map(({ fields }) => fields[key]), field),
    };
  };

  return { request, fail, read, finish, contextOf };
};

type Reader = ReturnType<typeof createReader>;

/** The columns that the keys of the request name, filled; unknown keys are all named in one 404. */
const readColumns = (sight: Nameable, reader: Reader): Map<string, ReadColumn> => {
  const { rows, keyType, typecast } = reader.request;
  const known = fieldsBy(sight, keyType);
  const columns = new Map<string, ReadColumn>();
  const unknown = new Set<string>();
  // Most records name the same fields in the same order: what a key stood for in the one before is looked at first.
  const before: { key: string; column: ReadColumn }[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const { fields } = rows[index] as CellRequest['rows'][number];
    const keys = Object.keys(fields);
    for (let place = 0; place < keys.length; place += 1) {
      const key = keys[place] as string;
      const last = before[place];
      let column = last?.key === key ? last.column : columns.get(key);
      if (column === undefined) {
        const named = known.get(key);
        if (named === undefined) {
          unknown.add(key);
          continue;
        }
        const field = storedField(named);
        const type = fieldTypeOf(field);
        column = {
          field,
          type,
          context: reader.contextOf(key, field, type),
          values: new Array<Stored>(rows.length).fill(null),
          given: new Array<boolean>(rows.length).fill(false),
        };
        columns.set(key, column);
      }
      if (last?.column !== column) before[place] = { key, column };
      const { field, type } = column;
      if (type.isComputed) {
        // With typecast it is ignored, as Teable does; without, nothing is dropped silently.
        if (!typecast && reader.request.isUnchanged?.(rows[index]?.id, key, fields[key]) !== true) {
          reader.fail(
            index,
            key,
            'computed',
            `"${field.name}" is computed and cannot be written`,
            reader.request.isUnchanged === undefined
              ? 'no value: this field is computed'
              : 'no value, or the one that it has: this field is computed',
          );
        }
        continue;
      }
      (column.given as boolean[])[index] = true;
      const value = fields[key];
      if (value !== null && value !== undefined) column.values[index] = reader.read(value, index, key, column);
      if (field.notNull && column.values[index] === null && reader.request.rows[index]?.id !== undefined) {
        reader.fail(index, key, 'required', `"${field.name}" must not be empty`, 'a value');
      }
    }
  }
  if (unknown.size > 0) throw unknownFields([...unknown], keyType, known);
  for (const [key, column] of columns) if (column.type.isComputed) columns.delete(key);
  return columns;
};

/** A default value may be long, and a request can name very many records in few bytes. */
const demandFewDefaults = (characters: number): void => {
  if (characters > largestAnswer)
    throw invalid({
      path: 'records',
      message: `The default values of these records have more than ${largestAnswer} characters together`,
      expected: 'fewer records at once',
    });
};

const readWithDefaults = (
  sight: Nameable,
  fields: readonly FieldSchema[],
  request: CellRequest,
  context: CellContext,
  hasDefault: (field: FieldSchema) => boolean,
  isRequired: (field: FieldSchema) => boolean,
  /** Refuses without a name what the caller cannot know of. */
  demandSeen: (field: FieldSchema) => void = () => undefined,
): Cells => {
  const reader = createReader(request, context);
  const named = new Map<string, Column>(readColumns(sight, reader));
  let characters = 0;
  // Defaults are filled in whether the caller sees the field or not.
  for (const field of fields) {
    const type = fieldTypeOf(field);
    if (type.isComputed) continue;
    const key = keyOf(field, request.keyType);
    const fallback = hasDefault(field) ? type.defaultCell(field, context) : null;
    let column: Column | undefined = named.get(key);
    if (column === undefined) {
      if (fallback === null && !isRequired(field)) continue;
      column = { field, type, values: new Array<Stored>(request.rows.length).fill(null) };
      named.set(key, column);
    }
    if (fallback === null && !isRequired(field)) continue;
    const { values } = column;
    for (let index = 0; index < values.length; index += 1) {
      if (values[index] !== null) continue;
      values[index] = fallback;
      if (typeof fallback === 'string') demandFewDefaults((characters += fallback.length));
      if (fallback === null) demandSeen(field);
      if (fallback === null) reader.fail(index, key, 'required', `"${field.name}" must not be empty`, 'a value');
    }
  }
  const columns = [...named.values()].map(({ field, type, values }) => ({ field, type, values }));
  return { columns, report: reader.finish() };
};

/** A link to a table in the trash takes no value, so none is demanded. */
const isDemanded = ({ notNull, computed }: FieldSchema): boolean => notNull && computed?.state !== 'broken';

/** New records: defaults fill what is absent or null, and satisfy notNull. */
export const readNewCells = (
  { table, rule }: Pick<Sight, 'table' | 'rule'>,
  named: Nameable,
  request: CellRequest,
  context: CellContext,
): Cells =>
  readWithDefaults(
    named,
    table.fields,
    request,
    context,
    () => true,
    isDemanded,
    ({ id }) => {
      if (rule.may !== undefined && !named.byId.has(id)) throw hiddenRequired();
    },
  );

/** Records that were there before, no matter who brings them back: what was empty stays empty, where the field allows it. */
export const readOldCells = (table: TableSchema, request: CellRequest, context: CellContext): Cells =>
  readWithDefaults(table, table.fields, request, context, ({ notNull }) => notNull, hasNoEmptyCells);

/** Changed records: an absent key leaves the cell as it is. */
export const readChangedCells = (sight: Sight, request: CellRequest, context: CellContext): Cells => {
  const reader = createReader(request, context);
  const columns = [...readColumns(sight, reader).values()].map(({ field, type, values, given }) =>
    (given as boolean[]).every(Boolean) ? { field, type, values } : { field, type, values, given: given as boolean[] },
  );
  return { columns, report: reader.finish() };
};
