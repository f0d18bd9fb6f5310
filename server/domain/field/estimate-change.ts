// Estimates of the work that a change of a field means, before it is done.
import type { FieldSchema } from '../../catalog/table.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { readTable } from './change-schema.ts';
import { findField } from './get-field.ts';
import { keepsCells } from './convert-cells.ts';
import { type Conversion, nextOptions } from './convert-field.ts';
import { type Loss, lossOf } from './estimate-loss.ts';
import { selectPeople } from './field.sql.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';

export interface Estimate {
  estimateTime: number;
  updateCellCount: number;
  linkFieldCount: number;
}

/** A rough figure, for a bar that moves: a cell is read, written again, and its history with it. */
const msPerCell = 0.04;

const estimateOf = (cells: number): Estimate => ({ estimateTime: Math.ceil(cells * msPerCell), updateCellCount: cells, linkFieldCount: 0 });

/** Nothing is calculated later: creating, deleting and looking at a field rewrite no cell. */
export const estimateNothing = async (context: Context, tableId: string, fieldId?: string): Promise<Estimate> => {
  const table = await readTable(context, tableId);
  if (fieldId !== undefined) findField(sightOf(context, table), fieldId);
  return estimateOf(0);
};

export const estimateConversion = (context: Context, fieldId: string, given: Conversion): Promise<Estimate & Partial<Loss> & { skip?: boolean }> =>
  guardedRead<Estimate & Partial<Loss> & { skip?: boolean }>({ unconfirmed: context }, async (within, sight) => {
    const { table } = sight;
    const field = findField(sight, fieldId);
    const type = fieldTypeOf(given.type);
    const after: FieldSchema = { ...field, type: type.type, options: nextOptions(field, type, given) };
    if (keepsCells(field, after)) return seen(within, sight, { ...estimateOf(0), skip: true });
    const people = type.namesPeople === true ? await selectPeople(within.db, within.access.spaceId, table.baseId) : [];
    const loss = await lossOf(within.db, table, field, after, { now: within.now(), callerId: within.principal.userId, people });
    // Nobody is told of cells in records that they do not see.
    const told = sight.records === null ? loss : { ...loss, lostExamples: [] };
    return seen(within, sight, { ...estimateOf(ownColumnOf(after) === null ? 0 : loss.filledCellCount), ...told, ...(ownColumnOf(after) === null ? { skip: true } : {}) });
  });
