// All tables of a base copied into another base: fields, views and links under new ids, and the records if wanted.
import { uniqueName } from '@rowhouse/contract/text.ts';
import { selectRelated } from '../../catalog/table.sql.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { selectOpenRelinks } from '../computed/open-relinks.sql.ts';
import { relinkLater } from '../history/relink-later.ts';
import { lockSchemas } from '../plan/count-rows.sql.ts';
import { copyLinks, fillCopies, type OtherIds } from './copied-links.ts';
import { lastPosition, readTree, settleTree } from './arrange.ts';
import { type CopiedTable, copyTable, type TableCopy } from './copy-table.ts';
import { copyDashboards } from './copy-dashboards.ts';
import { lockBase } from './find-table.ts';
import { type FolderRow, insertFolders, selectFolders } from './folder.sql.ts';
import { selectTables } from './table.sql.ts';

interface HowToCopy extends Pick<TableCopy, 'withRecords' | 'withoutPeople' | 'isAddition'> {
  /** For those who saw the tables alone. */
  withoutDashboards?: true;
}

/** Answers the ids of the copies. */
const copyFolders = async (
  tx: Tx,
  context: Context,
  fromBaseId: string,
  toBaseId: string,
  after: number,
): Promise<ReadonlyMap<string, string>> => {
  const folders = await selectFolders(tx, fromBaseId);
  const ids = new Map(folders.map(({ id }) => [id, context.newId('bnf')]));
  const names = (await selectFolders(tx, toBaseId)).map(({ name }) => name);
  const copies: FolderRow[] = [];
  for (const { id, name, parentId, position } of folders) {
    const free = uniqueName(name, names);
    names.push(free);
    copies.push({
      id: ids.get(id) as string,
      name: free,
      parentId: parentId === null ? null : (ids.get(parentId) as string),
      position: after + position,
    });
  }
  await insertFolders(tx, toBaseId, copies, context.principal.userId);
  return ids;
};

/** Answers how many records were copied, which the caller has to claim from the quota. */
export const copyTables = async (
  tx: Tx,
  context: Context,
  fromBaseId: string,
  toBaseId: string,
  how: HowToCopy,
): Promise<number> => {
  const { withRecords } = how;
  // Nobody writes links while they are copied.
  await closeGate(tx, fromBaseId);
  await lockBase(tx, fromBaseId);
  // In the one order in which all take them, before they are copied in the order they are shown in.
  await lockSchemas(tx, fromBaseId);
  const tables = await selectTables(tx, fromBaseId);
  const notBack = withRecords ? await selectOpenRelinks(tx, fromBaseId) : [];
  const fieldIds = (
    await selectRelated(
      tx,
      tables.map(({ id }) => id),
    )
  ).flatMap(({ fields }) => fields.map(({ id }) => id));
  const other: OtherIds = {
    baseId: toBaseId,
    ids: new Map([
      ...tables.map(({ id }) => [id, context.newId('tbl')] as const),
      ...fieldIds.map((id) => [id, context.newId('fld')] as const),
    ]),
  };
  // What the base has already stays before the copies.
  const after = Math.max(0, lastPosition(await readTree(tx, toBaseId)) + 1);
  const folderIds = await copyFolders(tx, context, fromBaseId, toBaseId, after);
  const copies: CopiedTable[] = [];
  for (const table of tables)
    copies.push(
      await copyTable(
        tx,
        context,
        { baseId: fromBaseId, tableId: table.id },
        {
          ...how,
          baseId: toBaseId,
          original: table,
          order: after + table.position,
          folderId: folderIds.get(table.folderId ?? '') ?? null,
          other,
        },
      ),
    );
  if (how.withoutDashboards !== true)
    await copyDashboards(tx, context, {
      fromBaseId,
      toBaseId,
      after,
      folderIds,
      ids: new Map([...other.ids, ...copies.flatMap(({ viewIds }) => viewIds)]),
    });
  await settleTree(tx, toBaseId);
  const seen = new Set<string>();
  for (const { from: source, tableId, fields } of copies)
    await copyLinks(tx, source, await loadTable(tx, toBaseId, tableId), fields, null, withRecords, seen);
  if (withRecords) for (const { tableId } of copies) await fillCopies(tx, await loadTable(tx, toBaseId, tableId), null);
  for (const { tableId, fieldId, ...rest } of notBack) {
    const [copyId, copiedFieldId] = [other.ids.get(tableId), other.ids.get(fieldId)];
    if (copyId !== undefined && copiedFieldId !== undefined)
      await relinkLater(tx, {
        ...rest,
        baseId: toBaseId,
        tableId: copyId,
        fieldId: copiedFieldId,
        cause: 0,
        actor: context.principal.userId,
        tokenId: null,
        clientId: null,
      });
  }
  return copies.reduce((sum, { records }) => sum + records, 0);
};
