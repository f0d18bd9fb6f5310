// A table copied within its base or into another one: fields and views under new ids, and the records if wanted.
import { isMe } from '@rowhouse/contract/filter.ts';
import { lockSchema } from '../../catalog/table.sql.ts';
import { demandWhole, sightOf, type WholeSight } from '../../catalog/sight.ts';
import { type FieldSchema, loadTable, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { operationOf } from '../record/write/write.ts';
import { copyRecordTemplates, newTemplateIds } from '../record-template/copy-record-templates.ts';
import { copiedFormulas } from './copied-formulas.ts';
import { copyOrders } from './copied-order.sql.ts';
import { type OtherIds, withOtherTables } from './copied-links.ts';
import { addTable } from './create-table.ts';
import type { TablePath } from './find-table.ts';
import { copyRecords, selectRecordIds, type TableRow } from './table.sql.ts';

const batchSize = 10_000;

type FieldPairs = readonly (readonly [FieldSchema, FieldSchema])[];

/** Nobody's in the copy. Ids are of one length and form, so everything in a view that names a field or a template can be renamed in its JSON. */
const copyView = (context: Context, view: ViewSchema, otherIds: ReadonlyMap<string, string>): ViewSchema => {
  const { name, description, ...parts } = view;
  const text = JSON.stringify(parts).replace(/"((?:fld|rtp)[0-9A-Za-z]{16})"/g, (whole, id: string) => {
    const copy = otherIds.get(id);
    return copy === undefined ? whole : `"${copy}"`;
  });
  return {
    ...(JSON.parse(text) as typeof parts),
    id: context.newId('viw'),
    name,
    description,
    ownerId: null,
    hasOrder: false,
  };
};

/** Under their own ids: links name them. */
const copyAllRecords = async (
  tx: Tx,
  context: Context,
  from: WholeSight,
  to: TableSchema,
  fields: FieldPairs,
): Promise<number> => {
  const ids = await selectRecordIds(tx, from);
  let copied = 0;
  for (let at = 0; at < ids.length; at += batchSize) {
    const some = ids.slice(at, at + batchSize);
    copied += await copyRecords(tx, { from, to, fields, operation: operationOf(context, 'create') }, some, some);
  }
  return copied;
};

const isPerson = (field: FieldSchema): boolean => fieldTypeOf(field).namesPeople === true && field.isLookup !== true;

/** Its cells will be empty, and so may be those of its copies. */
const withoutPeople = (field: FieldSchema): FieldSchema => {
  if (!isPerson(field)) return field;
  const { defaultValue, ...options } = field.options;
  return { ...field, notNull: false, options: { ...options, ...(isMe(defaultValue) ? { defaultValue } : {}) } };
};

export interface TableCopy {
  /** Of the base the copy goes to. */
  baseId: string;
  original: TableRow;
  withRecords: boolean;
  /** Cells that name people stay empty: the copy is for others than those who work there. */
  withoutPeople?: boolean;
  /** The base has tables already: the copies get free names in the database. */
  isAddition?: boolean;
  order: number;
  /** The folder of the copy. */
  folderId: string | null;
  /** Of the copies of all tables and fields of the base. */
  other: OtherIds;
}

export interface CopiedTable {
  from: TableSchema;
  tableId: string;
  fields: FieldPairs;
  /** The ids of the copied views by those of the originals. */
  viewIds: readonly (readonly [string, string])[];
  records: number;
}

/** Without the keys of links, which need all tables to be there. How many records were copied the caller has to claim from the quota. */
export const copyTable = async (tx: Tx, context: Context, from: TablePath, copy: TableCopy): Promise<CopiedTable> => {
  // Its fields stay as they are while they are copied.
  await lockSchema(tx, from.baseId, from.tableId);
  const whole = demandWhole(sightOf(context, await loadTable(tx, from.baseId, from.tableId)));
  const { table: source } = whole;
  const { other } = copy;
  const shownTo = copy.withoutPeople === true ? withoutPeople : (field: FieldSchema): FieldSchema => field;
  const pairs: FieldPairs = source.fields.map((field) => [
    field,
    { ...shownTo(field), id: other.ids.get(field.id) ?? context.newId('fld'), version: 1 },
  ]);
  const fieldIds = new Map(pairs.map(([field, copied]) => [field.id, copied.id]));
  const { name, dbTableName, description, icon } = copy.original;
  const there: Context = { ...context, access: { ...context.access, baseId: copy.baseId } };
  const templateIds = await newTemplateIds({ db: tx, newId: context.newId }, source.id);
  const otherIds = new Map([...fieldIds, ...templateIds]);
  // For others than those who work there: without the views that people have for themselves.
  const views = source.views
    .filter(({ ownerId }) => copy.withoutPeople !== true || ownerId === null)
    .map((view) => [view, copyView(context, view, otherIds)] as const);
  const { tableId } = await addTable(tx, there, {
    id: other.ids.get(from.tableId) as string,
    name,
    dbTableName: copy.isAddition === true ? undefined : dbTableName,
    description,
    icon,
    order: copy.order,
    folderId: copy.folderId,
    fields: copiedFormulas(pairs, ({ options }) => withOtherTables(options, other), other.ids),
    views: views.map(([, view]) => view),
  });
  await copyRecordTemplates(tx, source, tableId, {
    fieldIds,
    templateIds,
    // Records have the same ids in the copy.
    keepsLinks: () => copy.withRecords,
    withoutPeople: copy.withoutPeople === true,
    createdBy: context.principal.userId,
  });
  const kept = copy.withoutPeople === true ? pairs.filter(([field]) => !isPerson(field)) : pairs;
  const records = copy.withRecords
    ? await copyAllRecords(tx, context, whole, await loadTable(tx, copy.baseId, tableId), kept)
    : 0;
  if (copy.withRecords) await copyOrders(tx, source, await loadTable(tx, copy.baseId, tableId), views, null);
  const viewIds = views.map(([view, copied]) => [view.id, copied.id] as const);
  return { from: source, tableId, fields: pairs, viewIds, records };
};
