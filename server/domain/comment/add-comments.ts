// Comments that were made elsewhere, with their authors and times: for imports. Nobody is notified of them.
import type { OperationFacts } from '../../catalog/operation.sql.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { addOperation, type GivenComment, insertGivenComments } from './comment.sql.ts';
import { readContent } from './content.ts';

/**
 * In the transaction of the import. Ids are new ones (`newId('com')`), quotes name others of the same call or earlier ones.
 * Comments on records that are not in the table are left out; answers how many records have comments now.
 */
export const addComments = async (
  tx: Tx,
  table: TableSchema,
  given: readonly GivenComment[],
  operation: OperationFacts & { kind: 'comment' },
): Promise<number> => {
  if (given.length === 0) return 0;
  const recordIds = await insertGivenComments(
    tx,
    table,
    given.map((comment) => ({ ...comment, content: readContent(comment.content) })),
  );
  if (recordIds.length > 0) await addOperation(tx, table, operation, recordIds);
  return recordIds.length;
};
