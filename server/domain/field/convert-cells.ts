// Carries the cells of a field over when its type or options change. Where statements can do it, they do; what needs the
// reading of a type (text → number, date, choices, people) goes through it in batches.
import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { isFormula } from '../cell/formula.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { type Choice, choicesOf } from '../cell/kind/choice.sql.ts';
import type { CastResult, CellContext, ConversionStep, Stored } from '../cell/type.ts';
import { colorAt } from '../cell/type/select.ts';
import { cellTypeOf, fieldTypeOf, ownColumnOf } from '../cell/types.ts';
import { addColumn, dropColumn, retypeColumn } from './column.sql.ts';
import {
  addCarriedColumn,
  carryInColumn,
  carryInPlace,
  readCarriedColumn,
  selectCarried,
  selectTelling,
  updateCarried,
  updateCells,
} from './convert-cells.sql.ts';

const maxChoices = 5_000;
const batchSize = 5_000;

/** Null: every cell has to be read. What the server knows of a record is nothing that statements could turn into another. */
export const stepsFor = (from: FieldSchema, to: FieldSchema): ConversionStep[] | null => {
  if (from.type !== to.type && fieldTypeOf(from).systemColumn !== undefined) return null;
  // Cells of a lookup may be lists of what its type has one of. Texts are written of whatever there is.
  if (isLookedUp(from) && !isLookedUp(to) && cellTypeOf(to).kind !== 'text')
    return cellTypeOf(from).isMultiple || from.type !== to.type ? null : [];
  return fieldTypeOf(to).convert(from, cellTypeOf(from), to);
};

const isDerived = (field: FieldSchema): boolean => isFormula(field) || isLookedUp(field);

/** Whether every cell stays as it is: then there is nothing to carry over, and nothing for the history. Cells that were computed have none, and have to have one from now on. */
export const keepsCells = (from: FieldSchema, to: FieldSchema): boolean =>
  isDerived(from) === isDerived(to) && !isLookedUp(to) && stepsFor(from, to)?.length === 0;

/** New choices for the texts that cells hold, until there are too many to be choices. */
export const growChoices = (field: FieldSchema): { choices: Choice[]; add: (name: string) => string } => {
  const choices = [...choicesOf(field.options)];
  const names = new Set(choices.map((choice) => choice.name));
  const add = (name: string): string => {
    if (names.has(name)) return name;
    if (choices.length >= maxChoices) {
      throw invalid({
        path: 'type',
        message: `"${field.name}" has more than ${maxChoices} different texts; that is too many for choices`,
        expected: `at most ${maxChoices} different texts`,
      });
    }
    names.add(name);
    choices.push({ id: newId('cho'), name, color: colorAt(choices.length) });
    return name;
  };
  return { choices, add };
};

/** What the new type makes of a carried cell, and whether it understood it. */
export const castCarried = (carried: unknown, to: FieldSchema, context: CellContext): CastResult => {
  const type = fieldTypeOf(to.type);
  // A list of one is as good as what is in it, where the new type has no lists.
  const value = Array.isArray(carried) && carried.length === 1 && !cellTypeOf(to).isMultiple ? carried[0] : carried;
  const strict = type.read(value, to, context);
  return strict.ok ? { value: strict.value, note: 'converted' } : type.cast(value, to, context);
};

export const readCarried = (carried: unknown, to: FieldSchema, context: CellContext): Stored =>
  castCarried(carried, to, context).value;

/** All cells decide together how each is read. The column holds JSON text. */
const readingOf = async (
  tx: Tx,
  table: TableSchema,
  to: FieldSchema,
  habit: DateOrder | undefined,
): Promise<Pick<CellContext, 'dateOrder' | 'decimalSign'>> => {
  const { columnContext } = fieldTypeOf(to.type);
  return columnContext === undefined
    ? {}
    : columnContext(await selectTelling(tx, table, to.dbFieldName, cellTypeOf(to).kind), to, habit);
};

interface Reading {
  /** Of the JSON text that stands in the column on the way. */
  value: (json: unknown) => Stored;
  /** Records with an entry of this operation have their cell already. */
  except?: number;
}

/** Reads every carried cell with the new type. Equal cells are read once per batch. */
export const readCells = async (
  tx: Tx,
  table: TableSchema,
  to: FieldSchema,
  { value: valueOf, except }: Reading,
): Promise<void> => {
  const read = (text: string): string | null => {
    const stored = valueOf(JSON.parse(text));
    return stored === null ? null : JSON.stringify(stored);
  };
  let after = '';
  for (;;) {
    const cells = await selectCarried(tx, table, to.dbFieldName, { after, limit: batchSize, except });
    if (cells.length === 0) return;
    const known = new Map<string, string | null>();
    for (const { value } of cells) if (!known.has(value)) known.set(value, read(value));
    const changed = cells.filter(({ value }) => known.get(value) !== value);
    await updateCarried(
      tx,
      table,
      to.dbFieldName,
      changed.map(({ id }) => id),
      changed.map(({ value }) => known.get(value) as string | null),
    );
    after = (cells.at(-1) as { id: string }).id;
  }
};

const runSteps = async (tx: Tx, table: TableSchema, name: string, steps: readonly ConversionStep[]): Promise<void> => {
  for (const step of steps) {
    if ('retype' in step) await retypeColumn(tx, table, name, step.retype, step.using);
    else await updateCells(tx, table, name, step);
  }
};

/**
 * Carries the cells over. `from` and `to` are the same field before and after; its column is already called
 * `to.dbFieldName` and has no constraints. Answers the field, with the choices that its cells asked for.
 */
export const convertCells = async (
  tx: Tx,
  table: TableSchema,
  from: FieldSchema,
  to: FieldSchema,
  context: Omit<CellContext, 'addChoice'>,
): Promise<FieldSchema> => {
  const steps = stepsFor(from, to);
  const [source, target] = [ownColumnOf(from), ownColumnOf(to)];
  if (steps?.length === 0 && (source === null) === (target === null) && !isLookedUp(to)) return to;
  // Cells of formulas follow from the expression, see settle-formulas.ts; those of the last change of some fields from what is written.
  if (target !== null && fieldTypeOf(to).isComputed) {
    if (source !== null) await dropColumn(tx, table, to.dbFieldName);
    await addColumn(tx, table, to.dbFieldName, target);
    return to;
  }
  if (target === null) {
    if (source !== null) await dropColumn(tx, table, to.dbFieldName);
    return to;
  }
  if (steps !== null) {
    await runSteps(tx, table, to.dbFieldName, steps);
    return to;
  }
  // A column of the old type cannot hold new cells, and a second column would use up one of the 1,600 that a
  // table can ever have: on the way the cells are JSON text.
  if (source === null) await addCarriedColumn(tx, table, from, to);
  else if (fieldTypeOf(from).systemColumn !== undefined && source === 'text') await carryInPlace(tx, table, from, to);
  else await carryInColumn(tx, table, from, to);
  const { choices, add } = growChoices(to);
  const cells: CellContext = {
    ...context,
    ...(await readingOf(tx, table, to, context.dateHabit)),
    addChoice: (_field, choice) => add(choice),
  };
  await readCells(tx, table, to, { value: (carried) => readCarried(carried, to, cells) });
  await readCarriedColumn(tx, table, to.dbFieldName, target);
  return choices.length === choicesOf(to.options).length ? to : { ...to, options: { ...to.options, choices } };
};

/** For those who know better what the cells are to be. */
export type CarryCells = typeof convertCells;
