// Fields and views that leave the trash for good: when somebody empties it, and when the plan does not keep them any more.
import { hiddenColumnName, lockSchema } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Environment, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { dropColumn } from '../field/column.sql.ts';
import { takeDeletedField } from '../field/deleted-field.sql.ts';
import { ownColumnOf } from '../cell/types.ts';
import { removalLimit } from '../history/retention.ts';
import { orderColumnName } from '../record/order/order.sql.ts';
import { takeDeletedView } from '../view/deleted-view.sql.ts';
import { type Discarded, selectDiscarded, selectSpacesWithTrash } from './trash.sql.ts';

/** The column that went with it; null when it had none, or was restored meanwhile. */
const take = async (tx: Tx, { id, kind, tableId }: Discarded): Promise<string | null> => {
  if (kind === 'view') return (await takeDeletedView(tx, tableId, id))?.view.hasOrder === true ? orderColumnName(id) : null;
  const gone = await takeDeletedField(tx, tableId, id);
  return gone === undefined || ownColumnOf(gone.field) === null ? null : hiddenColumnName(id);
};

const drop = async ({ db }: Pick<Environment, 'db'>, things: readonly Discarded[], signal?: AbortSignal): Promise<void> => {
  for (const thing of things) {
    signal?.throwIfAborted();
    await db.transaction(async (tx) => {
      await lockSchema(tx, thing.baseId, thing.tableId);
      const table: TableSchema = await loadTable(tx, thing.baseId, thing.tableId);
      const column = await take(tx, thing);
      if (column !== null) await dropColumn(tx, table, column);
    });
  }
};

export const dropTrashOf = async (services: Pick<Environment, 'db'>, tableId: string): Promise<void> => drop(services, await selectDiscarded(services.db, { tableId }));

export const dropExpiredTrash = async (services: Services, signal?: AbortSignal): Promise<void> => {
  for (const spaceId of await selectSpacesWithTrash(services.db)) {
    const before = await removalLimit(services, spaceId);
    if (before !== null) await drop(services, await selectDiscarded(services.db, { spaceId, before }), signal);
  }
};
