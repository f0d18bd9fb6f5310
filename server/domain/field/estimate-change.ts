// Estimates of the work that a change of a field means, before it is done.
import type { CellValueType, FieldGraph, NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { readTable } from './change-schema.ts';
import { isFormula } from '../cell/formula.sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { asksToLookUp, draftLookup, lookupName, resolveLookup } from './lookup-field.ts';
import { countRecords } from './column.sql.ts';
import { demandZone } from './demand-zone.ts';
import { draftField } from './draft-field.ts';
import { graphOf, storedDependents } from './field-graph.ts';
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
  graph: FieldGraph;
}

/** A rough figure, for a bar that moves: a cell is read, written again, and its history with it. */
const msPerCell = 0.04;

/** `columns`: how many fields are written in every record. `field` as it would be. */
const estimateOf = async (db: Queryable, { table, byId }: Sight, field: FieldSchema, columns: number): Promise<Estimate> => {
  const fields = table.byId.has(field.id) ? table.fields.map((one) => (one.id === field.id ? field : one)) : [...table.fields, field];
  const updateCellCount = columns === 0 ? 0 : columns * (await countRecords(db, table));
  return { estimateTime: Math.ceil(updateCellCount * msPerCell), updateCellCount, linkFieldCount: 0, graph: graphOf(table, fields, field.id, (id) => id === field.id || byId.has(id)) };
};

/** Read by its expression, it has no cells that could be written. */
const isWritten = (field: FieldSchema): boolean => ownColumnOf(field) !== null && (field.computed == null || field.computed.state === 'settled' || field.computed.state === 'settling');

/** What calculating a field and all that depends on it means; deleting it reaches the same cells. */
export const estimateField = async (context: Context, tableId: string, fieldId: string): Promise<Estimate> => {
  const sight = sightOf(context, await readTable(context, tableId));
  const field = findField(sight, fieldId);
  return estimateOf(context.db, sight, field, (isWritten(field) ? 1 : 0) + storedDependents(sight.table.fields, field.id).length);
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
  const sight = sightOf(context, table);
  if (asksToLookUp(given)) {
    const own = table.related.get(table.id) as RelatedTable;
    return estimateOf(context.db, sight, resolveLookup(draftLookup(context.newId, { ...given, name: given.name ?? lookupName(own, given) }, table.fields), own, given), 1);
  }
  if (!isFormula(given)) return estimateOf(context.db, sight, draftField(context.newId, given, table.fields), 0);
  const field = resolveFormula(draftField(context.newId, given, table.fields), table.fields, 'options', sight.fields);
  await demandZone(context.db, field, 'options');
  const preview = await previewOf(context.db, sight, field, recordId);
  return { ...(await estimateOf(context.db, sight, field, isWritten(field) ? 1 : 0)), ...(preview === undefined ? {} : { preview }) };
};

type ConversionEstimate = Estimate & Partial<Loss> & { skip?: boolean; preview?: Preview };

export const estimateConversion = (context: Context, fieldId: string, given: Conversion, recordId: string | undefined): Promise<ConversionEstimate> =>
  guardedRead<ConversionEstimate>({ unconfirmed: context }, async (within, sight) => {
    const { table } = sight;
    const field = findField(sight, fieldId);
    const type = fieldTypeOf(given.type);
    if (isLink(field) || isLink(given) || isLookedUp(field) || asksToLookUp(given)) return seen(within, sight, { ...(await estimateOf(within.db, sight, field, 0)), skip: true });
    const after = resolveFormula({ ...field, type: type.type, options: nextOptions(field, type, given) }, table.fields, 'options', sight.fields);
    const dependents = storedDependents(table.fields, field.id).length;
    if (isFormula(after)) {
      await demandZone(within.db, after, 'options');
      const preview = (await previewOf(within.db, sight, after, recordId)) as Preview;
      const isSame = isFormula(field) && field.options.expression === after.options.expression && field.options.timeZone === after.options.timeZone;
      const loss = isFormula(field) ? {} : await lossOf(within.db, table, field, after, { now: within.now(), callerId: within.principal.userId, people: [] });
      const told = sight.records === null ? loss : { ...loss, lostExamples: [] };
      return seen(within, sight, { ...(await estimateOf(within.db, sight, after, isSame ? 0 : (isWritten(after) ? 1 : 0) + dependents)), ...(isFormula(field) ? {} : told), ...(isSame ? { skip: true } : {}), preview });
    }
    if (keepsCells(field, after)) return seen(within, sight, { ...(await estimateOf(within.db, sight, after, 0)), skip: true });
    const people = type.namesPeople === true ? await selectPeople(within.db, within.access.spaceId, table.baseId) : [];
    const loss = await lossOf(within.db, table, field, after, { now: within.now(), callerId: within.principal.userId, people });
    // Nobody is told of cells in records that they do not see.
    const told = sight.records === null ? loss : { ...loss, lostExamples: [] };
    const columns = (ownColumnOf(after) === null ? 0 : 1) + dependents;
    return seen(within, sight, { ...(await estimateOf(within.db, sight, after, columns)), ...told, ...(columns === 0 ? { skip: true } : {}) });
  });
