// Estimates of the work that a change of a field means, before it is done.
import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import { isDeepStrictEqual } from 'node:util';
import type { CellValueType, NewField } from '@rowhouse/contract/field.ts';
import type { FieldGraph } from '@rowhouse/contract/field-plan.ts';
import { type FieldSchema, loadTable, type RelatedTable } from '../../catalog/table.ts';
import { demandUnbound } from '../../catalog/access.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { guardedRead, seen, type TableContext } from '../../pipeline/pipeline.ts';
import { readTable } from './change-schema.ts';
import { isFormula } from '../cell/formula.sql.ts';
import { isLink, linkedBy } from '../cell/linked.sql.ts';
import { countLinked } from '../computed/edge.sql.ts';
import { completeOptions } from './complete-options.ts';
import { demandForeign, draftLink, withLinkName } from './link-field.ts';
import { collectingFor } from './relink-field.ts';
import { lossOfLink } from './relink-field.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { asksToLookUp, draftLookup, lookupName, reachedBy, resolveLookup, withLookupOptions } from './lookup-field.ts';
import { countRecords } from './column.sql.ts';
import { demandZone } from './demand-zone.ts';
import { draftField } from './draft-field.ts';
import { type Found, pictureOf, storedDependents, tablesWith, titledBy } from './field-graph.ts';
import { findField } from './get-field.ts';
import { resolveFormula } from './resolve-formula.ts';
import { selectPreview } from './settle-formulas.sql.ts';
import { keepsCells } from './convert-cells.ts';
import { type Conversion, draftConvertedLink, draftLookedUp, nextOptions } from './convert-field.ts';
import { isSameLink } from './lineage.ts';
import { type Loss, lossOf } from './estimate-loss.ts';
import { selectPeople } from './field.sql.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';

interface Estimate {
  estimateTime: number;
  updateCellCount: number;
  linkFieldCount: number;
  graph: FieldGraph;
}

/** A rough figure, for a bar that moves: a cell is read, written again, and its history with it. */
const msPerCell = 0.04;

/** Cells that are filled again: of formulas all, of what comes through a link those of linked records. */
const countCells = async (db: Queryable, { table, field }: Found, known: RelatedTable): Promise<number> => {
  const own = known.related.get(table.id) as RelatedTable;
  const link = isLink(field)
    ? field
    : isLookedUp(field)
      ? own.byId.get(field.lookupOptions?.linkFieldId ?? '')
      : undefined;
  const linked = link === undefined || !isLink(link) ? undefined : linkedBy(link, own);
  return linked === undefined ? countRecords(db, own) : countLinked(db, linked);
};

/** `isFilled`: every cell of the field itself is written. `field` as it would be. */
const estimateOf = async (
  db: Queryable,
  { table, rule }: Sight,
  field: FieldSchema,
  isFilled: boolean,
  reaches = true,
): Promise<Estimate> => {
  const own = table.related.get(table.id) as RelatedTable;
  const tables = tablesWith(own, field);
  let updateCellCount = isFilled ? await countRecords(db, table) : 0;
  for (const found of reaches ? storedDependents(tables, field.id) : [])
    updateCellCount += await countCells(db, found, own);
  return {
    estimateTime: Math.ceil(updateCellCount * msPerCell),
    updateCellCount,
    linkFieldCount: titledBy(tables, field.id).length,
    graph: pictureOf(tables, field.id, (id) => id === field.id || rule.fieldIds === null || rule.fieldIds.has(id)),
  };
};

/** Read by its expression, it has no cells that could be written. */
const isWritten = (field: FieldSchema): boolean =>
  ownColumnOf(field) !== null &&
  (field.computed == null || field.computed.state === 'settled' || field.computed.state === 'settling');

/** What calculating a field and all that depends on it means; deleting it reaches the same cells. */
export const estimateField = async (context: Context, tableId: string, fieldId: string): Promise<Estimate> => {
  // It counts records and names tables, and nobody who is bound changes fields.
  demandUnbound(context.access, 'what a change of a field costs');
  const sight = sightOf(context, await readTable(context, tableId));
  const field = findField(sight, fieldId);
  return estimateOf(context.db, sight, field, isWritten(field));
};

interface Preview {
  cellValueType: CellValueType;
  isMultipleCellValue: boolean;
  text?: string;
}

const shapeOf = ({ computed }: FieldSchema): Preview | undefined =>
  computed == null ? undefined : { cellValueType: computed.cellValueType, isMultipleCellValue: computed.isMultiple };

/** What a formula gives; for those who see all records also what it gives for one of them. */
const previewOf = async (
  db: Queryable,
  sight: Sight,
  field: FieldSchema,
  recordId: string | undefined,
): Promise<Preview | undefined> => {
  if (field.computed == null) return undefined;
  const { cellValueType, isMultiple } = field.computed;
  const text = await selectPreview(db, sight, field, recordId);
  return { cellValueType, isMultipleCellValue: isMultiple, ...(text === undefined ? {} : { text }) };
};

/** Fills the cells of a formula; other fields begin empty. A formula with a mistake is refused as when it is created. */
export const estimateCreation = async (
  context: Context,
  tableId: string,
  asked: NewField,
  recordId: string | undefined,
): Promise<Estimate & { preview?: Preview }> => {
  const given = withLookupOptions(asked);
  const table = await readTable(context, tableId);
  const sight = sightOf(context, table);
  if (asksToLookUp(given)) {
    const own = await reachedBy(context.db, table, given);
    const field = resolveLookup(
      draftLookup(context.newId, { ...given, name: given.name ?? lookupName(own, given) }, table.fields),
      own,
      given,
    );
    return { ...(await estimateOf(context.db, sight, field, isWritten(field))), preview: shapeOf(field) as Preview };
  }
  if (isLink(given)) {
    completeOptions(fieldTypeOf(given.type), given.options ?? {}, 'options');
    const foreign = await demandForeign(context.db, table.baseId, given.options ?? {}, 'options');
    return estimateOf(
      context.db,
      sight,
      draftLink(
        context,
        table,
        foreign,
        draftField(context.newId, withLinkName(given, foreign), table.fields),
        'options',
      ).field,
      false,
    );
  }
  if (!isFormula(given)) return estimateOf(context.db, sight, draftField(context.newId, given, table.fields), false);
  const field = resolveFormula(draftField(context.newId, given, table.fields), table.fields, 'options', sight.fields);
  await demandZone(context.db, field, 'options');
  const preview = await previewOf(context.db, sight, field, recordId);
  return {
    ...(await estimateOf(context.db, sight, field, isWritten(field))),
    ...(preview === undefined ? {} : { preview }),
  };
};

type ConversionEstimate = Estimate & Partial<Loss> & { skip?: boolean; preview?: Preview };

const nothingLost: Loss = {
  filledCellCount: 0,
  lostCellCount: 0,
  lostExamples: [],
  changedCellCount: 0,
  changedExamples: [],
};

/** To a link, or to what is looked up: what becomes of the cells is told by the table that they lead to, or nothing. */
const estimateRelated = async (
  within: TableContext,
  sight: Sight,
  field: FieldSchema,
  given: Conversion,
): Promise<ConversionEstimate> => {
  const { table } = sight;
  if (asksToLookUp(given)) {
    const after = await draftLookedUp(within.db, table, field, given);
    const isSame =
      isLookedUp(field) &&
      isDeepStrictEqual(
        [field.type, field.lookupOptions, field.options.expression],
        [after.type, after.lookupOptions, after.options.expression],
      );
    const loss = isLookedUp(field)
      ? nothingLost
      : await lossOf(within.db, sight, field, after, {
          now: within.now(),
          callerId: within.principal.userId,
          people: [],
        });
    return {
      ...(await estimateOf(within.db, sight, after, !isSame && isWritten(after), !isSame)),
      ...(isLookedUp(field) ? {} : loss),
      ...(isSame ? { skip: true } : {}),
      preview: shapeOf(after) as Preview,
    };
  }
  const after = await draftConvertedLink(within, within.db, table, field, given);
  if (isSameLink(field, after)) {
    const isRetitled = field.options.lookupFieldId !== after.options.lookupFieldId;
    return {
      ...(await estimateOf(within.db, sight, after, isRetitled, isRetitled)),
      ...(isRetitled ? {} : { skip: true }),
    };
  }
  const own = table.related.get(table.id) as RelatedTable;
  const foreign = await loadTable(within.db, table.baseId, String(after.options.foreignTableId));
  return {
    ...(await estimateOf(within.db, sight, after, true)),
    ...(await lossOfLink(within.db, sight, { ...collectingFor(own, field, foreign, after), undone: undefined })),
  };
};

export const estimateConversion = (
  context: Context,
  fieldId: string,
  asked: Conversion & { dateOrder?: DateOrder },
  recordId: string | undefined,
): Promise<ConversionEstimate> =>
  guardedRead<ConversionEstimate>({ unconfirmed: context }, async (within, sight) => {
    const given = withLookupOptions(asked);
    const { table } = sight;
    const field = findField(sight, fieldId);
    const type = fieldTypeOf(given.type);
    if (isLink(given) || asksToLookUp(given)) {
      const estimate = await estimateRelated(within, sight, field, given);
      return seen(within, sight, estimate);
    }
    const drafted: FieldSchema = {
      ...field,
      type: type.type,
      options: nextOptions(field, type, given),
      isLookup: false,
      lookupOptions: null,
    };
    const after = resolveFormula(drafted, table.fields, 'options', sight.fields);
    if (isFormula(after)) {
      await demandZone(within.db, after, 'options');
      const preview = (await previewOf(within.db, sight, after, recordId)) as Preview;
      const isSame =
        isFormula(field) &&
        field.options.expression === after.options.expression &&
        field.options.timeZone === after.options.timeZone;
      const loss = isFormula(field)
        ? {}
        : await lossOf(within.db, sight, field, after, {
            now: within.now(),
            callerId: within.principal.userId,
            people: [],
          });
      return seen(within, sight, {
        ...(await estimateOf(within.db, sight, after, !isSame && isWritten(after), !isSame)),
        ...loss,
        ...(isSame ? { skip: true } : {}),
        preview,
      });
    }
    if (keepsCells(field, after))
      return seen(within, sight, { ...(await estimateOf(within.db, sight, after, false, false)), skip: true });
    const people = type.namesPeople === true ? await selectPeople(within.db, within.access.spaceId, table.baseId) : [];
    const loss = await lossOf(within.db, sight, field, after, {
      now: within.now(),
      callerId: within.principal.userId,
      people,
      dateHabit: asked.dateOrder,
    });
    const estimate = await estimateOf(within.db, sight, after, ownColumnOf(after) !== null);
    return seen(within, sight, {
      ...estimate,
      ...loss,
      ...(ownColumnOf(after) === null &&
      storedDependents(tablesWith(table.related.get(table.id) as RelatedTable, after), field.id).length === 0
        ? { skip: true }
        : {}),
    });
  });
