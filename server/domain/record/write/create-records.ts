// POST /table/:tableId/record. The steps are exported one by one, for writes that create records among other things.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { createRecords as endpoint, GroupPoint, Order, TypecastReport } from '@rowhouse/contract/record.ts';
import { namedJob } from '../../../catalog/outbox.ts';
import { seesView, sightOfOwn, type Sight, viewIn } from '../../../catalog/sight.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { type Ask, ask } from '../../../db/ask.ts';
import type { Tx } from '../../../db/db.ts';
import { holdsFiles } from '../../cell/registry.ts';
import type { FileFacts } from '../../file/file.ts';
import { demandBytes } from '../../plan/demand-bytes.ts';
import { guardOf } from '../../../pipeline/guard.sql.ts';
import {
  guardedRead,
  guardedWrite,
  readForAnswer,
  seen,
  type Steps,
  type TableAccess,
  Unwritten,
} from '../../../pipeline/pipeline.ts';
import { runScript, sendsAhead } from '../../../pipeline/script.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { groupHeadersOf } from '../read/group-points.ts';
import { permissionsJson } from '../read/json.sql.ts';
import { writeNewEdges } from '../../computed/edge.sql.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { type CellRequest, type Column, readNewCells } from './cells.ts';
import { canCopy, copyRows } from './copy.sql.ts';
import { type CellTexts, cellTexts, createdParts } from './created-json.ts';
import { filesFor, mentionedFiles } from './files.ts';
import { insertTogether } from './insert-together.ts';
import { type CreateOperation, insertAsk, type Inserted, type NewRows } from './insert.sql.ts';
import { insertWithQuota } from './insert-with-quota.ts';
import { resolveTargets, type Unlinked } from './link-targets.ts';
import {
  announceDeferred,
  gateFor,
  isToldByWrite,
  prepareSettling,
  settlePlanOf,
  sightAfter,
  splitLinks,
} from './links.ts';
import { type Opened, openWrite } from './open-write.ts';
import { notifyOfCreate } from './notify.ts';
import { explainRefused } from './not-permitted.ts';
import { peopleFor } from './people.ts';
import { permitCreate } from './permit-create.ts';
import { type CreatePermits, demandAfter } from './permits.sql.ts';
import { sentJson } from './sent-json.ts';
import { showReport } from './show-report.ts';
import { choicesMade, keepSideEffects, noteSideEffects, type SideEffects } from './side-effects.ts';
import { explainConstraint } from './unique.ts';
import { newLink, type Wanted, wantedOf } from './wanted-links.ts';
import { cellContext, keysOf, type NewChoices, createOperationOf, refuseTooMany } from './write.ts';
import { linkedWrite, NotWritten, writtenBy } from './write-script.ts';

export interface CreateInput extends CellRequest {
  order?: Order | undefined;
  /** In a transaction, and nobody wants to know more of the records than that they are there. */
  isUnanswered?: true;
  /** Its cells are those of another record: the caller did not send them. */
  isCopy?: true;
  /** Only with `isUnanswered`, into a table without computed fields: the caller claims the room for all records at the end of its transaction. Until then others write. */
  isClaimedLater?: true;
  /** Files that its cells may mention besides those that the caller sees in bases of their own. */
  files?: readonly FileFacts[];
}

export interface PlannedCreate {
  sight: Sight;
  input: CreateInput;
  ids: string[];
  columns: Column[];
  added: NewChoices;
  report: TypecastReport | undefined;
  operation: CreateOperation;
  /** Null when nothing in other records depends on it. */
  plan: SettlePlan | null;
  unlinked: Unlinked;
  /** Tokens of the files that its cells mention. */
  files: readonly string[];
  /** What rules ask of the records. */
  permits: CreatePermits;
}

export const planCreate = async (context: Context, sight: Sight, input: CreateInput): Promise<PlannedCreate> => {
  demandBytes(context);
  const { table } = sight;
  if (input.order !== undefined) viewIn(sight, input.order.viewId);
  const { spaceId } = context.access as TableAccess;
  const added: NewChoices = new Map();
  const permitted = permitCreate(sight, input);
  const request = { ...input, rows: permitted.rows };
  const people = await peopleFor(context.db, table, spaceId, () => keysOf(request.rows), true);
  const own = await filesFor(context, sight, input);
  const files =
    input.files === undefined ? own : new Map([...own, ...input.files.map((file) => [file.token, file] as const)]);
  const cells = readNewCells(sight, permitted.named, request, cellContext(context, people, added, files));
  const unlinked = await resolveTargets(context, sight, cells, request);
  const { columns, report } = cells;
  const plan = settlePlanOf(table, 'create', columns, context.deferred, true);
  await prepareSettling(context.db, plan);
  const ids = input.rows.map(() => context.newId('rec'));
  const operation = createOperationOf(context, ids.length, notifyOfCreate(columns, ids, context.principal.userId));
  return {
    sight,
    input,
    ids,
    columns,
    added,
    report,
    operation,
    plan,
    unlinked,
    files: mentionedFiles(columns, files),
    permits: permitted.permits(ids),
  };
};

const changesTable = ({ added, input }: PlannedCreate): boolean => added.size > 0 || input.order !== undefined;

/** Choices, a place in a view and the use of files are written by statements of their own. */
export const createNeedsTransaction = (planned: PlannedCreate): boolean =>
  planned.plan !== null || changesTable(planned) || planned.files.length > 0;

export interface WrittenCreate {
  /** On the schema that was written with: choices may have been added. */
  sight: Sight;
  inserted: Inserted;
  cells: CellTexts;
  /** The records by id, as they are after what depends on the write has come back to them. */
  settled?: ReadonlyMap<string, string>;
}

/** What is written does not depend on what the locks find: if that is not as it should be, nothing is committed. */
const isDecided = ({ written }: SettlePlan, { typecast }: CreateInput): boolean =>
  !typecast && written.every(({ isExclusive }) => !isExclusive);

const effectsOf = ({ unlinked, added }: PlannedCreate): SideEffects => ({
  records: unlinked.records,
  choices: choicesMade(added),
});

/** Of records that nobody asks about. */
const unknown: Inserted = { createdTime: '', autoNumbers: [], names: null, computed: null };

/** The columns and links that are inserted; `wanted`: what links are to lead to, once it is known what is there. */
const newRows = (
  { ids, columns, permits }: PlannedCreate,
  { sight, order }: Opened,
  plan: SettlePlan | null,
  wanted?: readonly Wanted[],
): NewRows => {
  const { cells, links } = splitLinks(columns);
  return {
    sight,
    ids,
    columns: cells,
    order,
    // What follows from a write of links comes behind it, and then is asked for.
    permits: plan === null ? permits('r') : null,
    links:
      plan === null
        ? undefined
        : { plan, links: (wanted ?? wantedOf(plan, ids, links)).map((one) => newLink(one, ids)) },
  };
};

/** In one statement, or with others in one. Undefined: the guard does not hold, or there is no room. */
const insertAlone = async (
  context: Context,
  planned: PlannedCreate,
  rows: NewRows,
  cells: CellTexts,
): Promise<Inserted | undefined> => {
  const { db } = context;
  const { input, operation, ids } = planned;
  const guard = guardOf(context, rows.sight.table);
  const isCopied = input.isUnanswered === true && rows.permits == null && canCopy(rows);
  const alone = async (on: Pick<Context, 'db'>): Promise<Inserted | undefined> => {
    if (!isCopied || on.db.kind === 'pool') return ask(on.db, insertAsk(guard, rows, input.keyType, [operation]));
    return (await copyRows(on.db, guard, rows, operation, input.isClaimedLater === true)) ? unknown : undefined;
  };
  const { order } = rows;
  const inserting =
    db.kind === 'pool' && order === null
      ? insertTogether(db, { guard, rows: { ...rows, order }, keyType: input.keyType, operation })
      : alone(context);
  const first = await (input.isUnanswered === true ? inserting : cells.makeDuring(inserting));
  if (first !== undefined || input.isClaimedLater === true) return first;
  return insertWithQuota(context, guard, ids.length, alone);
};

/** Their links lead to other records: the script of such a write. */
const insertLinked = async (
  context: Context,
  planned: PlannedCreate,
  opened: Opened,
  plan: SettlePlan,
  cells: CellTexts,
): Promise<Pick<WrittenCreate, 'inserted' | 'settled'>> => {
  const { input, ids, operation } = planned;
  const { sight } = opened;
  const tx = context.db as Tx;
  const guard = guardOf(context, sight.table);
  const insert = (wanted: readonly Wanted[] | undefined): Ask<Inserted | undefined> =>
    insertAsk(guard, newRows(planned, opened, plan, wanted), input.keyType, [operation]);
  const isTold = isToldByWrite(plan) || input.isUnanswered === true || !sight.seesCells;
  const answers = await runScript(
    tx,
    linkedWrite<Inserted | undefined>({
      reach: { context, plan, own: ids, links: splitLinks(planned.columns).links, request: input, sight, isNew: true },
      isDecided: isDecided(plan, input) && sendsAhead(tx),
      rows: {
        name: 'rows',
        ask: (known) => insert(known.find('links')?.wanted),
        during: input.isUnanswered === true ? undefined : (rows) => cells.makeDuring(rows),
      },
      completed: {
        name: 'completed',
        async work(known) {
          const { wanted } = known.get('links');
          const again = ({ db }: Pick<Context, 'db'>): Promise<Inserted | undefined> => ask(db, insert(wanted));
          const inserted = known.get('rows') ?? (await insertWithQuota(context, guard, ids.length, again));
          if (inserted === undefined) throw new NotWritten();
          await keepSideEffects(tx, sight.table.baseId, operation.publicId, effectsOf(planned));
          for (const { linked, edges } of wanted) await writeNewEdges(tx, linked, edges);
          return inserted;
        },
      },
      opIdOf: (inserted) => inserted?.opId as number,
      settling: { operation },
      permitted:
        planned.permits('r') === null
          ? undefined
          : async () =>
              demandAfter(tx, sight, ids, {
                held: [],
                after: planned.permits('r', await sightAfter(context, sight, plan)),
              }),
      read: isTold ? undefined : { sight: sightOfOwn(sight), shape: { keyType: input.keyType, format: 'json' } },
    }),
  );
  const found = answers.find('records');
  const inserted = writtenBy(answers) as Inserted;
  return found === undefined ? { inserted } : { inserted, settled: new Map(found.map(({ id, json }) => [id, json])) };
};

export const writeCreate = async (context: Context, planned: PlannedCreate): Promise<WrittenCreate | Unwritten> => {
  const { input, ids, operation } = planned;
  const opened = await openWrite(context, planned, input.order);
  const { sight } = opened;
  const { table } = sight;
  const guard = guardOf(context, table);
  const { cells: columns } = splitLinks(planned.columns);
  const cells = cellTexts(sight, columns, input.keyType, ids.length);
  const plan =
    planned.plan === null || table === planned.sight.table
      ? planned.plan
      : settlePlanOf(table, 'create', planned.columns, context.deferred, true);
  try {
    if (plan !== null) return { sight, cells, ...(await insertLinked(context, planned, opened, plan, cells)) };
    const inserted = await insertAlone(context, planned, newRows(planned, opened, null), cells);
    if (inserted === undefined) return new Unwritten(guard);
    await keepSideEffects(context.db, table.baseId, operation.publicId, effectsOf(planned));
    return { sight, cells, inserted };
  } catch (error) {
    if (error instanceof NotWritten) return new Unwritten(guard);
    throw explainRefused(explainConstraint(error, sight, columns, input), ids, sight.rule.may?.create ?? [], true);
  }
};

/** The records as JSON text without brackets, in request order; made part by part when asked for, once. */
export const createdRecords = (
  context: Context,
  { input, ids, columns, operation }: PlannedCreate,
  { sight, inserted, cells, settled }: WrittenCreate,
): Iterable<string> =>
  !sight.seesCells
    ? [
        ids
          .map((id, at) =>
            sentJson(sight, context.access, input.keyType, id, input.isCopy === true ? {} : input.rows[at]?.fields),
          )
          .join(','),
      ]
    : settled !== undefined
      ? [
          ids
            .map((id) => `${settled.get(id) as string}${permissionsJson(sight, context.access, input.keyType)}`)
            .join(','),
        ]
      : createdParts(sight, {
          ids,
          columns,
          cells,
          inserted,
          createdBy: operation.actor,
          permissions: permissionsJson(sight, context.access, input.keyType),
        });

/** After the commit: those who wait for it are told, and what this process remembered is dropped when it was changed. */
export const announceCreate = (context: Context, planned: PlannedCreate): void => {
  // Choices move on the versions of linked tables, too.
  if (changesTable(planned)) for (const id of planned.sight.table.related.keys()) context.catalog.forget(id);
  noteSideEffects(context, effectsOf(planned));
  announceDeferred(context, planned.plan);
  if (planned.operation.notify !== null) context.work.add(namedJob(planned.sight.table.baseId));
};

export interface Answered {
  operationId: string;
  /** Unknown when it is left out. */
  mayShowFiles?: boolean;
  /** The body of the answer, in parts. */
  text: Iterable<string>;
}

function* answerParts(records: Iterable<string>, extra: string): Generator<string> {
  yield '{"records":[';
  yield* records;
  yield `],"extra":${extra}}`;
}

/** The headers of the groups that the new records stand in, in the view that was named or else in the first one that is there for the caller. */
const groupsOf = async (
  context: Context,
  { input, ids }: PlannedCreate,
  { sight }: WrittenCreate,
): Promise<GroupPoint[]> => {
  const view =
    input.order === undefined
      ? sight.table.views.find(({ id }) => seesView(sight, id))
      : viewIn(sight, input.order.viewId);
  if (view === undefined || view.group === null || !sight.seesCells) return [];
  return groupHeadersOf(context.db, sight, view, ids);
};

const answerWith = (
  context: Context,
  planned: PlannedCreate,
  written: WrittenCreate,
  groupPoints: readonly GroupPoint[],
): Answered => {
  const report =
    planned.report === undefined
      ? ''
      : `,"typecast":${JSON.stringify(showReport(written.sight, planned.input.keyType, planned.report))}`;
  return {
    operationId: planned.operation.publicId,
    mayShowFiles: written.sight.seesCells && holdsFiles(written.sight.table),
    text: answerParts(
      createdRecords(context, planned, written),
      `{"groupPoints":${JSON.stringify(groupPoints)}${report}}`,
    ),
  };
};

/** For an answer that is kept beside the records: it is made in their transaction. */
export const answerWithin = async (
  context: Context,
  planned: PlannedCreate,
  written: WrittenCreate,
): Promise<Answered> => answerWith(context, planned, written, await groupsOf(context, planned, written));

export const inputOf = (body: BodyOf<typeof endpoint>): CreateInput => ({
  rows: body.records,
  keyType: body.fieldKeyType ?? 'name',
  typecast: body.typecast ?? false,
  order: body.order,
});

const steps = (input: CreateInput): Steps<PlannedCreate, WrittenCreate, Answered> => ({
  plan: (context, sight) => planCreate(context, sight, input),
  needsTransaction: createNeedsTransaction,
  opening: ({ plan }) => gateFor(plan),
  write: writeCreate,
  refuse: async () => new Stale('access'),
  async answer(context, planned, written) {
    announceCreate(context, planned);
    return answerWith(
      context,
      planned,
      written,
      await readForAnswer(context, [], () => groupsOf(context, planned, written)),
    );
  },
});

/** No records: the table has to be there all the same, and so has the view. */
export const createNone = (request: Unconfirmed, order: Order | undefined): Promise<Answered> =>
  guardedRead(request, (context, sight) => {
    if (order !== undefined) viewIn(sight, order.viewId);
    return seen(context, sight, { operationId: '', text: answerParts([], '{"groupPoints":[]}') });
  });

export const createRecords = (request: Unconfirmed, body: BodyOf<typeof endpoint>): Promise<Answered> => {
  refuseTooMany(body.records.length, request.unconfirmed.config.recordsPerRequest);
  return body.records.length === 0 ? createNone(request, body.order) : guardedWrite(request, steps(inputOf(body)));
};
