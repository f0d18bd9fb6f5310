import { conflict, notFound } from '@rowhouse/contract/error.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { noteTables } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { askVisitorsAgain, lastPosition, readTree, settleTree, writeTree } from '../table/arrange.ts';
import { lockBase } from '../table/find-table.ts';
import { type FolderRow, insertFolders, removeFolder, selectFolders, updateFolderName } from '../table/folder.sql.ts';
import { dissolved } from '@rowhouse/contract/node-tree.ts';

type Folder = Pick<FolderRow, 'id' | 'name'>;

/** A change to the folders of a base: one after the other, and told to those who have the base open. */
export const changeFolders = <T>(context: Context, baseId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retriedTransaction(context.db, async (tx) => {
    await lockBase(tx, baseId);
    const result = await work(tx);
    await askVisitorsAgain(tx, baseId);
    await noteTables(tx, baseId, context.principal.userId);
    return result;
  });

const findFolder = async (
  tx: Tx,
  baseId: string,
  folderId: string,
): Promise<{ folder: FolderRow; others: FolderRow[] }> => {
  const folders = await selectFolders(tx, baseId);
  const folder = folders.find(({ id }) => id === folderId);
  if (folder === undefined) throw notFound('Folder', folderId.slice(0, 50));
  return { folder, others: folders.filter(({ id }) => id !== folderId) };
};

/** `findParent` says in which folder it goes. */
export const createFolder = (
  context: Context,
  baseId: string,
  wanted: string,
  findParent: (tx: Tx) => Promise<string | null> = async () => null,
): Promise<Folder> =>
  changeFolders(context, baseId, async (tx) => {
    const parentId = await findParent(tx);
    const names = (await selectFolders(tx, baseId)).map(({ name }) => name);
    const folder = { id: context.newId('bnf'), name: uniqueName(wanted, names) };
    const position = lastPosition(await readTree(tx, baseId)) + 1;
    await insertFolders(tx, baseId, [{ ...folder, parentId, position }], context.principal.userId);
    await settleTree(tx, baseId);
    return folder;
  });

export const renameFolder = (context: Context, baseId: string, folderId: string, wanted: string): Promise<Folder> =>
  changeFolders(context, baseId, async (tx) => {
    const { others } = await findFolder(tx, baseId, folderId);
    const name = uniqueName(
      wanted,
      others.map((folder) => folder.name),
    );
    await updateFolderName(tx, folderId, name);
    return { id: folderId, name };
  });

/** What it holds moves to where it was. */
export const deleteFolder = (context: Context, baseId: string, folderId: string): Promise<void> =>
  changeFolders(context, baseId, async (tx) => {
    const { folder } = await findFolder(tx, baseId, folderId);
    const nodes = await readTree(tx, baseId);
    await writeTree(tx, nodes, dissolved(nodes, folderId));
    await removeFolder(tx, folder);
  });

export const deleteEmptyFolder = (context: Context, baseId: string, folderId: string): Promise<void> =>
  changeFolders(context, baseId, async (tx) => {
    const { folder } = await findFolder(tx, baseId, folderId);
    if ((await readTree(tx, baseId)).some(({ parentId }) => parentId === folderId))
      throw conflict(`The folder ${JSON.stringify(folder.name)} is not empty: move or delete what it holds first`);
    await removeFolder(tx, folder);
  });
