// A field that becomes a link, a link that becomes another one, and the end of a link that becomes something else. Keys are made again; what they
// were is in the history, from which undoing brings them back.
import { conflict } from '@rowhouse/contract/error.ts';
import { type FieldSchema, loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isLink, linkedBy, type Linked } from '../cell/linked.sql.ts';
import { ownColumnOf } from '../cell/types.ts';
import { demandComputable, graphOf } from '../computed/graph.ts';
import { stepsFor } from '../computed/plan.ts';
import { fillOnly, isLarge, lockTables } from '../computed/refill.sql.ts';
import type { SchemaWork } from './change-schema.ts';
import {
  addColumn,
  dropColumn,
  dropViewIndexes,
  renameColumn,
  setNotNull,
  unsetNotNull,
  unsetUnique,
} from './column.sql.ts';
import { beginConversion, endConversion } from './convert-history.ts';
import { trashIn } from './delete-fields.ts';
import { takeDeletedField } from './deleted-field.sql.ts';
import { updateField } from './field.sql.ts';
import { draftOtherSide } from './link-field.ts';
import { createKeys, dropKeys } from './link-field.sql.ts';
import { addOtherSide } from './create-field.ts';
import { type Collecting, collectEnds, detached, writeCollected } from './relink-field.sql.ts';
import { untrashIn } from './restore-field.ts';
import { updateReferences } from './view-reference.sql.ts';
import { fitView } from './view-reference.ts';

/** A link as it is; 409 when its table is in the trash: what it leads to cannot be told then. */
export const demandLinked = (table: TableSchema, field: FieldSchema): Linked => {
  const linked = linkedBy(field, table.related.get(table.id));
  if (linked === undefined)
    throw conflict(`The table that "${field.name}" links to is in the trash: restore it or delete it for good first`);
  return linked;
};

/** Before the cells of a link become something else. Its other side is in the trash then, where only undoing finds it. */
export const detachLink = async (
  context: Context,
  tx: Tx,
  { own, foreign, symmetric, ...linked }: Linked,
  work: SchemaWork,
): Promise<void> => {
  if (symmetric !== undefined) {
    const other = await loadTable(tx, foreign.baseId, foreign.id);
    await trashIn(context, tx, other, [detached(other.baseId, other.byId.get(symmetric.id) as FieldSchema)]);
    if (foreign.id !== own.id) work.others = [...(work.others ?? []), foreign.id];
  }
  await dropKeys(tx, { own, foreign, symmetric, ...linked });
};

/** The column has nothing that could be carried over: cells of links are computed. */
const makeColumn = async (tx: Tx, table: TableSchema, before: FieldSchema, after: FieldSchema): Promise<void> => {
  const source = ownColumnOf(before);
  if (source !== null && after.dbFieldName !== before.dbFieldName)
    await renameColumn(tx, table, before.dbFieldName, after.dbFieldName);
  if (isLink(before)) return;
  await dropViewIndexes(tx, table, after.dbFieldName);
  if (source !== null) await dropColumn(tx, table, after.dbFieldName);
  await addColumn(tx, table, after.dbFieldName, 'jsonb');
};

/** The other side stays, comes back from the trash, or is made. */
const placeOtherSide = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  after: FieldSchema,
  work: SchemaWork,
): Promise<void> => {
  const { symmetricFieldId, foreignTableId } = after.options as { symmetricFieldId?: string; foreignTableId: string };
  if (symmetricFieldId === undefined) return;
  const other = await loadTable(tx, table.baseId, foreignTableId);
  const present = other.byId.get(symmetricFieldId);
  const gone = present === undefined ? await takeDeletedField(tx, foreignTableId, symmetricFieldId) : undefined;
  const side: FieldSchema = {
    ...draftOtherSide(table, after, other.fields, present ?? gone?.field),
    lineage: after.lineage ?? null,
  };
  if (present !== undefined) await updateField(tx, side, true);
  else if (gone !== undefined) await untrashIn(tx, other, { ...gone, field: side });
  else await addOtherSide(tx, other, side, context.principal.userId);
  if (foreignTableId !== table.id) work.others = [...(work.others ?? []), foreignTableId];
};

const fitViews = async (tx: Tx, baseId: string, tableId: string): Promise<void> => {
  const { views, byId } = await loadTable(tx, baseId, tableId);
  await updateReferences(
    tx,
    views.map((view) => fitView(view, byId)),
    views,
  );
};

/** What a link is made from. */
export const collectingFor = (
  own: RelatedTable,
  before: FieldSchema,
  foreign: RelatedTable,
  { options: { relationship, lookupFieldId } }: FieldSchema,
): Omit<Collecting, 'undone'> => {
  const from = isLink(before) ? linkedBy(before, own) : undefined;
  return {
    own,
    field: before,
    from: from?.foreign.id === foreign.id ? from : undefined,
    foreign,
    title: foreign.byId.get(String(lookupFieldId)) ?? foreign.primary,
    isMultiple: relationship === 'oneMany' || relationship === 'manyMany',
    isExclusive: relationship === 'oneMany' || relationship === 'oneOne',
  };
};

/**
 * Makes a field the link that was drafted, whatever it was: a link to the same table keeps its links, other cells are looked for among the titles. Answers how many
 * cells are others now. `undone`: the operation whose change is undone; its history knows what cells led to.
 */
export const relinkField = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  before: FieldSchema,
  after: FieldSchema,
  work: SchemaWork,
  undone: number | undefined,
): Promise<number> => {
  const own = table.related.get(table.id) as RelatedTable;
  const from = isLink(before) ? demandLinked(table, before) : undefined;
  const foreign = await loadTable(tx, table.baseId, String(after.options.foreignTableId));
  await lockTables(tx, [
    ...new Map([own, foreign, ...(from === undefined ? [] : [from.foreign])].map((one) => [one.id, one])).values(),
  ]);
  const conversion = await beginConversion(context, tx, table, before);
  if (before.isUnique) await unsetUnique(tx, table, before);
  if (before.notNull) await unsetNotNull(tx, table, before);
  const isSameTable = from?.foreign.id === foreign.id;
  await collectEnds(tx, { ...collectingFor(own, before, foreign, after), undone });
  const keepsSide =
    isSameTable && from?.symmetric !== undefined && from.symmetric.id === after.options.symmetricFieldId;
  if (from !== undefined) await (keepsSide ? dropKeys(tx, from) : detachLink(context, tx, from, work));
  await makeColumn(tx, table, before, after);
  await updateField(tx, after, true);
  await placeOtherSide(context, tx, table, after, work);
  const present = await loadTable(tx, table.baseId, table.id);
  demandComputable(present);
  const linked = linkedBy(present.byId.get(after.id) as FieldSchema) as Linked;
  await createKeys(tx, linked);
  await writeCollected(tx, linked);
  // Its own cells are in the history of the conversion. Those of the other side may be left to a job, with all that is computed from either.
  work.filled = new Set([after.id]);
  const sides = new Set([after.id, ...(linked.symmetric === undefined ? [] : [linked.symmetric.id])]);
  await fillOnly(tx, present, (await isLarge(tx, stepsFor(graphOf(present), sides))) ? work.filled : sides);
  if (after.notNull) await setNotNull(tx, table, after, 'notNull');
  const changedCells = await endConversion(tx, table, { ...after, version: before.version + 1 }, conversion, true);
  if (changedCells > 0) work.operationId = conversion.publicId;
  for (const id of new Set([table.id, foreign.id])) await fitViews(tx, table.baseId, id);
  return changedCells;
};
