// Formulas over the fields of their table: what each gives, what it needs, and its SQL. Everything is worked out from the list
// of fields, so a formula is right whatever became of the others; it is done once per snapshot of a table.
import { zoneName } from '@rowhouse/contract/zone.ts';
import { type ComputedState, type FieldSchema, siblingsOf } from '../../catalog/table.ts';
import { fence } from '../../db/cluster-form.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { check } from '../formula/check.ts';
import { type Calculation, leavesOf } from '../formula/arithmetic.sql.ts';
import { isShort } from '../formula/bind.sql.ts';
import { emit, simpleCalculation } from '../formula/emit.sql.ts';
import { FormulaError } from '../formula/error.ts';
import { parse } from '../formula/parse.ts';
import { keysOf } from '../formula/references.ts';
import { partsOf, single, type Term, timesAsOperand, type Type } from '../formula/term.ts';
import { cycleIn, dependenciesFirst, downstream, type Needs } from '../../catalog/dependency.ts';
import { pressesOf } from './kind/button.sql.ts';
import { cellTypeOf, fieldTypeOf } from './registry.ts';
import type { CellType } from './type.ts';

export interface Formula {
  field: FieldSchema;
  term: Term;
  type: Type;
  /** Ids of the fields it names. */
  references: readonly string[];
  /** It depends on more than the cells of its record that people write. */
  isAtRead: boolean;
}

export const isFormula = ({ type, isLookup }: { type: string; isLookup?: boolean | undefined }): boolean =>
  type === 'formula' && isLookup !== true;

export const expressionText = ({ options }: FieldSchema): string => String(options.expression ?? '');

const kinds = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'datetime',
  choice: 'text',
  person: 'text',
  link: 'text',
  file: 'text',
  button: 'number',
} as const satisfies Record<CellType['kind'], Type['kind']>;

export const typeOfCells = ({ kind, isMultiple }: CellType): Type => ({ kind: kinds[kind], list: isMultiple });

const valueTypes: Record<Type['kind'], ComputedState['cellValueType']> = {
  text: 'string',
  blank: 'string',
  number: 'number',
  boolean: 'boolean',
  datetime: 'dateTime',
};

export const resultOf = ({ type }: Formula): Pick<ComputedState, 'cellValueType' | 'isMultiple'> => ({
  cellValueType: valueTypes[type.kind],
  isMultiple: type.list,
});

/** The server draws or changes these itself, beside what a request writes. */
const recordFacts = new Set(['CREATED_TIME', 'LAST_MODIFIED_TIME', 'AUTO_NUMBER']);

const usesRecordFacts = (term: Term): boolean =>
  (term.op === 'call' && recordFacts.has(term.definition.name)) || partsOf(term).some(usesRecordFacts);

/** Of one table: null for a formula that cannot be computed, because a field is gone or it needs itself. */
export type Formulas = ReadonlyMap<string, Formula | null>;

/** `done`: of the formulas that it names. One that is not among them needs this one in turn. */
const compileOne = (
  field: FieldSchema,
  byId: ReadonlyMap<string, FieldSchema>,
  done: ReadonlyMap<string, Formula | null>,
): Formula | null => {
  try {
    let isAtRead = false;
    const { term, references, isVolatile } = check(parse(expressionText(field)), {
      field(id) {
        const named = byId.get(id.trim());
        if (named === undefined) return undefined;
        if (!isFormula(named)) {
          isAtRead ||= fieldTypeOf(named).systemColumn !== undefined || named.computed?.state === 'atRead';
          return { id: named.id, name: named.name, type: typeOfCells(cellTypeOf(named)) };
        }
        const formula = done.get(named.id);
        if (formula == null) return undefined;
        isAtRead ||= formula.isAtRead;
        return { id: named.id, name: named.name, type: formula.type };
      },
      fieldNames: () => [],
    });
    const type = term.type.kind === 'blank' ? single('text') : term.type;
    return { field, term, type, references, isAtRead: isAtRead || isVolatile || usesRecordFacts(term) };
  } catch (error) {
    if (error instanceof FormulaError) return null;
    throw error;
  }
};

/** Nothing of a text that cannot be read. */
const keysIn = (field: FieldSchema): string[] => {
  try {
    return keysOf(expressionText(field));
  } catch (error) {
    if (error instanceof FormulaError) return [];
    throw error;
  }
};

/** What the formulas among these fields name. */
const namedBy = (fields: readonly FieldSchema[]): Needs =>
  new Map(fields.filter(isFormula).map((field) => [field.id, keysIn(field)]));

const compiled = new WeakMap<readonly FieldSchema[], Formulas>();

/** Each after those it needs. */
export const formulasOf = (fields: readonly FieldSchema[]): Formulas => {
  const known = compiled.get(fields);
  if (known !== undefined) return known;
  const byId = new Map(fields.map((field) => [field.id, field]));
  const needs = namedBy(fields);
  const done = new Map<string, Formula | null>();
  for (const id of dependenciesFirst(needs.keys(), (one) => needs.get(one)?.filter((need) => needs.has(need))))
    done.set(id, compileOne(byId.get(id) as FieldSchema, byId, done));
  compiled.set(fields, done);
  return done;
};

const referencesIn = new WeakMap<Formulas, Needs>();

/** What those need that can be computed, once per table. */
const referencesOf = (formulas: Formulas): Needs => {
  const known = referencesIn.get(formulas);
  if (known !== undefined) return known;
  const made = new Map(
    [...formulas].flatMap(([id, formula]) => (formula === null ? [] : [[id, formula.references] as const])),
  );
  referencesIn.set(formulas, made);
  return made;
};

/** The fields, and every formula that needs one of them. */
export const reachedFrom = (formulas: Formulas, fieldIds: Iterable<string>): Set<string> =>
  downstream(referencesOf(formulas), fieldIds);

/** The names of the fields along which a formula would need itself, or undefined. */
export const formulaCycle = (fields: readonly FieldSchema[], fieldId: string): string[] | undefined => {
  const needs = namedBy(fields);
  const nameOf = new Map(fields.map(({ id, name }) => [id, name]));
  // Circles of others are not its fault.
  const around = downstream(needs, [fieldId]);
  const through = new Map([...needs].filter(([id]) => around.has(id)));
  return cycleIn(through, fieldId)?.map((id) => nameOf.get(id) as string);
};

/** A cell as formulas take it: numbers as doubles, people and files by their names, records by their titles. */
const asValue = (cell: Sql, field: FieldSchema): Sql => {
  const cells = cellTypeOf(field);
  if (cells.kind === 'person' || cells.kind === 'link')
    return cells.isMultiple ? sql`jsonb_path_query_array(${cell}, '$[*].title')` : cells.text(cell, field);
  if (cells.kind === 'button') return pressesOf(cell);
  if (cells.kind === 'file') return sql`jsonb_path_query_array(${cell}, '$[*].name')`;
  return cells.column === 'bigint' ? sql`${cell}::double precision` : cell;
};

/** Where a statement has the cells of a record, and what it knows of it. */
export interface Cells {
  /** The cell of a field, as its column holds it. */
  cell: (field: FieldSchema) => Sql;
  recordId: Sql;
  /** Columns of the record by name; asked for only where formulas are read by their expression. */
  system: (name: string) => Sql;
  /** Formulas that have no cell here: what they are as operands of others. */
  calculation?: (fieldId: string) => { value: Sql; of: Calculation } | undefined;
  isForMany?: boolean;
}

/** `byId`: of the fields that it may name. */
export const formulaSql = (
  { term, field }: Formula,
  byId: ReadonlyMap<string, FieldSchema>,
  { cell, recordId, system, calculation, isForMany }: Cells,
): Sql => {
  const named = (id: string): FieldSchema => byId.get(id) as FieldSchema;
  return emit(term, {
    field: (id) => asValue(cell(named(id)), named(id)),
    fieldText(id) {
      const cells = cellTypeOf(named(id));
      return cells.kind === 'date' && !cells.isMultiple ? cells.text(cell(named(id)), named(id)) : undefined;
    },
    calculation,
    isForMany,
    timeZone: zoneName(String(field.options.timeZone ?? 'UTC')),
    now: sql`now()`,
    record: {
      id: recordId,
      autoNumber: system('__auto_number'),
      createdTime: system('__created_time'),
      lastModifiedTime: system('__last_modified_time'),
    },
  });
};

interface Step {
  field: FieldSchema;
  formula: Formula;
}

/**
 * For `from`, one after the other. Not as a list: of twelve items and more PostgreSQL tries some orders at random, and when these need each other it finds none and fails. Joins keep the order in which they
 * are written, but for eight at a time.
 */
export const inOrder = (laterals: readonly Sql[]): Sql => sql.join(laterals, ' cross join ');

/** Formulas as laterals, each after those it needs: `lateral (select … as v) __f0 cross join …`. `cell` gives cells that are not among them. */
export const laterals = (
  steps: readonly Step[],
  byId: ReadonlyMap<string, FieldSchema>,
  cells: Cells,
): { from: Sql; value: (field: FieldSchema) => Sql } => {
  const at = new Map(steps.map(({ field }, index) => [field.id, sql.id(`__f${index}`, 'v')]));
  const needed = new Set(steps.flatMap(({ formula }) => formula.references));
  const from = steps.map(({ field, formula }, index) => {
    const value = formulaSql(formula, byId, { ...cells, cell: (one) => at.get(one.id) ?? cells.cell(one) });
    // Without `offset 0` the planner puts the expression in wherever the value is used, and it is computed each time.
    return sql`lateral (select ${value} as v ${needed.has(field.id) ? sql.raw('offset 0') : fence}) ${sql.id(`__f${index}`)}`;
  });
  return { from: inOrder(from), value: (field) => at.get(field.id) as Sql };
};

/** More operands than these are not calculated again in each place. */
const mostOperands = 2;

/**
 * Formulas that others need, as calculations of a few columns to be made again where they are operands: a level takes as long as some twenty multiplications.
 * Undefined when one of them needs a level; the others may as well be in it.
 */
const calculationsOf = (
  steps: readonly Step[],
  byId: ReadonlyMap<string, FieldSchema>,
  cells: Cells,
): Cells['calculation'] => {
  const own = new Set(steps.map(({ field }) => field.id));
  const needed = new Set(steps.flatMap(({ formula }) => formula.references).filter((id) => own.has(id)));
  const made = new Map<string, { value: Sql; of: Calculation }>();
  for (const { field, formula } of steps) {
    if (!needed.has(field.id)) continue;
    const of = simpleCalculation(formula.term, (id) => {
      const named = byId.get(id) as FieldSchema;
      return own.has(id) || !cellTypeOf(named).column.startsWith('double') ? undefined : cells.cell(named);
    });
    const isSimple =
      of !== undefined && of.op !== 'leaf' && leavesOf(of).length <= mostOperands && leavesOf(of).every(isShort);
    const isOperand = steps.every(
      (step) => !step.formula.references.includes(field.id) || timesAsOperand(step.formula.term, field.id) <= 2,
    );
    if (!isSimple || !isOperand) return undefined;
    made.set(field.id, { value: formulaSql(formula, byId, cells), of });
  }
  return (id) => made.get(id);
};

/** Each level is planned with all columns of those below: 200 take PostgreSQL more than a second, as laterals a sixth of it. Up to here they are faster for many records: 1,000 with 50 in 140 ms, as laterals in 252. */
const mostLevels = 50;

/**
 * The same for rows `i` that are at hand: `(select i.*, … as "__f0" from … offset 0) i` holds what other formulas need, a level for each step of the way; `value` gives
 * the rest as expressions over it. A lateral is a join for every row, 0.5 µs; a level copies the columns of the row.
 */
export const levels = (
  steps: readonly Step[],
  byId: ReadonlyMap<string, FieldSchema>,
  given: Cells,
  rows: Sql,
): { from: Sql; value: (field: FieldSchema) => Sql } => {
  const cells: Cells = { ...given, isForMany: true };
  const calculation = calculationsOf(steps, byId, cells);
  const needed = new Set(calculation === undefined ? steps.flatMap(({ formula }) => formula.references) : []);
  const places = new Map(
    steps.flatMap(({ field }, index) => (needed.has(field.id) ? [[field.id, `__f${index}`]] : [])),
  );
  const valueOf = ({ formula }: Step): Sql =>
    formulaSql(formula, byId, {
      ...cells,
      ...(calculation === undefined ? {} : { calculation }),
      cell: (one) => (places.has(one.id) ? sql.id('i', places.get(one.id) as string) : cells.cell(one)),
    });
  const depths = new Map<string, number>();
  const columns: Sql[][] = [];
  const values = new Map<string, Sql>();
  for (const step of steps) {
    const { id } = step.field;
    const value = valueOf(step);
    const place = places.get(id);
    if (place === undefined) {
      values.set(id, value);
      continue;
    }
    const depth = Math.max(0, ...step.formula.references.map((one) => depths.get(one) ?? 0));
    depths.set(id, depth + 1);
    (columns[depth] ??= []).push(sql`${value} as ${sql.id(place)}`);
    values.set(id, sql.id('i', place));
  }
  if (columns.length > mostLevels) {
    const joined = laterals(steps, byId, cells);
    return { from: sql`${rows} cross join ${joined.from}`, value: joined.value };
  }
  // Without `offset 0` the planner puts the expressions in wherever they are used.
  const from = columns.reduce((below, made) => sql`(select i.*, ${sql.join(made)} from ${below} offset 0) i`, rows);
  return { from, value: (field) => values.get(field.id) as Sql };
};

/** Those of the formulas that `wanted` need and for which `isOne` holds, and themselves, each after what it needs. */
export const stepsTo = (
  formulas: Formulas,
  wanted: readonly FieldSchema[],
  isOne: (field: FieldSchema) => boolean,
): Step[] => {
  const computable = wanted.filter(({ id }) => formulas.get(id) != null).map(({ id }) => id);
  const isStep = (id: string): boolean => {
    const formula = formulas.get(id);
    return formula != null && isOne(formula.field);
  };
  return dependenciesFirst(computable, (id) => formulas.get(id)?.references.filter(isStep)).map((id) => {
    const formula = formulas.get(id) as Formula;
    return { field: formula.field, formula };
  });
};

export const columnTypeSql: Record<CellType['column'], Sql> = {
  text: sql`text`,
  'double precision': sql`double precision`,
  boolean: sql`boolean`,
  timestamptz: sql`timestamptz`,
  jsonb: sql`jsonb`,
  bigint: sql`bigint`,
};

export const emptyCell = (field: FieldSchema): Sql => sql`null::${columnTypeSql[cellTypeOf(field).column]}`;

/** Read from its column. */
const isSettled = ({ computed }: FieldSchema): boolean => computed?.state === 'settled';

/** The cells of a formula whose column does not hold them. Formulas that it needs and that are read in the same way are computed once. `other`: the cells of fields that are no formulas. */
export const expressionOf = (
  field: FieldSchema,
  alias: string | undefined,
  other: (field: FieldSchema, alias: string | undefined) => Sql,
): Sql => {
  const fields = siblingsOf(field);
  if (fields === undefined) throw new Error('the expression of a formula needs the fields of its table');
  const formulas = formulasOf(fields);
  if (field.computed?.state === 'broken' || formulas.get(field.id) == null) return emptyCell(field);
  const byId = new Map(fields.map((one) => [one.id, one]));
  const column = (name: string): Sql => (alias === undefined ? sql.id(name) : sql.id(alias, name));
  const cells: Cells = {
    cell: (one) => (isFormula(one) ? column(one.dbFieldName) : other(one, alias)),
    recordId: column('__id'),
    system: column,
  };
  const steps = stepsTo(formulas, [field], (one) => !isSettled(one));
  if (steps.length === 1) return sql`(${formulaSql((steps[0] as Step).formula, byId, cells)})`;
  const { from, value } = laterals(steps, byId, cells);
  return sql`(select ${value(field)} from ${from})`;
};
