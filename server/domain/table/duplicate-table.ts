import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { duplicateTable as endpoint } from '@rowhouse/contract/table.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { relatedTo } from '../../catalog/related.ts';
import { bumpQuietly, lockSchemasOf, selectBridges } from '../../catalog/table.sql.ts';
import { demandWhole, sightOf, type WholeSight } from '../../catalog/sight.ts';
import { type FieldSchema, loadTable, type TableSchema, type ViewSchema } from '../../catalog/table.ts';
import { eyesOf } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { fieldVo } from '../field/field-vo.ts';
import { demandBytes } from '../plan/demand-bytes.ts';
import { claimCopies } from '../plan/table-rows.ts';
import { operationOf } from '../record/write/write.ts';
import { copyRecordTemplates, newTemplateIds } from '../record-template/copy-record-templates.ts';
import { viewVo } from '../view/view-vo.ts';
import { copiedFormulas } from './copied-formulas.ts';
import { copyLinks, fillCopies, inTableCopy } from './copied-links.ts';
import type { CopiedIds } from './copied-links.sql.ts';
import { copyOrders } from './copied-order.sql.ts';
import { addTable } from './create-table.ts';
import { demandInBase, lockBase, type TablePath } from './find-table.ts';
import { closeLinks } from './related-tables.ts';
import { copyRecords, selectRecordIds, selectTable, type TableRow } from './table.sql.ts';
import { tableVo } from './table-vo.ts';

type Duplicate = ResponseOf<typeof endpoint>;

const batchSize = 10_000;

/** Nobody's in the copy. Ids are of one length and form, so everything in a view that names a field or a template can be renamed in its JSON. */
const copyView = (view: ViewSchema, id: string, otherIds: ReadonlyMap<string, string>): ViewSchema => {
  const { name, description, ...parts } = view;
  const text = JSON.stringify(parts).replace(/"((?:fld|rtp)[0-9A-Za-z]{16})"/g, (whole, named: string) => {
    const copy = otherIds.get(named);
    return copy === undefined ? whole : `"${copy}"`;
  });
  return { ...(JSON.parse(text) as typeof parts), id, name, description, ownerId: null, hasOrder: false };
};

const copyAllRecords = async (
  tx: Tx,
  context: Context,
  from: WholeSight,
  to: TableSchema,
  pairs: readonly (readonly [FieldSchema, FieldSchema])[],
): Promise<CopiedIds> => {
  const ids = await selectRecordIds(tx, from);
  const copies: string[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    const some = ids.slice(at, at + batchSize);
    const newIds = some.map(() => context.newId('rec'));
    await copyRecords(tx, { from, to, fields: pairs, operation: operationOf(context, 'create') }, some, newIds);
    copies.push(...newIds);
  }
  return { old: ids, copies };
};

export const duplicateTable = async (
  context: Context,
  path: TablePath,
  given: { name: string; includeRecords: boolean },
): Promise<Duplicate> => {
  demandInBase(context, path);
  demandBytes(context);
  const { baseId, tableId } = path;
  let related: string[] = [];
  const made = await retriedTransaction(context.db, async (tx) => {
    await closeLinks(tx, baseId);
    await lockBase(tx, baseId);
    // Its fields stay as they are while they are copied.
    await lockSchemasOf(tx, baseId, [tableId, ...relatedTo(tableId, await selectBridges(tx, baseId))]);
    const whole = demandWhole(sightOf(context, await loadTable(tx, baseId, tableId)));
    const { table: source } = whole;
    const copyId = context.newId('tbl');
    const original = (await selectTable(tx, baseId, tableId)) as TableRow;
    const pairs = source.fields.map((field) => [field, { ...field, id: context.newId('fld'), version: 1 }] as const);
    const fieldIds = new Map(pairs.map(([from, to]) => [from.id, to.id]));
    const viewIds = new Map(source.views.map((view) => [view.id, context.newId('viw')]));
    const templateIds = await newTemplateIds({ db: tx, newId: context.newId }, tableId);
    const otherIds = new Map([...fieldIds, ...templateIds]);
    const views = source.views.map((view) => [view, copyView(view, viewIds.get(view.id) as string, otherIds)] as const);
    const fields = copiedFormulas(pairs, (field, id) => inTableCopy(source, field, id, copyId, fieldIds));
    const added = await addTable(tx, context, {
      id: copyId,
      name: given.name,
      description: original.description,
      icon: original.icon,
      folderId: original.folderId,
      fields,
      views: views.map(([, view]) => view),
    });
    const copy = await loadTable(tx, baseId, added.tableId);
    await copyRecordTemplates(tx, source, copyId, {
      fieldIds,
      templateIds,
      // Records of the copy have ids of their own.
      keepsLinks: (foreignTableId) => foreignTableId !== tableId,
      withoutPeople: false,
      createdBy: context.principal.userId,
    });
    const ids = given.includeRecords ? await copyAllRecords(tx, context, whole, copy, pairs) : { old: [], copies: [] };
    await copyLinks(tx, source, copy, pairs, ids, given.includeRecords, new Set());
    if (given.includeRecords) await fillCopies(tx, copy, ids);
    if (given.includeRecords) await copyOrders(tx, source, copy, views, ids);
    related = [...copy.related.keys()].filter((id) => id !== copyId);
    await bumpQuietly(tx, baseId, related);
    if (given.includeRecords) await claimCopies(tx, context, baseId, ids.copies.length);
    await writeAudit(
      tx,
      doerOf(context),
      'table.copied',
      { baseIds: [baseId] },
      { baseId, tableId, copyId, records: ids.copies.length },
    );
    return {
      ...tableVo(baseId, (await selectTable(tx, baseId, added.tableId)) as TableRow),
      fields: copy.fields.map(fieldVo),
      views: added.views.map((view) => viewVo(view, eyesOf(context.principal))),
      viewMap: Object.fromEntries(viewIds),
      fieldMap: Object.fromEntries(fieldIds),
    };
  });
  for (const id of related) context.catalog.forget(id);
  return made;
};
