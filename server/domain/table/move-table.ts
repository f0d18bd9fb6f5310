import { invalid } from '@rowhouse/contract/error.ts';
import { maxFolderDepth } from '@rowhouse/contract/node.ts';
import { noteTables } from '../../catalog/table.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { askVisitorsAgain, readTree, writeTree } from './arrange.ts';
import { demandInBase, lockBase, type TablePath } from './find-table.ts';
import { moved } from '@rowhouse/contract/node-tree.ts';

/** Beside another table, and into its folder. */
export const moveTable = async (
  context: Context,
  path: TablePath,
  { anchorId, position }: { anchorId: string; position: 'before' | 'after' },
): Promise<void> => {
  demandInBase(context, path);
  const { baseId, tableId } = path;
  await retriedTransaction(context.db, async (tx) => {
    await lockBase(tx, baseId);
    if (anchorId === tableId) return;
    const nodes = await readTree(tx, baseId);
    if (!nodes.some(({ id, kind }) => id === anchorId && kind === 'table'))
      throw invalid({
        path: 'anchorId',
        message: `The base has no table ${anchorId}`,
        expected: 'the id of a table of this base',
      });
    const result = moved(nodes, tableId, { anchorId, position }, maxFolderDepth);
    if ('nodes' in result) await writeTree(tx, nodes, result.nodes);
    await askVisitorsAgain(tx, baseId);
    await noteTables(tx, baseId, context.principal.userId);
  });
};
