// The end of every change of fields: formulas follow. What each gives is worked out again from the fields as they are now; where that or the
// cells it needs are others than before, its column is filled again, at once in small tables, by a job in large ones.
import { isDeepStrictEqual } from 'node:util';
import { invalid } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { ComputedState, FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { sqlState } from '../../db/error.ts';
import { compile, sql } from '../../db/sql.ts';
import { addJob } from '../../work/job.sql.ts';
import { type Formula, type Formulas, formulaSql, formulasOf, isFormula, resultOf } from '../cell/formula.sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { ownColumnOf } from '../cell/types.ts';
import { limits } from '../computed/plan.ts';
import { addColumn, dropColumn } from './column.sql.ts';
import { updateComputed } from './field.sql.ts';
import { fitFormulaOptions } from './fit-formula-options.ts';
import { settleKind, type SettlePayload } from './fill-later.ts';
import { fillAll, fillFromExpression, hasMoreThan, lockWriters } from './settle-formulas.sql.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView } from './view-reference.ts';

/** By field ids, so that another name of a column is no other formula. */
const textOf = (formula: Formula, byId: ReadonlyMap<string, FieldSchema>): string =>
  compile(
    formulaSql(formula, byId, {
      cell: ({ id }) => sql.id(id),
      recordId: sql.id('__id'),
      system: (name) => sql.id(name),
    }),
  ).text;

const meansTheSame = (one: FieldSchema | undefined, other: FieldSchema): boolean =>
  one !== undefined &&
  one.type === other.type &&
  isDeepStrictEqual([one.options, one.computed ?? null], [other.options, other.computed ?? null]);

interface Settling {
  before: Pick<TableSchema, 'fields' | 'byId'>;
  after: TableSchema;
  was: Formulas;
  now: Formulas;
  /** Fields whose cells may be others than before. */
  changed: Set<string>;
}

/** Whether the cells in its column are those that it gives. */
const holds = ({ before, after, was: formulas, changed }: Settling, formula: Formula): boolean => {
  const { field, references } = formula;
  const was = formulas.get(field.id);
  if (was == null || references.some((id) => changed.has(id))) return false;
  return textOf(was, before.byId) === textOf(formula, after.byId);
};

interface Next {
  field: FieldSchema;
  /** Its column has to be made again: of another type, or emptied. */
  isNewColumn: boolean;
  isToFill: boolean;
}

const nextOf = (settling: Settling, field: FieldSchema): Next => {
  // What its column is of: a new one was made for what it gives, another one is as it was.
  const had = settling.before.byId.get(field.id)?.computed ?? (field.computed as ComputedState);
  const formula = settling.now.get(field.id) ?? null;
  if (formula === null) {
    settling.changed.add(field.id);
    return {
      field: { ...field, computed: { cellValueType: had.cellValueType, isMultiple: had.isMultiple, state: 'broken' } },
      isNewColumn: had.state !== 'broken',
      isToFill: false,
    };
  }
  const result = resultOf(formula);
  const isSame = result.cellValueType === had.cellValueType && result.isMultiple === had.isMultiple;
  const options = isSame ? field.options : fitFormulaOptions(field.options, result);
  const isRight = isSame && holds(settling, formula);
  if (!isRight) settling.changed.add(field.id);
  if (formula.isAtRead)
    return {
      field: { ...field, options, computed: { ...result, state: 'atRead' } },
      isNewColumn: !isSame || had.state !== 'atRead',
      isToFill: false,
    };
  const isFilled = isRight && (had.state === 'settled' || had.state === 'settling');
  return {
    field: { ...field, options, computed: isFilled ? had : { ...result, state: 'settled' } },
    isNewColumn: !isSame,
    isToFill: !isFilled,
  };
};

/** In an order in which each comes after those it needs. */
const nextOnes = (settling: Settling): Next[] => {
  const { after, now } = settling;
  const order = [...now.keys()].map((id) => after.byId.get(id) as FieldSchema);
  return order.map((field) => nextOf(settling, field));
};

const remakeColumn = async (tx: Tx, table: TableSchema, field: FieldSchema): Promise<void> => {
  await dropColumn(tx, table, field.dbFieldName);
  await addColumn(tx, table, field.dbFieldName, ownColumnOf(field) as NonNullable<ReturnType<typeof ownColumnOf>>);
};

/** What PostgreSQL refuses although the checks passed, such as a pattern that only it finds fault with. */
const explain = (error: unknown): unknown =>
  (sqlState(error) ?? '').startsWith('22') || sqlState(error) === '54001'
    ? invalid({
        path: 'options.expression',
        message: 'The database cannot compute this formula',
        expected: 'another formula',
      })
    : error;

const withFields = (table: TableSchema, fields: readonly FieldSchema[]): TableSchema => ({
  ...table,
  fields,
  byId: new Map(fields.map((field) => [field.id, field])),
});

/** What it reads of its record is not filled itself: the job fills them one after the other. */
const waitsFor = ({ after, now }: Settling, next: readonly Next[]): boolean =>
  next.some(({ field }) =>
    now
      .get(field.id)
      ?.references.some(
        (id) => !isFormula(after.byId.get(id) as FieldSchema) && after.byId.get(id)?.computed?.state === 'settling',
      ),
  );

/** In the transaction of the change. `after` is the schema that it left. Answers whether anything about it is other now, and whether there is a job. */
export const settleFormulas = async (
  tx: Tx,
  before: Pick<TableSchema, 'fields' | 'byId'>,
  after: TableSchema,
): Promise<{ isChanged: boolean; hasJob: boolean }> => {
  if (!after.fields.some(isFormula)) return { isChanged: false, hasJob: false };
  const changed = new Set(
    after.fields
      .filter((field) => !isFormula(field) && !meansTheSame(before.byId.get(field.id), field))
      .map(({ id }) => id),
  );
  const settling: Settling = { before, after, was: formulasOf(before.fields), now: formulasOf(after.fields), changed };
  const next = nextOnes(settling);
  const toFill = next.filter(({ isToFill }) => isToFill);
  if (toFill.length > 0) await lockWriters(tx, after);
  for (const { field, isNewColumn } of next) if (isNewColumn) await remakeColumn(tx, after, field);
  const isLarge =
    toFill.length > 0 && (waitsFor(settling, toFill) || (await hasMoreThan(tx, after, limits.filledAtOnce)));
  const run = newId('job');
  const states = next.map(({ field, isToFill }): FieldSchema => {
    const state = field.computed as ComputedState;
    // One job for all: those that another job was filling begin again with the new ones.
    return isLarge && (isToFill || state.state === 'settling')
      ? { ...field, computed: { ...state, state: 'settling', run } }
      : field;
  });
  const byId = new Map(states.map((field) => [field.id, field]));
  const fields = after.fields.map((field) => byId.get(field.id) ?? field);
  if (!isLarge) {
    await fillAll(
      tx,
      withFields(after, fields),
      toFill.map(({ field }) => field),
    ).catch((error: unknown) => {
      throw explain(error);
    });
  }
  const written = states.filter(
    (field) =>
      !isDeepStrictEqual(
        [field.computed, field.options],
        [after.byId.get(field.id)?.computed, after.byId.get(field.id)?.options],
      ),
  );
  for (const field of written) await updateComputed(tx, field);
  const types = next.filter(({ isNewColumn }) => isNewColumn);
  if (types.length > 0)
    await updateReferences(
      tx,
      after.views.map((view) => fitView(view, new Map(fields.map((field) => [field.id, field])))),
      after.views,
    );
  if (isLarge) {
    const payload: SettlePayload = { baseId: after.baseId, tableId: after.id, run };
    await addJob(tx, { kind: settleKind, key: `${after.id} ${run}`, baseId: after.baseId, payload });
  }
  return { isChanged: written.length > 0 || types.length > 0, hasJob: isLarge };
};

/** A field that was computed and becomes something else leaves its cells: its column has to hold them, whatever it was read from. */
export const fillForConversion = async (
  tx: Tx,
  table: TableSchema,
  from: FieldSchema,
  to: FieldSchema,
): Promise<FieldSchema> => {
  const { computed } = from;
  // Of one that lost what it needs the column still holds what it showed before: it becomes the empty cells that people see. Links to a table in the trash are refused elsewhere.
  if (
    computed != null &&
    ((isLookedUp(from) && computed.state !== 'settled') || (isLink(from) && computed.state === 'settling'))
  ) {
    await lockWriters(tx, table);
    await fillFromExpression(tx, table, from);
    return { ...from, computed: isLink(from) ? null : { ...computed, state: 'settled' } };
  }
  if (!isFormula(from) || isFormula(to) || from.computed == null || from.computed.state === 'settled') return from;
  await lockWriters(tx, table);
  await fillAll(tx, table, from.computed.state === 'broken' ? [] : [from]);
  return { ...from, computed: { ...from.computed, state: 'settled' } };
};
