// Undoes a change of fields or views: what was renamed, converted, hidden, sorted … is what it was; what was made is in the
// trash, and what was deleted is back. It is a change of the schema itself, so it can be undone in the same way.
import { isDeepStrictEqual } from 'node:util';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { RestoreConflict, restoreHistory as endpoint } from '@rowhouse/contract/history.ts';
import { demand } from '../../catalog/access.ts';
import { sightOf } from '../../catalog/sight.ts';
import { loadTable, type FieldSchema, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import type { TableContext } from '../../pipeline/pipeline.ts';
import { isLink } from '../cell/linked.sql.ts';
import { changeSchema, type SchemaWork } from '../field/change-schema.ts';
import { redefineField } from '../field/convert-field.ts';
import { newLineage } from '../field/lineage.ts';
import { freeDbName } from '../field/db-name.ts';
import { trashFieldsOf } from '../field/delete-fields.ts';
import { demandNoCycle } from '../field/resolve-formula.ts';
import { untrashField } from '../field/restore-field.ts';
import {
  changedParts,
  type FieldChange,
  type SchemaDifference,
  type ViewChange,
  type ViewDifference,
  viewParts,
} from '../field/schema-change.ts';
import { fitView } from '../field/view-reference.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { demandOwnership } from '../view/personal-view.ts';
import { demandChangeable, mayOverrule } from '../view/change-view.ts';
import { trashViewOf } from '../view/delete-view.ts';
import { untrashView } from '../view/restore-view.ts';
import { updateView } from '../view/view.sql.ts';
import { type OperationRow, selectLaterChanges } from './history.sql.ts';
import { maxListed, refuse } from './refuse.ts';

interface Undoing {
  context: TableContext;
  tx: Tx;
  operation: OperationRow;
  force: boolean;
  own: SchemaWork;
}

type Part = FieldChange | ViewChange;
const actionOf = ({ before, after }: Part): 'create' | 'delete' | 'update' =>
  after === null ? 'create' : before === null ? 'delete' : 'update';

const demandRights = ({ access }: TableContext, { fields, views }: SchemaDifference, kind: string): void => {
  for (const change of fields) demand(access, `field|${actionOf(change)}`, access.tableId);
  // What a change of fields did to views comes back with it.
  if (kind === 'view' || fields.length === 0)
    for (const change of views) demand(access, `view|${actionOf(change)}`, access.tableId);
};

const conflict = (message: string, fieldId = ''): RestoreConflict => ({
  recordId: '',
  fieldId,
  reason: 'changed_since',
  message,
});

const fieldConflicts = (table: TableSchema, { before, after }: FieldChange): RestoreConflict[] => {
  if (after === null) return [];
  const now = table.byId.get(after.id);
  if (now === undefined) return [{ ...conflict(`"${after.name}" is deleted`, after.id), reason: 'field_deleted' }];
  if (before === null) return [];
  // Other choices than those of then are no reason to keep a type: what was written since is carried over.
  const parts = changedParts(before, after).filter((part) => part !== 'options' || before.type === after.type);
  return parts
    .filter((part) => !isDeepStrictEqual(now[part], after[part]))
    .map((part) => conflict(`"${now.name}" has since been given another ${part}`, now.id));
};

/** Columns of fields that come or go with the change are no part of the comparison: they come and go with their fields. */
const columnsOf = (
  { columns }: ViewDifference,
  { fields }: SchemaDifference,
): [string, ViewSchema['columnMeta'][string] | null][] => {
  const own = new Set(
    fields.flatMap(({ before, after }) =>
      before === null || after === null ? [(before ?? (after as FieldSchema)).id] : [],
    ),
  );
  return Object.entries(columns).filter(([fieldId]) => !own.has(fieldId));
};

const viewConflicts = (table: TableSchema, change: ViewChange, whole: SchemaDifference): RestoreConflict[] => {
  const now = table.views.find(({ id }) => id === change.id);
  const { before, after } = change;
  if (after === null) return [];
  if (now === undefined) return [conflict('The view is deleted')];
  if (before === null) return [];
  const parts = viewParts.filter(
    (part) => part in after.parts && part !== 'decided' && !isDeepStrictEqual(now[part], after.parts[part]),
  );
  const columns = columnsOf(after, whole).filter(
    ([fieldId, column]) => !isDeepStrictEqual(now.columnMeta[fieldId] ?? null, column),
  );
  return [
    ...parts.map((part) => conflict(`The view "${now.name}" has since been given another ${part}`)),
    ...columns.map(([fieldId]) => conflict(`A column of the view "${now.name}" has since been changed`, fieldId)),
  ];
};

/** Cells that somebody wrote since into a field that was made, or that anybody wrote since into one that was converted. */
const cellConflicts = async (
  { context, tx, operation }: Undoing,
  table: TableSchema,
  { before, after }: FieldChange,
): Promise<RestoreConflict[]> => {
  if (after === null || (before !== null && operation.kind !== 'convert')) return [];
  const later = await selectLaterChanges(
    tx,
    table,
    operation.id,
    { fieldId: after.id },
    before === null ? context.principal.userId : null,
    maxListed,
  );
  return later.map(({ recordId, fieldId }) => ({
    recordId,
    fieldId,
    reason: 'changed_since',
    message: `"${after.name}" has since been changed in this record`,
  }));
};

const restoreDefinition = async (
  { context, tx, operation, force, own }: Undoing,
  table: TableSchema,
  before: FieldSchema,
  after: FieldSchema,
): Promise<number> => {
  const now = table.byId.get(after.id);
  if (now === undefined) return 0;
  const others = table.fields.filter(({ id }) => id !== now.id);
  const drafted: FieldSchema = {
    ...now,
    ...Object.fromEntries(changedParts(before, after).map((part) => [part, before[part]])),
    ...(before.isLookup === true ? { computed: before.computed ?? null } : {}),
  };
  // What was written since is in the way of some cells: they are not what they were.
  if (force && drafted.lineage !== now.lineage) drafted.lineage = newLineage();
  demandNoCycle(drafted, table.fields);
  drafted.name = uniqueName(
    drafted.name,
    others.map(({ name }) => name),
  );
  const taken = new Set(others.map(({ dbFieldName }) => dbFieldName));
  if (taken.has(drafted.dbFieldName)) drafted.dbFieldName = freeDbName(drafted.name, taken);
  const { changedCells } = await redefineField(
    context,
    tx,
    table,
    drafted,
    own,
    operation.kind === 'convert' ? operation.id : undefined,
  );
  // No cell changed then, so none may now: such as one with a choice that would go.
  // The other side of a link has other cells without an entry of its own.
  if (operation.kind !== 'convert' && changedCells > 0 && !force && !(isLink(before) && isLink(after)))
    throw refuse(
      [{ ...conflict(`${changedCells} cell(s) of "${now.name}" would change`, now.id), reason: 'does_not_fit' }],
      'field(s) stand',
    );
  return changedCells;
};

const restorePart = async (undoing: Undoing, table: TableSchema, { before, after }: FieldChange): Promise<number> => {
  const { context, tx, operation, own } = undoing;
  if (before !== null && after !== null) return restoreDefinition(undoing, table, before, after);
  if (after === null) {
    // The other side of a link within the table has come back with it.
    if (!table.byId.has((before as FieldSchema).id))
      await untrashField(
        context,
        tx,
        table,
        (before as FieldSchema).id,
        notFound('Operation', operation.publicId),
        own,
      );
  } else if (table.byId.has(after.id)) await trashFieldsOf(context, tx, table, [after.id], own);
  return 0;
};

const restoreParts = (
  { context, operation }: Undoing,
  table: TableSchema,
  now: ViewSchema,
  { before, after }: { before: ViewDifference; after: ViewDifference },
  whole: SchemaDifference,
): ViewSchema => {
  if (operation.kind === 'view') {
    if (now.isLocked && before.parts.isLocked === false && !mayOverrule(context))
      throw forbidden('Only owners and creators may unlock a view');
    if (before.parts.ownerId !== undefined) demandOwnership(context, now, before.parts.ownerId, table.views);
    else if (before.parts.isLocked === undefined) demandChangeable(context, now);
  }
  const columnMeta = { ...now.columnMeta };
  for (const [fieldId, column] of columnsOf(before, whole)) {
    if (column === null) delete columnMeta[fieldId];
    else if (table.byId.has(fieldId)) columnMeta[fieldId] = column;
  }
  const name =
    before.parts.name === undefined
      ? now.name
      : uniqueName(
          before.parts.name,
          table.views.filter(({ id }) => id !== now.id).map((view) => view.name),
        );
  // What was decided comes back only with the very filter that it was about: anyone who has decided since has decided otherwise.
  const isAsDecided = isDeepStrictEqual(
    [now.filter, now.decided ?? null],
    [after.parts.filter ?? now.filter, after.parts.decided ?? null],
  );
  const decided = before.parts.decided !== undefined && isAsDecided ? before.parts.decided : (now.decided ?? null);
  return fitView({ ...now, ...before.parts, name, columnMeta, decided }, table.byId);
};

const restoreViewChange = async (
  undoing: Undoing,
  table: TableSchema,
  change: ViewChange,
  whole: SchemaDifference,
): Promise<void> => {
  const { context, tx, operation } = undoing;
  const now = table.views.find(({ id }) => id === change.id);
  if (change.after === null)
    return untrashView(context, tx, table, change.id, notFound('Operation', operation.publicId));
  if (now === undefined) return;
  if (change.before !== null)
    return updateView(
      tx,
      restoreParts(undoing, table, now, { before: change.before, after: change.after }, whole),
      context.principal.userId,
    );
  return trashViewOf(context, tx, table, now);
};

/** Views come along where columns of theirs come or go with a field. */
const namesOf = (
  { fields, views }: SchemaDifference,
  known: readonly { id: string; name: string }[],
): { fields?: string[]; views?: string[] } =>
  fields.length > 0
    ? { fields: fields.map(({ before, after }) => ((before ?? after) as { name: string }).name) }
    : { views: views.map(({ id }) => known.find((view) => view.id === id)?.name ?? '') };

export const restoreSchema = async (
  context: TableContext,
  operation: OperationRow,
  difference: SchemaDifference,
  force: boolean,
): Promise<ResponseOf<typeof endpoint>> => {
  const { baseId, tableId } = context.access;
  const { fields, views } = difference;
  demandRights(context, difference, operation.kind);
  let operationId: string | null = null;
  let names: { fields?: string[]; views?: string[] } = {};
  const noteOperation = (id: string): void => {
    operationId = id;
    context.noteOperation(id);
  };
  const restored = await changeSchema(
    { ...context, noteOperation },
    tableId,
    async (tx, table, own) => {
      // A change names fields and what their cells were.
      if (!sightOf(context, table).hasAllFields) throw notFound('Operation', operation.publicId);
      const undoing: Undoing = { context, tx, operation, force, own };
      const conflicts = force
        ? []
        : [
            ...fields.flatMap((change) => fieldConflicts(table, change)),
            ...views.flatMap((change) => viewConflicts(table, change, difference)),
          ];
      if (!force) for (const change of fields) conflicts.push(...(await cellConflicts(undoing, table, change)));
      if (conflicts.length > 0) throw refuse(conflicts, 'change(s) stand');
      let cells = 0;
      let present = table;
      // What a field is comes first: the other side of a link within the table comes and goes with it.
      for (const change of fields.toSorted(
        (one, other) => Number(actionOf(one) !== 'update') - Number(actionOf(other) !== 'update'),
      )) {
        cells += await restorePart(undoing, present, change);
        present = await loadTable(tx, baseId, tableId);
      }
      for (const change of views) {
        await restoreViewChange(undoing, present, change, difference);
        present = await loadTable(tx, baseId, tableId);
      }
      names = namesOf(difference, [...present.views, ...table.views]);
      return cells;
    },
    operation.kind === 'view' ? 'view' : 'schema',
    fields
      .flatMap(({ before, after }) => [before?.options.foreignTableId, after?.options.foreignTableId])
      .filter((id) => typeof id === 'string'),
  );
  return { kind: 'schema', operationId, restored, recordIds: [], ...names, skipped: [] };
};
