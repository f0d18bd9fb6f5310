// Updates that cells of other records depend on. Those of single records that come while others are under way go together, as in together.ts: one
// transaction locks, writes and settles what all of them reach, and each keeps its own operation and its own answer.
import type { Sight } from '../../../catalog/sight.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/db.ts';
import { Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { comesBackTo, type SettlePlan } from '../../computed/plan.ts';
import { selectRecords } from '../read/read.sql.ts';
import type { CellRequest, Column } from './cells.ts';
import { beginWrite, gateFor, inOrder, isToldByWrite, settleWrite, sightAfter, splitLinks } from './links.ts';
import { createLanes } from './together.ts';
import { type UpdatedRow, type UpdateInput, updateRows, updateRowsOfEach } from './update.sql.ts';
import { idOf, isAlike, laneOf, merged, takeOfEach, type Update } from './update-together.ts';

export interface ReachingUpdate extends Update {
  /** Refuses to overwrite what somebody else wrote; asked once the records are locked. */
  onLocked?: (() => Promise<void>) | undefined;
  /** Its `db` is the transaction, where there is one already. */
  context: Context;
  plan: SettlePlan;
  request: CellRequest;
}

/** What they reach together is more than what one reaches, and others wait for it. */
const mostRows = 50;

/** Records as they are after what depends on the write has come back to them. */
const readAgain = async (
  context: Context,
  sight: Sight,
  keyType: UpdateInput['keyType'],
  rows: readonly UpdatedRow[],
): Promise<UpdatedRow[]> => {
  const found = await selectRecords(
    context.db,
    sight,
    rows.map(({ id }) => id),
    { fields: sight.fields, keyType, format: 'json' },
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  // What the change took out of sight is answered as it was written.
  return rows.map((row) => ({ ...row, json: byId.get(row.id)?.json ?? row.json }));
};

/** In the transaction of `context`, which is in the gate. All of the records, or none. */
export const updateReaching = async (update: ReachingUpdate): Promise<UpdatedRow[] | Unwritten> => {
  const { context, plan, input, request, sight, guard, operation } = update;
  const links = input.links ?? [];
  const underWay = await beginWrite(
    context,
    plan,
    input.ids,
    links,
    request,
    update.onLocked === undefined ? {} : { onLocked: update.onLocked },
  );
  if (underWay === undefined) return new Unwritten(guard);
  const keyed = plan.keyed.length === 0 ? undefined : { plan, links: underWay.links() };
  const rows = await updateRows(context.db, sight, guard, { ...input, links, keyed }, operation);
  if (rows.length !== input.ids.length) return new Unwritten(guard);
  await settleWrite(context, underWay, rows[0]?.opId as number, operation);
  return (keyed === undefined ? !comesBackTo(plan) : isToldByWrite(plan))
    ? rows
    : readAgain(context, await sightAfter(context, sight, plan), input.keyType, rows);
};

type Write = (tx: Tx, input: UpdateInput) => Promise<UpdatedRow[]>;

/**
 * The same in two round trips, for what `mayHaveCompany`: `begin`, gate, lock and write are sent together, then settling, reading and `commit`. The write waits for the
 * locks as every statement waits for the one before it; when they turn out not to be there, nothing is committed.
 */
const updateAtOnce = (
  db: Db,
  update: ReachingUpdate,
  write: Write,
  operationIds?: readonly string[],
): Promise<UpdatedRow[] | Unwritten> => {
  const { plan, input, request, sight, guard, operation } = update;
  return db.transaction(async (tx) => {
    const context = { ...update.context, db: tx };
    const [underWay, rows] = await inOrder(
      beginWrite(context, plan, input.ids, [], request),
      write(tx, { ...input, links: [] }),
    );
    if (rows.length !== input.ids.length) return new Unwritten(guard);
    // It came between the lock and the write.
    if (underWay === undefined) throw new Stale('records');
    const settled = settleWrite(context, underWay, rows[0]?.opId as number, operation, operationIds);
    const answered = comesBackTo(plan) ? readAgain(context, sight, input.keyType, rows) : Promise.resolve(rows);
    tx.commitBehind?.();
    return (await inOrder(settled, answered))[1];
  }, gateFor(plan));
};

const alone = (db: Db, update: ReachingUpdate): Promise<UpdatedRow[] | Unwritten> =>
  updateAtOnce(db, update, (tx, input) => updateRows(tx, update.sight, update.guard, input, update.operation));

const join = createLanes<ReachingUpdate, UpdatedRow[] | Unwritten>({
  alone,
  async together(db, updates) {
    const [first] = updates;
    const operations = updates.map(({ operation }) => operation) as [OperationFacts, ...OperationFacts[]];
    try {
      const rows = await updateAtOnce(
        db,
        { ...first, input: merged(updates) },
        (tx, input) => updateRowsOfEach(tx, first.sight, first.guard, input, operations),
        operations.map(({ publicId }) => publicId),
      );
      if (rows instanceof Unwritten) return undefined;
      const byId = new Map(rows.map((row) => [row.id, row]));
      return updates.map((update) => [byId.get(idOf(update)) as UpdatedRow]);
    } catch (error) {
      // A link came between, or together they reach too much: nothing is written.
      if (error instanceof Stale) return undefined;
      throw error;
    }
  },
  takeNext: takeOfEach(mostRows),
});

/** Writes that bring no links along, and leave nothing to a job. */
export const mayHaveCompany = ({ deferred }: SettlePlan, columns: readonly Column[]): boolean =>
  deferred.length === 0 && splitLinks(columns).links.length === 0;

/** As `updateReaching`, in a transaction of its own or of several. */
export const updateReachingTogether = (db: Db, update: ReachingUpdate): Promise<UpdatedRow[] | Unwritten> =>
  isAlike(update) ? join(db, `${laneOf(update)} ${update.plan.key}`, update) : alone(db, update);
