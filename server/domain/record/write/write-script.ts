// What a write of records sends when cells of other records follow from it, in order. Creating, updating, deleting and restoring share
// this list; each brings the statement that writes its own records.
//
//   lock      everything that the write can reach: tables in the order of their ids, records in theirs
//   locked    the own records are there; a step that is too large is left to a job, or locked without a limit
//   seen      the cells hold what the caller says they held
//   links     what links are to lead to is there and free; keys that are not beside the own records are written
//   rows      the own records, their history and the operation
//   completed what belongs to new records: room where there was none, side effects, keys elsewhere
//   operation the number of the operation, where `rows` does not tell it
//   versions  the fields that the history of links points to, where they are not known before the transaction
//   settle    all cells of other records that follow, in one statement
//   later     fields that are left to a job
//   permitted the own records meet what rules ask of them afterwards
//   records   the own records once more, when something of that came back to them
//   commit    of a transaction that the script began
//
// Where what is written does not depend on what the locks find (`isDecided`), `rows` is sent behind `lock`, before `locked` and
// `links` are looked at: if these refuse, nothing is committed. See docs/adr/0098-a-write-is-a-script.md and 0038-links.md.
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import { selectOperationId } from '../../../catalog/operation.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Context } from '../../../context.ts';
import { ask } from '../../../db/ask.ts';
import type { Tx } from '../../../db/db.ts';
import type { Answers, Entry, Script } from '../../../pipeline/script.ts';
import { OutOfReach, Stale } from '../../../pipeline/stale.ts';
import { dropEdges, selectEnds, selectLinking, writeEdges } from '../../computed/edge.sql.ts';
import { type LockAnswer, type Locked, lockAsk } from '../../computed/lock.sql.ts';
import { beyondReach, endsSlot, limits, type SettlePlan, startsSlot } from '../../computed/plan.ts';
import { fillCells } from '../../computed/refill.sql.ts';
import { settleAsk } from '../../computed/settle.sql.ts';
import { type RecordRow, recordsAsk, selectRecords } from '../read/read.sql.ts';
import type { Shape } from '../read/json.sql.ts';
import type { CellRequest, Column } from './cells.ts';
import { keepHidden, lockedAndSeen } from './hidden-links.ts';
import { knownVersions, leaveToJob, linkVersions, sightAfter } from './links.ts';
import { demandFree, demandThere, endsWanted, thatAreThere, type Wanted, wantedOf } from './wanted-links.ts';

/** What is known of the links of a write once everything is locked. */
interface LinkedNow {
  wanted: readonly Wanted[];
  /** By slot of the plan: the records at the other ends of links that come or go. */
  ends: ReadonlyMap<string, readonly string[]>;
}

/** The answers of the entries, by name. */
interface WriteAnswers<Rows> {
  lock: LockAnswer;
  locked: Locked;
  seen: void;
  links: LinkedNow;
  rows: Rows;
  /** As `rows`, where something has to be done before they are complete. */
  completed: Rows;
  operation: number;
  versions: ReadonlyMap<string, number>;
  settle: void;
  later: void;
  permitted: void;
  records: readonly RecordRow[];
}

type WriteEntry<Rows> = Entry<WriteAnswers<Rows>>;

/** The own records were not written: they are not all there, or the guard does not hold. Nothing may be committed. */
export class NotWritten extends Error {}

/** The own records, once they are complete. */
export const writtenBy = <Rows>(answers: Answers<WriteAnswers<Rows>>): Rows =>
  answers.find('completed') ?? answers.get('rows');

interface Reach {
  context: Pick<Context, 'deferred' | 'newId'>;
  plan: SettlePlan;
  /** Ids of the records that are written. */
  own: readonly string[];
}

interface LinkReach extends Reach {
  /** Cells of links that are written. */
  links: readonly Column[];
  request: CellRequest;
  /** Of those who write; absent: what is restored was there before. */
  sight?: Sight;
  /** The caller writes the keys of all links: the records are not there yet. */
  isNew?: boolean;
}

const lockEntries = <Rows>(
  { context, plan, own }: Reach,
  ends: ReadonlyMap<string, readonly string[]>,
  /** The own records were written before it is known whether they are locked. */
  isDecided: boolean,
): [lock: WriteEntry<Rows>, locked: WriteEntry<Rows>] => [
  {
    name: 'lock',
    ask: () => lockAsk(plan, own, ends, context.deferred === undefined ? null : limits.reached),
  },
  {
    name: 'locked',
    async work(answers, tx) {
      let { locked, tooLarge } = answers.get('lock');
      if (tooLarge.length > 0) {
        const fieldIds = beyondReach(plan, tooLarge);
        if (fieldIds.length > 0) throw new OutOfReach(fieldIds);
        ({ locked, tooLarge } = await ask(tx, lockAsk(plan, own, ends, null)));
      }
      const there = locked.get(plan.table.id);
      // Where it is written already, it came between the two statements.
      if (own.some((id) => there?.has(id) !== true)) throw isDecided ? new Stale('records') : new NotWritten();
      return locked;
    },
  },
];

/** A link came between the look at it and the lock. */
const demandLocked = (ends: readonly string[], tableId: string, locked: Locked): void => {
  const there = locked.get(tableId);
  if (ends.some((id) => there?.has(id) !== true)) throw new Stale('records');
};

const linksEntry = <Rows>(
  { plan, own, request, sight, isNew = false }: LinkReach,
  asked: Wanted[],
): WriteEntry<Rows> => ({
  name: 'links',
  async work(answers, tx) {
    const locked = answers.get('locked');
    const seen = sight === undefined ? locked : await lockedAndSeen(tx, sight, asked, locked);
    const there = request.typecast ? asked.map((one) => thatAreThere(one, seen)) : asked;
    demandThere(there, seen, own, request);
    const wanted: Wanted[] = [];
    for (const one of there)
      wanted.push(isNew || sight === undefined ? one : await keepHidden(tx, sight, one, request));
    const ends = new Map<string, string[]>();
    for (const one of wanted) {
      const former = plan.kind === 'create' ? [] : await selectEnds(tx, one.linked, one.own);
      demandLocked(former, one.linked.foreign.id, locked);
      await demandFree(tx, one, own, request, sight === undefined || sight.isWhole);
      if (!isNew && !plan.keyed.includes(one.linked)) await writeEdges(tx, one.linked, one.own, one.edges);
      ends.set(endsSlot(one.linked), [...new Set([...former, ...one.edges.map(({ foreign }) => foreign)])]);
    }
    return { wanted, ends };
  },
});

/** The same for records that are about to be deleted. What they were linked to stays in their cells, which are kept. */
const unlinkEntry = <Rows>({ plan, own }: Reach): WriteEntry<Rows> => ({
  name: 'links',
  async work(answers, tx) {
    const locked = answers.get('locked');
    const ends = new Map<string, string[]>();
    for (const linked of plan.written) {
      const former = await selectEnds(tx, linked, own);
      demandLocked(former, linked.foreign.id, locked);
      ends.set(endsSlot(linked), former);
    }
    for (const linked of plan.incoming) {
      const former = await selectLinking(tx, linked, own);
      demandLocked(former, linked.own.id, locked);
      ends.set(startsSlot(linked), former);
    }
    // What it was linked to is kept with a record. A job may not have been at its cells yet.
    const ofLoose = plan.loose.flatMap(({ linked, side }) => (side === 'own' ? [linked] : []));
    const unfilled = [...plan.written, ...ofLoose].filter(({ field }) => field.computed?.state === 'settling');
    await fillCells(
      tx,
      plan.table,
      unfilled.map(({ field }) => field),
      own,
    );
    // Keys beside very many records lead to nobody from now on, and go with the job.
    for (const { linked, side } of plan.loose) if (linked.place === 'pairs') await dropEdges(tx, linked, side, own);
    for (const linked of plan.written) await dropEdges(tx, linked, 'own', own);
    for (const linked of plan.incoming) await dropEdges(tx, linked, 'foreign', own);
    return { wanted: [], ends };
  },
});

interface Settling {
  operation: Pick<OperationFacts, 'publicId' | 'actor' | 'tokenId' | 'clientId'>;
  /** Of several operations, of which `operation` is the last. */
  operationIds?: readonly string[] | undefined;
}

/** `opIdOf`: the number of the operation, when `rows` has answered it. */
const settleEntries = <Rows>(
  { context, plan, own }: Reach,
  { operation, operationIds }: Settling,
  opIdOf: ((rows: Rows) => number) | undefined,
): WriteEntry<Rows>[] => {
  const entries: WriteEntry<Rows>[] = [];
  const { publicId, ...actor } = operation;
  const newOperationId = (): string => context.newId('opr');
  const known = knownVersions(plan);
  if (opIdOf === undefined)
    entries.push({ name: 'operation', work: (_, tx) => selectOperationId(tx, plan.table, publicId) });
  if (known === undefined) entries.push({ name: 'versions', work: (_, tx) => linkVersions(tx, plan) });
  const opId = (answers: Answers<WriteAnswers<Rows>>): number =>
    opIdOf === undefined ? answers.get('operation') : opIdOf(writtenBy(answers));
  if (plan.steps.length > 0)
    entries.push({
      name: 'settle',
      ask: (answers) =>
        settleAsk(
          plan,
          {
            own,
            ends: answers.get('links').ends,
            locked: answers.get('locked'),
            metaIds: known ?? answers.get('versions'),
          },
          { opId: opId(answers), operationIds, ...actor, newOperationId },
        ),
    });
  if (plan.deferred.length > 0)
    entries.push({
      name: 'later',
      async work(answers, tx) {
        await leaveToJob(tx, plan, opId(answers), actor, newOperationId);
      },
    });
  return entries;
};

/** The own records as they are after everything that follows. */
const readEntry = <Rows>({ plan, own }: Reach, sight: Sight, shape: Omit<Shape, 'fields'>): WriteEntry<Rows> =>
  plan.deferred.length === 0
    ? { name: 'records', behind: true, ask: () => recordsAsk(sight, own, { ...shape, fields: sight.fields }) }
    : {
        name: 'records',
        async work(_, tx) {
          // Fields that were left to a job are read by their expressions from now on.
          const present = await sightAfter({ db: tx }, sight, plan);
          return selectRecords(tx, present, own, { ...shape, fields: present.fields });
        },
      };

interface LinkedWrite<Rows> {
  reach: LinkReach;
  /** What is written does not depend on what the locks find. */
  isDecided: boolean;
  /** Compares with what the caller says the cells held. */
  demandSeen?: ((tx: Tx) => Promise<void>) | undefined;
  rows: Extract<WriteEntry<Rows>, { name: 'rows' }>;
  /** What belongs to the rows, before anything is settled. */
  completed?: Extract<WriteEntry<Rows>, { name: 'completed' }> | undefined;
  /** Of the answer of `rows`; left out where that does not tell it. */
  opIdOf?: (rows: Rows) => number;
  settling: Settling;
  /** Refuses records that rules do not allow to be as they are by now. */
  permitted?: ((rows: Rows, tx: Tx) => Promise<void>) | undefined;
  /** For whom the own records are read once more; left out where `rows` has told all. */
  read?: { sight: Sight; shape: Omit<Shape, 'fields'> } | undefined;
  /** The script has begun the transaction. */
  commits?: boolean;
}

/** Of records that are created, updated or restored. */
export const linkedWrite = <Rows>(write: LinkedWrite<Rows>): Script<WriteAnswers<Rows>> => {
  const { reach, isDecided, demandSeen, rows, completed, opIdOf, settling, permitted, read } = write;
  const wanted = wantedOf(reach.plan, reach.own, reach.links);
  const [lock, locked] = lockEntries<Rows>(reach, endsWanted(wanted), isDecided);
  const links = linksEntry<Rows>(reach, wanted);
  const seen: WriteEntry<Rows>[] = demandSeen === undefined ? [] : [{ name: 'seen', work: (_, tx) => demandSeen(tx) }];
  const written = isDecided ? [lock, { ...rows, behind: true }, locked, links] : [lock, locked, ...seen, links, rows];
  return [
    ...written,
    ...(completed === undefined ? [] : [completed]),
    ...settleEntries(reach, settling, opIdOf),
    ...(permitted === undefined
      ? []
      : [{ name: 'permitted', work: (answers, tx) => permitted(writtenBy(answers), tx) } satisfies WriteEntry<Rows>]),
    ...(read === undefined ? [] : [readEntry<Rows>(reach, read.sight, read.shape)]),
    ...(write.commits === true ? [{ commit: true } as const] : []),
  ];
};

/** Of records that are deleted; `work` answers how that went. */
export const linkedDelete = <Rows>(
  reach: Reach,
  operation: Settling['operation'],
  work: (tx: Tx) => Promise<Rows>,
): Script<WriteAnswers<Rows>> => [
  ...lockEntries<Rows>(reach, new Map(), false),
  unlinkEntry<Rows>(reach),
  { name: 'rows', work: (_, tx) => work(tx) },
  ...settleEntries<Rows>(reach, { operation }, undefined),
];
