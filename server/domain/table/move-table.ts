import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandInBase, lockBase, type TablePath } from './find-table.ts';
import { renumberTables, selectTables } from './table.sql.ts';

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
    const others = (await selectTables(tx, baseId)).map(({ id }) => id).filter((id) => id !== tableId);
    const at = others.indexOf(anchorId);
    if (at < 0)
      throw invalid({
        path: 'anchorId',
        message: `The base has no table ${anchorId}`,
        expected: 'the id of a table of this base',
      });
    await renumberTables(tx, others.toSpliced(position === 'before' ? at : at + 1, 0, tableId));
  });
};
