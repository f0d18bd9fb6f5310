// What a conversion would lose: cells that the new type has no place for. Nothing is written, and no one waits for it.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import type { CellContext } from '../cell/type.ts';
import { cellTypeOf, ownColumnOf } from '../cell/types.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { growChoices, readCarried, stepsFor } from './convert-cells.ts';
import { countLost, selectDistinctCells, selectLostCells } from './estimate-loss.sql.ts';

export interface Loss {
  filledCellCount: number;
  lostCellCount: number;
  /** The most frequent ones, as people see them: none for those who do not see all records. */
  lostExamples: { text: string; count: number }[];
}

const maxExamples = 5;

/** Texts hold all of a list, other single cells its first item. */
const shortens = (from: FieldSchema, to: FieldSchema): boolean => cellTypeOf(from).isMultiple && !cellTypeOf(to).isMultiple && cellTypeOf(to).kind !== 'text';

/** Cells that only the reading of the type can tell: equal ones are read once. */
const lossByReading = async (db: Queryable, sight: Sight, from: FieldSchema, to: FieldSchema, context: Omit<CellContext, 'addChoice'>): Promise<Loss> => {
  const { add } = growChoices(to);
  const cells: CellContext = { ...context, addChoice: (_field, name) => add(name) };
  const loss: Loss = { filledCellCount: 0, lostCellCount: 0, lostExamples: [] };
  for (const { carried, text, count } of await selectDistinctCells(db, sight, from, to)) {
    loss.filledCellCount += count;
    const value: unknown = carried === null ? null : JSON.parse(carried);
    const isWhole = !(shortens(from, to) && Array.isArray(value) && value.length > 1);
    if (value !== null && isWhole && readCarried(value, to, cells) !== null) continue;
    loss.lostCellCount += count;
    if (text !== null && loss.lostExamples.length < maxExamples) loss.lostExamples.push({ text, count });
  }
  return loss;
};

export const lossOf = async (db: Queryable, sight: Sight, from: FieldSchema, to: FieldSchema, context: Omit<CellContext, 'addChoice'>): Promise<Loss> => {
  const steps = isLookedUp(to) ? null : stepsFor(from, to);
  // Nobody wrote the cells of a field that has none of its own.
  if (steps?.length === 0 || ownColumnOf(from) === null) return { filledCellCount: 0, lostCellCount: 0, lostExamples: [] };
  if (steps === null && ownColumnOf(to) !== null && !isLookedUp(to)) return lossByReading(db, sight, from, to, context);
  const lost = { steps: ownColumnOf(to) === null || isLookedUp(to) ? null : steps, shortens: shortens(from, to) };
  const counts = await countLost(db, sight.table, from, lost);
  return { ...counts, lostExamples: counts.lostCellCount === 0 ? [] : await selectLostCells(db, sight, from, lost, maxExamples) };
};
