// Fields and views that leave the trash for good: when somebody empties it, and when the plan does not keep them any more.
import { hiddenColumnName, lockSchema, selectRelated } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import type { Environment, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { dropColumn } from '../field/column.sql.ts';
import { takeDeletedField } from '../field/deleted-field.sql.ts';
import { isLink, linkedBy } from '../cell/linked.sql.ts';
import { ownColumnOf } from '../cell/types.ts';
import { closeGate } from '../computed/gate.sql.ts';
import { dropKeys } from '../field/link-field.sql.ts';
import { removalLimit } from '../history/retention.ts';
import { orderColumnName } from '../record/order/order.sql.ts';
import { takeDeletedView } from '../view/deleted-view.sql.ts';
import { type Discarded, selectDiscarded, selectSpacesWithTrash } from './trash.sql.ts';

/** The other side of a link goes with it for good, and so do their keys. */
const dropLink = async (tx: Tx, table: TableSchema, field: FieldSchema): Promise<void> => {
  const { foreignTableId, symmetricFieldId } = field.options as Record<string, string | undefined>;
  const other =
    symmetricFieldId === undefined || foreignTableId === undefined
      ? undefined
      : await takeDeletedField(tx, foreignTableId, symmetricFieldId);
  const [own] = await selectRelated(tx, [table.id]);
  const foreign = (await selectRelated(tx, [foreignTableId ?? '']))[0] ?? own;
  if (own === undefined || foreign === undefined) return;
  if (other !== undefined)
    await dropColumn(tx, { baseId: table.baseId, dbTableName: foreign.dbTableName }, hiddenColumnName(other.id));
  const tables = new Map<string, RelatedTable>();
  for (const one of [foreign, own])
    tables.set(one.id, {
      ...one,
      baseId: table.baseId,
      byId: new Map(other === undefined ? [] : [[other.id, other.field]]),
      primary: one.fields.find(({ isPrimary }) => isPrimary) as FieldSchema,
      related: tables,
    });
  const linked = linkedBy(field, tables.get(own.id));
  if (linked !== undefined) await dropKeys(tx, linked);
};

/** The column that went with it; null when it had none, undefined when it was restored meanwhile. */
const take = async (
  tx: Tx,
  table: TableSchema,
  { id, kind, tableId }: Discarded,
): Promise<string | null | undefined> => {
  if (kind === 'view') {
    const gone = await takeDeletedView(tx, tableId, id);
    if (gone === undefined) return undefined;
    return gone.view.hasOrder === true ? orderColumnName(id) : null;
  }
  const gone = await takeDeletedField(tx, tableId, id);
  if (gone === undefined) return undefined;
  if (isLink(gone.field)) await dropLink(tx, table, gone.field);
  return ownColumnOf(gone.field) === null ? null : hiddenColumnName(id);
};

/** False when it was restored meanwhile. `also` is done with it, or not at all. */
export const dropPart = (
  { db }: Pick<Environment, 'db'>,
  thing: Discarded,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> =>
  retriedTransaction(db, async (tx) => {
    // Keys of links are looked at in the tables of both sides.
    await closeGate(tx, thing.baseId);
    await lockSchema(tx, thing.baseId, thing.tableId);
    const table: TableSchema = await loadTable(tx, thing.baseId, thing.tableId);
    const column = await take(tx, table, thing);
    if (column === undefined) return false;
    if (column !== null) await dropColumn(tx, table, column);
    await also(tx);
    return true;
  });

const drop = async (
  services: Pick<Environment, 'db'>,
  things: readonly Discarded[],
  signal?: AbortSignal,
): Promise<void> => {
  for (const thing of things) {
    signal?.throwIfAborted();
    await dropPart(services, thing);
  }
};

export const dropTrashOf = async (services: Pick<Environment, 'db'>, tableId: string): Promise<void> =>
  drop(services, await selectDiscarded(services.db, { tableId }));

export const dropExpiredTrash = async (services: Services, signal?: AbortSignal): Promise<void> => {
  for (const spaceId of await selectSpacesWithTrash(services.db)) {
    const before = await removalLimit(services, spaceId);
    if (before !== null) await drop(services, await selectDiscarded(services.db, { spaceId, before }), signal);
  }
};
