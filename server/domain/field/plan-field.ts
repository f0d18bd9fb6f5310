// Estimates of the work that a change of a field means, before it is done.
import { Stale } from '../../catalog/stale.ts';
import type { Context } from '../../context.ts';
import { isOfOldSchema } from '../../db/error.ts';
import { readTable } from './change-schema.ts';
import { countFilled } from './column.sql.ts';
import { findField } from './find-field.ts';
import { fieldTypeOf } from './types.ts';

export interface Plan {
  estimateTime: number;
  updateCellCount: number;
  linkFieldCount: number;
}

/** A rough figure, for a bar that moves: a cell is read, written anew, and its history with it. */
const msPerCell = 0.04;

const planFor = (cells: number): Plan => ({ estimateTime: Math.ceil(cells * msPerCell), updateCellCount: cells, linkFieldCount: 0 });

/** Nothing is calculated later: creating, deleting and looking at a field rewrite no cell. */
export const planNothing = async (context: Context, tableId: string, fieldId?: string): Promise<Plan> => {
  const table = await readTable(context, tableId);
  if (fieldId !== undefined) findField(table, fieldId);
  return planFor(0);
};

export const planConversion = async (context: Context, tableId: string, fieldId: string, type: string): Promise<Plan & { skip?: boolean }> => {
  const table = await readTable(context, tableId);
  const field = findField(table, fieldId);
  const isSame = field.type === type && !['singleSelect', 'multipleSelect', 'user', 'rating'].includes(type);
  if (isSame || fieldTypeOf(type).column === null) return { ...planFor(0), skip: true };
  try {
    return planFor(await countFilled(context.db, table, field));
  } catch (error) {
    // Renamed or converted since the schema was read.
    throw isOfOldSchema(error) ? new Stale('schema') : error;
  }
};
