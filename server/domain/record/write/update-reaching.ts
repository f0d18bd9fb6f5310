// Updates that cells of other records depend on. Those of single records that come while others are under way go together, as in together.ts: one
// transaction locks, writes and settles what all of them reach, and each keeps its own operation and its own answer.
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { Context } from '../../../context.ts';
import type { Ask } from '../../../db/ask.ts';
import type { Db, Tx } from '../../../db/db.ts';
import { Unwritten } from '../../../pipeline/pipeline.ts';
import { runScript } from '../../../pipeline/script.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { comesBackTo, type SettlePlan } from '../../computed/plan.ts';
import type { CellRequest, Column } from './cells.ts';
import { gateFor, isToldByWrite, sightAfter, splitLinks } from './links.ts';
import { demandAfter } from './permits.sql.ts';
import { createLanes } from './together.ts';
import { permitsOf, updateAsk, type UpdatedRow, type UpdateInput, updateOfEachAsk } from './update.sql.ts';
import { idOf, isAlike, laneOf, merged, takeOfEach, type Update } from './update-together.ts';
import { newLink, type Wanted } from './wanted-links.ts';
import { linkedWrite, NotWritten, writtenBy } from './write-script.ts';

export interface ReachingUpdate extends Update {
  /** Refuses to overwrite what somebody else wrote; asked once the records are locked. */
  demandSeen?: ((tx: Tx) => Promise<void>) | undefined;
  context: Context;
  plan: SettlePlan;
  request: CellRequest;
}

/** What they reach together is more than what one reaches, and others wait for it. */
const mostRows = 50;

interface Manner {
  /** The script has begun the transaction, and ends it. */
  commits: boolean;
  /** The statement that writes the records. */
  write: (input: UpdateInput) => Ask<UpdatedRow[]>;
  operationIds?: readonly string[];
}

/** With fewer rows than there are records nothing was written. */
const allOf = (count: number, { read, ...rest }: Ask<UpdatedRow[]>): Ask<UpdatedRow[]> => ({
  ...rest,
  read(rows: never[]) {
    const written = read(rows);
    if (written.length !== count) throw new NotWritten();
    return written;
  },
});

/** In a transaction that is in the gate. All of the records, or none. */
const updateWithin = async (tx: Tx, update: ReachingUpdate, manner: Manner): Promise<UpdatedRow[]> => {
  const { context, plan, input, request, sight, operation, demandSeen } = update;
  const links = input.links ?? [];
  const keyedLinks = (wanted: readonly Wanted[]): UpdateInput['keyed'] =>
    plan.keyed.length === 0
      ? undefined
      : {
          plan,
          links: wanted.filter(({ linked }) => plan.keyed.includes(linked)).map((one) => newLink(one, input.ids)),
        };
  const isTold = plan.keyed.length === 0 ? !comesBackTo(plan) : isToldByWrite(plan);
  const answers = await runScript(
    tx,
    linkedWrite<UpdatedRow[]>({
      reach: { context, plan, own: input.ids, links, request, sight },
      isDecided: links.length === 0 && demandSeen === undefined,
      demandSeen,
      rows: {
        name: 'rows',
        ask: (known) =>
          allOf(
            input.ids.length,
            manner.write({ ...input, links, keyed: keyedLinks(known.find('links')?.wanted ?? []) }),
          ),
      },
      opIdOf: ([first]) => first?.opId as number,
      settling: { operation, operationIds: manner.operationIds },
      permitted: permitted(update),
      read: isTold ? undefined : { sight, shape: { keyType: input.keyType, format: 'json' } },
      commits: manner.commits,
    }),
  );
  const rows = writtenBy(answers);
  const again = answers.find('records');
  if (again === undefined) return rows;
  const byId = new Map(again.map((row) => [row.id, row]));
  // What the change took out of sight is answered as it was written.
  return rows.map((row) => ({ ...row, json: byId.get(row.id)?.json ?? row.json }));
};

/** What rules ask of the records afterwards, where that is more than the grants that held before. */
const permitted = ({ sight, input, plan }: ReachingUpdate) => {
  const permits = permitsOf(sight, input);
  if (permits.held.length === 0) return undefined;
  return async (rows: readonly UpdatedRow[], tx: Tx): Promise<void> => {
    const present = permitsOf(await sightAfter({ db: tx }, sight, plan), input);
    await demandAfter(
      tx,
      sight,
      rows.map(({ id }) => id),
      {
        held: present.held.map(({ column }, at) => ({ column, holds: rows.map(({ held }) => held?.[at] === true) })),
        after: present.after('r', 'h'),
      },
    );
  };
};

const orUnwritten = (update: ReachingUpdate, error: unknown): Unwritten => {
  if (error instanceof NotWritten) return new Unwritten(update.guard);
  throw error;
};

const writeAlone =
  ({ sight, guard, operation }: ReachingUpdate) =>
  (input: UpdateInput): Ask<UpdatedRow[]> =>
    updateAsk(sight, guard, input, operation);

/** In the transaction of somebody else, which is in the gate. */
export const updateReaching = (tx: Tx, update: ReachingUpdate): Promise<UpdatedRow[] | Unwritten> =>
  updateWithin(tx, update, { commits: false, write: writeAlone(update) }).catch((error: unknown) =>
    orUnwritten(update, error),
  );

/** In a transaction of its own: two round trips where the script is decided, with `begin` and gate in the first and `commit` in the second. */
const updateAtOnce = (db: Db, update: ReachingUpdate, manner: Omit<Manner, 'commits'>) =>
  db
    .transaction((tx) => updateWithin(tx, update, { ...manner, commits: true }), gateFor(update.plan))
    .catch((error: unknown) => orUnwritten(update, error));

const alone = (db: Db, update: ReachingUpdate): Promise<UpdatedRow[] | Unwritten> =>
  updateAtOnce(db, update, { write: writeAlone(update) });

const join = createLanes<ReachingUpdate, UpdatedRow[] | Unwritten>({
  alone,
  async together(db, updates) {
    const [first] = updates;
    const operations = updates.map(({ operation }) => operation) as [OperationFacts, ...OperationFacts[]];
    try {
      const rows = await updateAtOnce(
        db,
        { ...first, input: merged(updates) },
        {
          write: (input) => updateOfEachAsk(first.sight, first.guard, input, operations),
          operationIds: operations.map(({ publicId }) => publicId),
        },
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
