// Estimates of the work that a change of a field means, before it is done.
import type { CellValueType, NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { readTable } from './change-schema.ts';
import { isFormula } from '../cell/formula.sql.ts';
import { countRecords } from './column.sql.ts';
import { demandZone } from './demand-zone.ts';
import { draftField } from './draft-field.ts';
import { findField } from './get-field.ts';
import { resolveFormula } from './resolve-formula.ts';
import { selectPreview } from './settle-formulas.sql.ts';
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

export interface Preview {
  cellValueType: CellValueType;
  isMultipleCellValue: boolean;
  text?: string;
}

/** What a formula gives; for those who see all records also what it gives for one of them. */
const previewOf = async (db: Queryable, sight: Sight, field: FieldSchema, recordId: string | undefined): Promise<Preview | undefined> => {
  if (field.computed == null) return undefined;
  const { cellValueType, isMultiple } = field.computed;
  const text = sight.records === null ? await selectPreview(db, sight.table, field, recordId) : undefined;
  return { cellValueType, isMultipleCellValue: isMultiple, ...(text === undefined ? {} : { text }) };
};

/** Fills the cells of a formula; other fields begin empty. A formula with a mistake is refused as when it is created. */
export const estimateCreation = async (context: Context, tableId: string, given: NewField, recordId: string | undefined): Promise<Estimate & { preview?: Preview }> => {
  const table = await readTable(context, tableId);
  if (!isFormula(given)) return estimateOf(0);
  const sight = sightOf(context, table);
  const field = resolveFormula(draftField(context.newId, given, table.fields), table.fields, 'options', sight.fields);
  await demandZone(context.db, field, 'options');
  const preview = await previewOf(context.db, sight, field, recordId);
  return { ...estimateOf(field.computed?.state === 'atRead' ? 0 : await countRecords(context.db, table)), ...(preview === undefined ? {} : { preview }) };
};

type ConversionEstimate = Estimate & Partial<Loss> & { skip?: boolean; preview?: Preview };

export const estimateConversion = (context: Context, fieldId: string, given: Conversion, recordId: string | undefined): Promise<ConversionEstimate> =>
  guardedRead<ConversionEstimate>({ unconfirmed: context }, async (within, sight) => {
    const { table } = sight;
    const field = findField(sight, fieldId);
    const type = fieldTypeOf(given.type);
    const after = resolveFormula({ ...field, type: type.type, options: nextOptions(field, type, given) }, table.fields, 'options', sight.fields);
    if (isFormula(after)) {
      await demandZone(within.db, after, 'options');
      const preview = (await previewOf(within.db, sight, after, recordId)) as Preview;
      const isSame = isFormula(field) && field.options.expression === after.options.expression && field.options.timeZone === after.options.timeZone;
      const loss = isFormula(field) ? {} : await lossOf(within.db, table, field, after, { now: within.now(), callerId: within.principal.userId, people: [] });
      const told = sight.records === null ? loss : { ...loss, lostExamples: [] };
      return seen(within, sight, { ...estimateOf(isSame ? 0 : await countRecords(within.db, table)), ...(isFormula(field) ? {} : told), ...(isSame ? { skip: true } : {}), preview });
    }
    if (keepsCells(field, after)) return seen(within, sight, { ...estimateOf(0), skip: true });
    const people = type.namesPeople === true ? await selectPeople(within.db, within.access.spaceId, table.baseId) : [];
    const loss = await lossOf(within.db, table, field, after, { now: within.now(), callerId: within.principal.userId, people });
    // Nobody is told of cells in records that they do not see.
    const told = sight.records === null ? loss : { ...loss, lostExamples: [] };
    return seen(within, sight, { ...estimateOf(ownColumnOf(after) === null ? 0 : loss.filledCellCount), ...told, ...(ownColumnOf(after) === null ? { skip: true } : {}) });
  });
