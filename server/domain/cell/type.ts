// What a type of field is: one file per type in type/, behind these two interfaces. A *cell type* says how cells are shown,
// filtered, sorted, grouped, searched and counted, given the SQL of their column. A *field type* says how a field is
// defined, where its cells are, and what may be written. They are two because a lookup shows the cells of another
// field, and a formula those of its result. See docs/adr/0015-field-types.md.
import type { DateOrder, OrderDecision } from '@rowhouse/contract/date-order.ts';
import type { DecimalSign } from '@rowhouse/contract/number-text.ts';
import type { CellKind, CellValueType, DbFieldType, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { Condition } from '@rowhouse/contract/filter.ts';
import type { Statistic } from '@rowhouse/contract/aggregation.ts';
import type { TSchema } from 'typebox';
import type { Asker } from '../../catalog/asker.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Sql } from '../../db/sql.ts';
import type { FileFacts } from '../file/file.ts';

export type ColumnType = 'text' | 'double precision' | 'boolean' | 'timestamptz' | 'jsonb' | 'bigint';

/** The form a cell has on its way into the database: what its column takes, jsonb as a plain value. null is empty. */
export type Stored = string | number | boolean | null | object;

export type CellResult = { ok: true; value: Stored } | { ok: false; expected: string };

/** What a conversion did, when it did more than take the value over. */
export type CastResult = {
  value: Stored;
  note?: 'converted' | 'created' | 'dropped';
  /** It could be read in another way, too. */
  isAmbiguous?: true;
};

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
  /** Uploaded files that cells may mention, by token. Without them cells are brought back, and mentions stay as they are. */
  files?: ReadonlyMap<string, FileFacts> | undefined;
  /** How the one who asks is used to write dates. */
  dateHabit?: DateOrder | undefined;
  /** How the dates of this column are read, where that was decided for all of it. */
  dateOrder?: OrderDecision | undefined;
  /** Before the fraction of the numbers of this column, where that was decided for all of it. */
  decimalSign?: DecimalSign | undefined;
  /** The caller may not see which choices a field has: errors do not list them. */
  areChoicesHidden?: boolean | undefined;
  /** Casting to a select calls it for a missing choice; null when the field prevents new choices. */
  addChoice(field: FieldSchema, name: string): string | null;
}

/** Whom a cell is rendered for. A sight is one. */
export interface Reader {
  /** Without it a person in a cell has no e-mail address: it is never read, so nothing has to be taken out of the answer. */
  readonly seesEmails: boolean;
}

/** For cells that are stored, compared or computed with, and shown to nobody. */
export const forStorage: Reader = { seesEmails: true };

/** What records are sorted by. */
export interface KeyParts {
  expression: Sql;
  /** The type its values have on their way through a cursor. */
  type: 'text' | 'double precision' | 'boolean' | 'timestamptz' | 'timestamp' | 'bigint' | 'integer' | 'integer[]';
  /** It can be part of an index: no subquery, nothing that depends on other tables or settings. */
  indexable: boolean;
}

/** What records are grouped by. The keys also sort them, so the records of a group are next to each other. */
export interface GroupParts {
  keys: readonly KeyParts[];
  /** An aggregate over the group that gives the cell as JSON text, where the keys alone do not. */
  sample: ((reader: Reader) => Sql) | null;
  /** The value of the header as JSON text, from the columns of the keys and of the sample. */
  value: (keys: readonly Sql[], sample: Sql) => Sql;
}

/** `column` is always the SQL that holds the cells; `field` is asked for its options, such as a format. */
export interface CellType {
  readonly kind: CellKind;
  readonly cellValueType: CellValueType;
  readonly dbFieldType: DbFieldType;
  /** A cell is a list. */
  readonly isMultiple: boolean;
  readonly column: ColumnType;
  /** The text of a cell is the cell itself. */
  readonly isText?: true;
  /** The cell is the id of a user, whose name is looked up. */
  readonly isLookedUpPerson?: true;
  /** SQL text that is the cell's JSON for this reader; null when empty. */
  json(column: Sql, field: FieldSchema, reader: Reader): Sql;
  /** The text a person sees. SQL type text; null when empty. */
  text(column: Sql, field: FieldSchema): Sql;
  /** Every operator of the kind except isEmpty and isNotEmpty, which are the same for all. The value is never null. */
  condition(column: Sql, condition: Condition, field: FieldSchema, asker: Asker): Sql;
  /** What an index must be on to serve conditions; null where none would. */
  filterKey(column: Sql): Sql | null;
  sortKey(column: Sql, field: FieldSchema): KeyParts;
  groupKey(column: Sql, field: FieldSchema): GroupParts;
  /** A person sees no text in it: a search in all fields leaves it out. */
  readonly hasNoText?: true;
  /** Whether the text of a cell can hold the searched one at all: writing out the numbers and dates of a table is most of the work of a search. */
  canMatch(text: string, field: FieldSchema): boolean;
  matches(column: Sql, text: string, field: FieldSchema): Sql;
  /** The text that `matches` looks in, where that follows from the cell alone: searches of large tables go by an index of it. */
  readonly searched?: ((column: Sql, field: FieldSchema) => Sql) | undefined;
  /** Whether `matches` looks in that text for this one; left out: always. */
  looksInText?(text: string): boolean;
  /** An aggregate over records. */
  statistic(statistic: Statistic, column: Sql, field: FieldSchema): Sql;
}

/** A statement of a conversion, for which PostgreSQL needs no help: `column` is the one of the field. */
export type ConversionStep =
  | { retype: ColumnType; using: (column: Sql) => Sql }
  | { update: (column: Sql) => Sql; where: (column: Sql) => Sql };

export interface FieldType {
  readonly type: FieldTypeName;
  readonly defaultName: string;
  /** Schema of `options` as a client may send them: everything optional that has a default. */
  readonly optionsSchema: TSchema;
  /** The column of the record that it shows, such as `__auto_number`; without one it has a column of its own. */
  readonly systemColumn?: string;
  /** With options like these it has a column of its own instead. */
  hasOwnColumn?(options: Record<string, unknown>): boolean;
  /** Its cells cannot be written. */
  readonly isComputed: boolean;
  /** They follow from nothing else either: its column is the only place that knows them. */
  readonly isOnlyKept?: true;
  readonly canBePrimary: boolean;
  readonly canBeUnique: boolean;
  readonly canBeNotNull: boolean;
  /** No cell is ever empty. */
  readonly isAlwaysFilled?: true;
  /** No two records have the same cell, and none is empty. */
  readonly isIdentity?: true;
  /** Its cells name people: reading them needs the people of the base. */
  readonly namesPeople?: true;
  /** Its cells mention files: writing them needs those. */
  readonly namesFiles?: true;
  /** Whether people named in it are told. */
  notifies?(options: Record<string, unknown>): boolean;
  /** What its cells are, by its options. */
  cells(field: Pick<FieldSchema, 'options' | 'computed'>): CellType;
  /** Fills in what was left out (defaults, choice ids and colours) and refuses what contradicts itself. `at` names the place in errors. */
  completeOptions(given: Record<string, unknown>, at: string): Record<string, unknown>;
  /** Strict: takes a value of the right form or says what would be right. Never called with null. */
  read(value: unknown, field: FieldSchema, context: CellContext): CellResult;
  /** Typecast: makes the best of any value that `read` refused. Never fails. Never called with null. */
  cast(value: unknown, field: FieldSchema, context: CellContext): CastResult;
  /** What casting needs to know of all the values of a column. */
  columnContext?(
    values: Iterable<unknown>,
    field: FieldSchema,
    dateHabit?: DateOrder,
  ): Pick<CellContext, 'dateOrder' | 'decimalSign'>;
  /** What people see in the cell when a carried cell, which is not lost, becomes something else; undefined when it stays what it is. */
  changed?(carried: unknown, stored: Stored): string | undefined;
  /** What tells two cells apart, where that is not all of them. */
  identity?(value: unknown): unknown;
  /** The cell of a new record that was given none; null for empty. */
  defaultCell(field: FieldSchema, context: CellContext): Stored;
  /** Options that a field brings along when it becomes this type, merged with those that were sent. */
  carryOptions?(before: FieldSchema, given: Record<string, unknown> | undefined): Record<string, unknown> | undefined;
  /** The statements by which cells of `from`, which has a column, become those of `to`; none when they stay as they are. Null: each has to be read. */
  convert(from: FieldSchema, source: CellType, to: FieldSchema): ConversionStep[] | null;
  /** Cells of another field as JSON text, in the form that this type reads the most from. */
  carry(from: FieldSchema, source: CellType, column: Sql): Sql;
  /** Values that have another name after a change of options; null for those that are gone. */
  renamedValues?(from: FieldSchema, to: FieldSchema): ReadonlyMap<string, string | null>;
}
