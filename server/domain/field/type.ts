// What a field type is: one file per type in type/, all behind this interface. A type says how its options
// look, which column holds its cells, what may be written, and how PostgreSQL shows a cell as JSON and text.
import type { CellValueType, DbFieldType, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { TSchema } from 'typebox';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Sql } from '../../db/sql.ts';

export type ColumnType = 'text' | 'double precision' | 'boolean' | 'timestamptz' | 'jsonb' | 'bigint';

/** The form a cell has on its way into the database: what `column` takes, jsonb as a plain value. null is empty. */
export type Stored = string | number | boolean | null | object;

export type CellResult = { ok: true; value: Stored } | { ok: false; expected: string };

/** What a conversion did, when it did more than take the value over. */
export type CastResult = { value: Stored; note?: 'converted' | 'created' | 'dropped' };

export interface Person {
  id: string;
  name: string;
  email: string;
  avatar: string | null;
}

/** What cells need to know besides the value. */
export interface CellContext {
  now: Date;
  callerId: string;
  /** People who can be named in a user field of this base. */
  people: readonly Person[];
  /** Casting to a select calls it for a missing choice; null when the field prevents new choices. */
  addChoice(field: FieldSchema, name: string): string | null;
}

export interface FieldType {
  readonly type: FieldTypeName;
  readonly defaultName: string;
  /** Schema of `options` as a client may send them: everything optional that has a default. */
  readonly optionsSchema: TSchema;
  /** The column that a field of this type adds; null when it shows a system column. */
  readonly column: ColumnType | null;
  /** The system column it shows instead, such as `__auto_number`. */
  readonly systemColumn?: string;
  readonly isComputed: boolean;
  readonly canBePrimary: boolean;
  readonly canBeUnique: boolean;
  readonly canBeNotNull: boolean;
  readonly cellValueType: CellValueType;
  readonly dbFieldType: DbFieldType;
  isMultiple(options: Record<string, unknown>): boolean;
  /** Fills in what was left out (defaults, choice ids and colours) and refuses what contradicts itself. `at` names the place in errors. */
  completeOptions(given: Record<string, unknown>, at: string): Record<string, unknown>;
  /** Strict: takes a value of the right form or says what would be right. Never called with null. */
  read(value: unknown, field: FieldSchema, context: CellContext): CellResult;
  /** Typecast: makes the best of any value that `read` refused. Never fails. Never called with null. */
  cast(value: unknown, field: FieldSchema, context: CellContext): CastResult;
  /** The cell of a new record that was given none; null for empty. */
  defaultCell(field: FieldSchema, context: CellContext): Stored;
  /** Stored form → what the API shows, for answers made without asking the database again. */
  show(stored: Exclude<Stored, null>): unknown;
  /** A column expression → SQL text that is the cell's JSON; null when empty. */
  json(column: Sql, field: FieldSchema): Sql;
  /** A column expression → the text a person sees. SQL type text; null when empty. */
  text(column: Sql, field: FieldSchema): Sql;
}
