// Typed tree → SQL: one expression that gives the cell, whatever the record holds, and never fails.
import { compile, type Sql, sql } from '../../db/sql.ts';
import { apartOf, type Calculation, calculated, numberLiteral } from './arithmetic.sql.ts';
import { binder } from './bind.sql.ts';
import { compared } from './compare.sql.ts';
import { asPart, canFail, converted, isEmpty, joinedText, sqlTypeOf } from './convert.sql.ts';
import { FormulaError } from './error.ts';
import type { RecordFacts, Writing } from './function.ts';
import { type CallTerm, partsOf, type Term } from './term.ts';

/** Where the values come from: columns, laterals of a statement, or expressions. */
export interface Source {
  /** A field as its kind: text, double precision, boolean, timestamptz, or a jsonb list that is null when empty. */
  field: (id: string) => Sql;
  /** The text that people see, where it is not what the value gives by itself: dates in their format. */
  fieldText?: (id: string) => Sql | undefined;
  /** Of a field that stands as an operand and has no column of its own here: its value, and how it is calculated. */
  calculation?: ((id: string) => { value: Sql; of: Calculation } | undefined) | undefined;
  /** A longer expression pays when it gives less to do for a record. */
  isForMany?: boolean | undefined;
  timeZone: string;
  /** The time of reading, as timestamptz; only asked for by volatile formulas. */
  now: Sql;
  record: RecordFacts;
}

const longestSql = 100_000;
const mostSteps = 20_000;

/** `thrown`: only by ERROR(); it empties the whole cell. `any`: also what could not be computed. */
type Failure = 'thrown' | 'any';

const either = (parts: readonly (Sql | undefined)[]): Sql | undefined => {
  const known = parts.filter((part) => part !== undefined);
  return known.length < 2 ? known[0] : sql`(${sql.join(known, ' or ')})`;
};

/** Of a cell that may be empty. */
const leafOf = (cell: Sql): Calculation => ({ op: 'leaf', value: sql`coalesce(${cell}, 0)`, cell });

/** A calculation over fields and constants alone; undefined for any other term. */
export const simpleCalculation = (term: Term, field: (id: string) => Sql | undefined): Calculation | undefined => {
  switch (term.op) {
    case 'arithmetic': {
      const left = simpleCalculation(term.left, field);
      const right = simpleCalculation(term.right, field);
      return left === undefined || right === undefined ? undefined : { op: term.sign, left, right };
    }
    case 'negative': {
      const of = simpleCalculation(term.of, field);
      return of === undefined ? undefined : { op: 'negative', of };
    }
    case 'constant':
      return typeof term.value === 'number' ? { op: 'number', value: term.value } : undefined;
    case 'field': {
      const value = term.type.kind === 'number' && !term.type.list ? field(term.id) : undefined;
      return value === undefined ? undefined : leafOf(value);
    }
    default:
      return undefined;
  }
};

const written = (root: Term, source: Source, isForMany: boolean): Sql => {
  const bind = binder();
  const zone = sql.literal(source.timeZone);
  const clock = source.timeZone === 'UTC' ? sql`interval '0'` : zone;
  let steps = 0;

  const writingOf = (args: readonly Term[]): Writing => ({
    args,
    zone,
    clock,
    isUtc: source.timeZone === 'UTC',
    now: source.now,
    record: source.record,
    bind,
    value,
    apart: (term, body) => (term.op === 'arithmetic' ? apartOf(calculationOf(term), bind, isForMany, body) : undefined),
    failed: (term) => failedBy(term, 'any') ?? sql`false`,
  });

  const constantOf = (term: Term & { op: 'constant' }): Sql => {
    if (term.value === null) return sql`null::${sqlTypeOf(term.type)}`;
    if (typeof term.value === 'number') return numberLiteral(term.value);
    return typeof term.value === 'boolean'
      ? sql.raw(term.value ? 'true' : 'false')
      : sql`${sql.literal(term.value)}::text`;
  };

  /** As a number to calculate with: empty counts as 0, but what failed stays empty, and so does the result. */
  const orZero = (term: Term): Sql => {
    if (!term.blank) return value(term);
    if (term.op === 'convert' && canFail(term.of.type, term.type)) {
      const { of, type } = term;
      return bind(
        [value(of)],
        ([v]) =>
          sql`case when ${isEmpty(v as Sql, of.type)} then 0 else ${converted(v as Sql, of.type, type, zone, bind)} end`,
      );
    }
    if (term.op === 'call' && term.definition.fails === true) {
      return bind(term.args.map(value), (names) => {
        const empty = names.filter((_, at) => term.args[at]?.blank === true).map((name) => sql`${name} is null`);
        const result = term.definition.sql(names, writingOf(term.args));
        return empty.length === 0 ? result : sql`case when ${sql.join(empty, ' or ')} then 0 else ${result} end`;
      });
    }
    return sql`coalesce(${value(term)}, 0)`;
  };

  const calculationOf = (term: Term): Calculation => {
    if (term.op === 'arithmetic')
      return { op: term.sign, left: calculationOf(term.left), right: calculationOf(term.right) };
    if (term.op === 'negative') return { op: 'negative', of: calculationOf(term.of) };
    if (term.op === 'constant' && (typeof term.value === 'number' || term.value === null))
      return { op: 'number', value: term.value ?? 0 };
    const known = term.op === 'field' ? source.calculation?.(term.id) : undefined;
    if (known === undefined && term.op === 'field' && term.blank) return leafOf(value(term));
    return known === undefined
      ? { op: 'leaf', value: orZero(term) }
      : { op: 'leaf', value: sql`coalesce(${known.value}, 0)`, of: known.of };
  };

  const convertedOf = ({ of, type }: Term & { op: 'convert' }): Sql => {
    const shown =
      of.op === 'field' && of.type.kind === 'datetime' && type.kind === 'text' && !type.list && !of.type.list
        ? source.fieldText?.(of.id)
        : undefined;
    return shown ?? converted(value(of), of.type, type, zone, bind);
  };

  const truth = (term: Term): Sql => (term.blank ? sql`coalesce(${value(term)}, false)` : value(term));

  const value = (term: Term): Sql => {
    steps += 1;
    if (steps > mostSteps) throw tooLarge();
    switch (term.op) {
      case 'constant':
        return constantOf(term);
      case 'field':
        return source.field(term.id);
      case 'arithmetic':
      case 'negative':
        return calculated(calculationOf(term), bind, isForMany);
      case 'compare':
        return compared(
          term.sign,
          { term: term.left, value: value(term.left) },
          { term: term.right, value: value(term.right) },
          value,
          zone,
          bind,
        );
      case 'join':
        return joinedText(
          term.parts.map((part) =>
            part.op === 'constant' && part.value !== null ? value(part) : sql`coalesce(${asPart(value(part))}, '')`,
          ),
        );
      case 'every':
      case 'some':
        return sql`(${sql.join(term.parts.map(truth), term.op === 'every' ? ' and ' : ' or ')})`;
      case 'convert':
        return convertedOf(term);
      case 'call':
        return term.definition.sql(
          term.definition.readsValues === false ? [] : term.args.map(value),
          writingOf(term.args),
        );
    }
  };

  const failedCall = (term: CallTerm, failure: Failure): Sql | undefined => {
    const { definition, args } = term;
    const parts = args.map((arg) => failedBy(arg, failure));
    if (definition.failed !== undefined) return definition.failed(parts, writingOf(args));
    if (definition.fails !== true || failure === 'thrown') return either(parts);
    const own = bind(args.map(value), (names) => {
      const filled = names.filter((_, at) => args[at]?.blank === true).map((name) => sql` and ${name} is not null`);
      return sql`(${definition.sql(names, writingOf(args))} is null${sql.join(filled, '')})`;
    });
    return either([...parts, own]);
  };

  const failedBy = (term: Term, failure: Failure): Sql | undefined => {
    steps += 1;
    if (steps > mostSteps) throw tooLarge();
    if (term.op === 'call') return failedCall(term, failure);
    const parts = either(partsOf(term).map((part) => failedBy(part, failure)));
    if (failure === 'thrown') return parts;
    if (term.op === 'arithmetic' || term.op === 'negative') return either([parts, sql`(${value(term)} is null)`]);
    if (term.op === 'convert' && canFail(term.of.type, term.type)) {
      const { of, type } = term;
      return either([
        parts,
        bind(
          [value(of)],
          ([v]) =>
            sql`(not (${isEmpty(v as Sql, of.type)}) and ${converted(v as Sql, of.type, type, zone, bind)} is null)`,
        ),
      ]);
    }
    return parts;
  };

  const cell = value(root);
  const thrown = failedBy(root, 'thrown');
  const result =
    thrown === undefined ? finished(cell, root) : sql`case when ${thrown} then null else ${finished(cell, root)} end`;
  return result;
};

const isTooLong = (text: Sql): boolean => compile(text).text.length > longestSql;

/** Whether a formula is too large does not depend on how many records it is for. */
export const emit = (root: Term, source: Source): Sql => {
  const quick = source.isForMany === true ? written(root, source, true) : undefined;
  if (quick !== undefined && !isTooLong(quick)) return quick;
  const result = written(root, source, false);
  if (isTooLong(result)) throw tooLarge();
  return result;
};

/** A text that always has a character. */
const isNeverEmpty = (term: Term): boolean => {
  if (term.op === 'constant') return typeof term.value === 'string' && term.value !== '';
  if (term.op === 'join') return term.parts.some(isNeverEmpty);
  return (
    term.op === 'call' &&
    term.definition.name === 'IF' &&
    term.args.length === 3 &&
    term.args.slice(1).every(isNeverEmpty)
  );
};

/** As it is stored: an empty text is an empty cell, and -0 is 0. */
const finished = (cell: Sql, term: Term): Sql => {
  const {
    op,
    type: { kind, list },
  } = term;
  if (list || op === 'field' || (kind === 'text' && isNeverEmpty(term))) return cell;
  return kind === 'text' || kind === 'blank' ? sql`nullif(${cell}, '')` : kind === 'number' ? sql`(${cell}) + 0` : cell;
};

const tooLarge = (): FormulaError =>
  new FormulaError('This formula is too large', {
    start: 0,
    end: 0,
    expected: 'a smaller one; parts of it can be formulas of their own',
  });
