// A formula as it was sent → as it is kept: names become ids, and what it gives is worked out. Mistakes are 400, with their place.
import { conflict, invalid } from '@rowhouse/contract/error.ts';
import type { ComputedState, FieldSchema } from '../../catalog/table.ts';
import { sql } from '../../db/sql.ts';
import { formulaCycle, type Formula, formulaSql, formulasOf, isFormula, resultOf } from '../cell/formula.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { refuseFormula } from '../cell/type/formula.ts';
import { check } from '../formula/check.ts';
import { parse } from '../formula/parse.ts';
import { fieldFinder, withIds } from '../formula/references.ts';
import { single } from '../formula/term.ts';
import { completeFormulaOptions, fitFormulaOptions } from './fit-formula-options.ts';

/** Looks at the text as it was sent, so that places in it are those that the caller sees. What fields give does not matter for that. */
const demandSound = (text: string, fields: readonly FieldSchema[]): void => {
  const find = fieldFinder(fields);
  check(parse(text), {
    field(key) {
      const field = find(key);
      return field === undefined ? undefined : { id: field.id, name: field.name, type: single('text') };
    },
    fieldNames: () => fields.map(({ name }) => name),
  });
};

const replaced = (fields: readonly FieldSchema[], field: FieldSchema): FieldSchema[] =>
  fields.some(({ id }) => id === field.id)
    ? fields.map((one) => (one.id === field.id ? field : one))
    : [...fields, field];

/** Its size is only known once it is written. */
const demandSmall = (formula: Formula, fields: readonly FieldSchema[]): void => {
  const byId = new Map(fields.map((field) => [field.id, field]));
  formulaSql(formula, byId, {
    cell: (field) => sql.id('r', field.dbFieldName),
    recordId: sql.id('r', '__id'),
    system: (name) => sql.id('r', name),
  });
};

const unknown: ComputedState = { cellValueType: 'string', isMultiple: false, state: 'broken' };

/** `settling` until its cells are looked after, at the end of the change of the schema. */
const stateOf = (formula: Formula): ComputedState => ({
  ...resultOf(formula),
  state: formula.isAtRead ? 'atRead' : 'settling',
});

/** `seen`: the fields that the caller may name; `fields`: all of the table. Both may hold the field as it was. */
export const resolveFormula = (
  field: FieldSchema,
  fields: readonly FieldSchema[],
  at: string,
  seen: readonly FieldSchema[] = fields,
): FieldSchema => {
  if (!isFormula(field)) return field.computed == null || isLookedUp(field) ? field : { ...field, computed: null };
  const path = `${at}.expression`;
  const nameable = replaced(seen, field);
  try {
    const text = String(field.options.expression);
    demandSound(text, nameable);
    const drafted: FieldSchema = {
      ...field,
      options: { ...field.options, expression: withIds(text, nameable) },
      computed: unknown,
    };
    const all = replaced(fields, drafted);
    const cycle = formulaCycle(all, field.id);
    if (cycle !== undefined)
      throw invalid({
        path,
        message: `The formula would need itself: ${cycle.join(' → ')}`,
        expected: 'fields that do not depend on this one',
      });
    const formula = formulasOf(all).get(field.id);
    if (formula == null)
      throw invalid({
        path,
        message: 'The formula names a field whose own formula has an error',
        expected: 'fields without errors',
      });
    demandSmall(formula, all);
    return {
      ...drafted,
      options: completeFormulaOptions(drafted.options, resultOf(formula), at),
      computed: stateOf(formula),
    };
  } catch (error) {
    throw refuseFormula(error, path);
  }
};

/** For one that comes back: others may have come to need it meanwhile. */
export const demandNoCycle = (field: FieldSchema, fields: readonly FieldSchema[]): void => {
  const cycle = formulaCycle(replaced(fields, field), field.id);
  if (cycle !== undefined)
    throw conflict(`"${field.name}" would need itself: ${cycle.join(' → ')}. Change one of these formulas first`);
};

/** The same for a formula that was there before, as when a change is undone: one that cannot be computed any more is broken. */
export const reviveFormula = (field: FieldSchema, fields: readonly FieldSchema[]): FieldSchema => {
  if (!isFormula(field)) return field.computed == null || isLookedUp(field) ? field : { ...field, computed: null };
  const formula = formulasOf(replaced(fields, field)).get(field.id);
  if (formula == null) return { ...field, computed: { ...(field.computed ?? unknown), state: 'broken' } };
  return { ...field, options: fitFormulaOptions(field.options, resultOf(formula)), computed: stateOf(formula) };
};

/** The formulas of a new table, which may name fields that stand behind them. */
export const resolveFormulas = (fields: readonly FieldSchema[], at: (index: number) => string): FieldSchema[] => {
  let resolved = [...fields];
  fields.forEach((field, index) => {
    if (isFormula(field))
      resolved = replaced(resolved, {
        ...field,
        options: { ...field.options, expression: idsIn(field, fields, `${at(index)}.options.expression`) },
      });
  });
  return resolved.map((field, index) => resolveFormula(field, resolved, `${at(index)}.options`));
};

const idsIn = (field: FieldSchema, fields: readonly FieldSchema[], path: string): string => {
  try {
    demandSound(String(field.options.expression), fields);
    return withIds(String(field.options.expression), fields);
  } catch (error) {
    throw refuseFormula(error, path);
  }
};
