// The order of records in a view that people arrange by hand. A record without a position of its own stands at
// its autoNumber, so a new one is last, and nothing has to be written for it.
import { notFound } from '@rowhouse/contract/error.ts';
import type { Order } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { loadTable, type TableSchema, type ViewSchema } from '../../../catalog/table.ts';
import { bumpVersion, lockSchema } from '../../../catalog/table.sql.ts';
import type { Queryable } from '../../../db/db.ts';
import { selectRecordVersions } from '../read/read.sql.ts';
import type { OrderColumn } from '../write/insert.sql.ts';
import { addOrderColumn, lockOrder, orderColumnName, renumber, selectGap } from './order.sql.ts';

/** A table whose view has its order column: added on first use, in the transaction of the write that needs it. */
export const withOrderColumn = async (tx: Queryable, table: TableSchema, view: ViewSchema): Promise<TableSchema> => {
  if (view.hasOrder) return table;
  await lockSchema(tx, table.baseId, table.id);
  const present = await loadTable(tx, table.baseId, table.id);
  if (present.views.find((item) => item.id === view.id)?.hasOrder === true) return present;
  await addOrderColumn(tx, table, view.id);
  await bumpVersion(tx, table.baseId, table.id, { kind: 'view', actor: '' });
  return loadTable(tx, table.baseId, table.id);
};

/** Steps between two neighbours; undefined when doubles have no more room there. */
const spread = (low: number, high: number, count: number): number[] | undefined => {
  const step = (high - low) / (count + 1);
  const positions = Array.from({ length: count }, (_, at) => low + step * (at + 1));
  const all = [low, ...positions, high];
  return all.every((position, at) => at === 0 || position > (all[at - 1] as number)) ? positions : undefined;
};

/** What the caller does not see is not there. Anyone who sees all records learns it from the statements themselves. */
export const demandSeen = async (
  db: Queryable,
  sight: Sight,
  recordIds: readonly string[],
  label = 'Record',
): Promise<void> => {
  if (sight.rows === true) return;
  const known = await selectRecordVersions(db, sight, recordIds);
  const missing = recordIds.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound(label, missing);
};

/** Positions for `count` records next to the anchor, in request order. Call it inside the write's transaction. */
export const placeRecords = async (tx: Queryable, sight: Sight, order: Order, count: number): Promise<OrderColumn> => {
  const { table } = sight;
  await demandSeen(tx, sight, [order.anchorId], 'Anchor');
  const name = orderColumnName(order.viewId);
  await lockOrder(tx, order.viewId);
  for (let renumbered = false; ; renumbered = true) {
    const gap = await selectGap(tx, table, order);
    if (gap === undefined) throw notFound('Anchor', order.anchorId);
    const positions = spread(gap.low, gap.high, count);
    if (positions !== undefined) return { name, positions };
    if (renumbered) throw new Error('no room between two neighbours of a renumbered view');
    await renumber(tx, table, order.viewId);
  }
};
