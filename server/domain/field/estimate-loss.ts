// What a conversion would lose: cells that the new type has no place for. Nothing is written, and no one waits for it.
import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import type { CellContext } from '../cell/type.ts';
import { cellTypeOf, fieldTypeOf, ownColumnOf } from '../cell/types.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { castCarried, growChoices, stepsFor } from './convert-cells.ts';
import { countLost, type Lost, selectChangedCells, selectDistinctCells, selectLostCells } from './estimate-loss.sql.ts';

export interface Loss {
  filledCellCount: number;
  lostCellCount: number;
  /** The most frequent ones, as people see them: none for those who do not see all records. */
  lostExamples: { text: string; count: number }[];
  /** Filled with something else than they hold now. */
  changedCellCount: number;
  changedExamples: { text: string; becomes: string; count: number }[];
  /** Dates that can be read in two ways, and how they would be. */
  ambiguousDates?: { order: DateOrder; by: 'column' | 'guess'; count: number; example?: string };
}

const maxExamples = 5;

/** Texts hold all of a list, other single cells its first item. */
const shortens = (from: FieldSchema, to: FieldSchema): boolean =>
  cellTypeOf(from).isMultiple && !cellTypeOf(to).isMultiple && cellTypeOf(to).kind !== 'text';

const nothing = (): Loss => ({
  filledCellCount: 0,
  lostCellCount: 0,
  lostExamples: [],
  changedCellCount: 0,
  changedExamples: [],
});

const singleOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/** Cells that only the reading of the type can tell: equal ones are read once. */
const lossByReading = async (
  db: Queryable,
  sight: Sight,
  from: FieldSchema,
  to: FieldSchema,
  context: Omit<CellContext, 'addChoice'>,
): Promise<Loss> => {
  const { add } = growChoices(to);
  const type = fieldTypeOf(to.type);
  const distinct = (await selectDistinctCells(db, sight, from, to)).map(({ carried, ...cell }) => ({
    ...cell,
    value: carried === null ? null : (JSON.parse(carried) as unknown),
  }));
  const cells: CellContext = {
    ...context,
    ...type.columnContext?.(
      distinct.map(({ value }) => value),
      to,
      context.dateHabit,
    ),
    addChoice: (_field, name) => add(name),
  };
  const loss = nothing();
  const noteAmbiguous = (text: string | null, count: number): void => {
    const { order = 'monthFirst', by } = cells.dateOrder ?? {};
    loss.ambiguousDates ??= {
      order,
      by: by === 'column' ? 'column' : 'guess',
      count: 0,
      ...(text === null ? {} : { example: text }),
    };
    loss.ambiguousDates.count += count;
  };
  for (const { value, text, count } of distinct) {
    loss.filledCellCount += count;
    const isWhole = !(shortens(from, to) && Array.isArray(value) && value.length > 1);
    const cast = value === null || !isWhole ? { value: null } : castCarried(value, to, cells);
    // A word for no is understood, though the cell is empty then.
    if (cast.value === null && cast.note !== 'converted') {
      loss.lostCellCount += count;
      if (text !== null && loss.lostExamples.length < maxExamples) loss.lostExamples.push({ text, count });
      continue;
    }
    if (cast.isAmbiguous === true) noteAmbiguous(text, count);
    const becomes = cast.value === null ? undefined : type.changed?.(singleOf(value), cast.value);
    if (becomes === undefined) continue;
    loss.changedCellCount += count;
    if (text !== null && loss.changedExamples.length < maxExamples) loss.changedExamples.push({ text, becomes, count });
  }
  return loss;
};

/** Nothing for those who may not see cells: how many of them fit a type says what they are. */
export const lossOf = async (
  db: Queryable,
  sight: Sight,
  from: FieldSchema,
  to: FieldSchema,
  context: Omit<CellContext, 'addChoice'>,
): Promise<Loss | undefined> => {
  if (!sight.seesCells) return undefined;
  const steps = isLookedUp(to) ? null : stepsFor(from, to);
  // Nobody wrote the cells of a field that has none of its own.
  if (steps?.length === 0 || ownColumnOf(from) === null) return nothing();
  if (steps === null && ownColumnOf(to) !== null && !isLookedUp(to)) return lossByReading(db, sight, from, to, context);
  const lost: Lost = {
    steps: ownColumnOf(to) === null || isLookedUp(to) ? null : steps,
    shortens: shortens(from, to),
    isNumber: cellTypeOf(to).kind === 'number',
  };
  const counts = await countLost(db, sight.table, from, lost);
  return {
    ...counts,
    lostExamples: counts.lostCellCount === 0 ? [] : await selectLostCells(db, sight, from, lost, maxExamples),
    changedExamples: counts.changedCellCount === 0 ? [] : await selectChangedCells(db, sight, from, lost, maxExamples),
  };
};
