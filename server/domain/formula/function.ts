// What a function of formulas is. They are tables in function/: parameters, type of the result, SQL from SQL.
import { type Sql, sql } from '../../db/sql.ts';
import type { Apart } from './arithmetic.sql.ts';
import type { Kind, Term, Type } from './term.ts';

interface Parameter {
  name: string;
  /** `any` takes what it is given. */
  kind: Kind | 'any';
  /** Given when it is left out; null is empty. */
  fallback?: string | number | boolean | null;
}

/** What the SQL of a function may need besides its values. */
export interface Writing {
  /** The arguments as terms: a constant can be looked at while the SQL is written. */
  args: readonly Term[];
  /** The time zone of the field, as a literal. */
  zone: Sql;
  /** The same for `at time zone`. UTC is a shift by nothing: its name would be looked up for each value, 0.3 µs. */
  clock: Sql;
  isUtc: boolean;
  now: Sql;
  record: RecordFacts;
  /** Names values that the SQL uses more than once, unless they are short anyway. */
  bind: (values: readonly Sql[], body: (names: readonly Sql[]) => Sql) => Sql;
  value: (term: Term) => Sql;
  /** The calculation that a term is, apart from what guards it; undefined when it is none. */
  apart: (term: Term, body: (parts: Apart) => Sql) => Sql | undefined;
  /** Whether something went wrong in it. */
  failed: (term: Term) => Sql;
}

/** What a record knows of itself. */
export interface RecordFacts {
  id: Sql;
  autoNumber: Sql;
  createdTime: Sql;
  lastModifiedTime: Sql;
}

export interface FormulaFunction {
  name: string;
  aliases?: readonly string[];
  parameters: readonly Parameter[];
  /** The last parameters repeat: how many of them. */
  repeats?: number;
  /** Lists are taken as they are, not made one value. */
  takesLists?: boolean;
  /** The type of the result, and what the arguments have to become for it. Without: as the parameters say. */
  shape?: (args: readonly Term[]) => { type: Type; args: Term[]; blank?: boolean };
  result?: Kind;
  sql: (values: readonly Sql[], writing: Writing) => Sql;
  /** False: its SQL asks for what it needs of the arguments itself, where it is given none. */
  readsValues?: boolean;
  /** An empty argument gives an empty result (by `sql` itself). Otherwise the result says by itself whether it can be empty. */
  blank?: 'as arguments' | 'never' | 'always';
  /** An empty result means that it failed, unless an argument was empty. */
  fails?: boolean;
  /** Of a function that evaluates only some of its arguments: when it failed. */
  failed?: (failedArgs: readonly (Sql | undefined)[], writing: Writing) => Sql | undefined;
  /** The result depends on when it is read. */
  volatile?: boolean;
  /** What is wrong with constant arguments, if anything: at which argument, and what was expected. */
  verify?: (args: readonly Term[]) => { at: number; message: string; expected: string; nearest?: string } | undefined;
}

export const constantText = (term: Term | undefined): string | undefined =>
  term?.op === 'constant' && typeof term.value === 'string' ? term.value : undefined;

const parameter =
  (kind: Kind | 'any') =>
  (name: string, fallback?: string | number | boolean | null): Parameter => ({
    name,
    kind,
    ...(fallback === undefined ? {} : { fallback }),
  });

export const text = parameter('text');
export const number = parameter('number');
export const boolean = parameter('boolean');
export const datetime = parameter('datetime');
export const any = parameter('any');

/** A number as a whole one between two limits; empty is the lower one. */
export const whole = (value: Sql | undefined, low: number, high: number): Sql =>
  sql`least(greatest(trunc(${value}), ${sql.integer(low)}), ${sql.integer(high)})::int`;
