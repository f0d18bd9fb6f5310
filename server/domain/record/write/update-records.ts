// The heart of every change of cells. The steps are exported one by one, for writes that change records among other things.
import { invalid } from '@rowhouse/contract/error.ts';
import type { Order, TypecastReport } from '@rowhouse/contract/record.ts';
import { can } from '../../../catalog/access.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import { namedJob } from '../../../catalog/outbox.ts';
import { type Sight, viewIn } from '../../../catalog/sight.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { ask } from '../../../db/ask.ts';
import type { Queryable } from '../../../db/db.ts';
import { demandBytes } from '../../plan/demand-bytes.ts';
import { guardOf } from '../../../pipeline/guard.sql.ts';
import {
  guardedRead,
  guardedWrite,
  seen,
  type Steps,
  type TableAccess,
  Unwritten,
} from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { fieldVersions } from '../../field/field-version.ts';
import { type Match, versionAt } from '../read/record-tag.ts';
import { permissionsJson } from '../read/json.sql.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import { type CellRequest, type Cells, type Column, readChangedCells } from './cells.ts';
import { filesFor, mentionedFiles } from './files.ts';
import { resolveTargets, type Unlinked } from './link-targets.ts';
import { announceDeferred, gateFor, prepareSettling, settlePlanOf, splitLinks } from './links.ts';
import { explainMissing, hiddenCells } from './missing.ts';
import { explainRefused, refusedCells } from './not-permitted.ts';
import { notifyOfUpdate } from './notify.ts';
import { openWrite } from './open-write.ts';
import { selectRefusedCells } from './permits.sql.ts';
import { peopleFor } from './people.ts';
import { sentJson } from './sent-json.ts';
import { choicesMade, keepSideEffects, noteSideEffects, type SideEffects } from './side-effects.ts';
import { explainConstraint } from './unique.ts';
import { mayHaveCompany, type ReachingUpdate, updateReaching, updateReachingTogether } from './update-reaching.ts';
import { updateTogether } from './update-together.ts';
import { demandSeen, demandWritten, hasSeen, type SeenRow } from './seen-cells.ts';
import { lockRows, selectHidden, updateAsk, type UpdatedRow } from './update.sql.ts';
import { computedCells, withoutUnchanged } from './written-back.ts';
import { cellContext, keysOf, type NewChoices, operationOf } from './write.ts';

export interface Updated {
  operationId: string;
  /** Whole records as JSON text, in request order. */
  records: string[];
  versions: number[];
  report: TypecastReport | undefined;
}

export interface UpdateRequest extends CellRequest {
  rows: readonly SeenRow[];
  order?: Order | undefined;
  /** Only if the record is still what its ETag said (single updates). */
  match?: Match | undefined;
}

export interface PlannedUpdate {
  sight: Sight;
  request: UpdateRequest;
  ids: string[];
  /** Of the record whose ETag was sent. */
  version?: number | undefined;
  cells: Cells;
  added: NewChoices;
  operation: OperationFacts;
  /** Null when nothing in other records depends on it. */
  plan: SettlePlan | null;
  unlinked: Unlinked;
  /** Tokens of the files that its cells mention. */
  files: readonly string[];
}

const refuseTwice = (ids: readonly string[]): void => {
  const seenIds = new Set<string>();
  ids.forEach((id, index) => {
    if (seenIds.has(id))
      throw invalid({
        path: `records[${index}].id`,
        message: `Record ${id.slice(0, 50)} appears twice in this request`,
        expected: 'every record once',
      });
    seenIds.add(id);
  });
};

/** It writes links, and the same ones in all records. */
const isForAll = (columns: readonly Column[]): boolean => {
  const { links } = splitLinks(columns);
  return links.length > 0 && links.every(({ given }) => given === undefined);
};

export const planUpdate = async (
  context: Context,
  sight: Sight,
  asked: UpdateRequest,
  kind: OperationFacts['kind'] = 'update',
): Promise<PlannedUpdate> => {
  demandBytes(context);
  const { table } = sight;
  const request = { ...asked, rows: await withoutUnchanged(context.db, sight, asked) };
  if (request.order !== undefined) viewIn(sight, request.order.viewId);
  const ids = request.rows.map((row) => row.id);
  refuseTwice(ids);
  const version =
    asked.match === undefined ? undefined : await versionAt(context.db, sight, ids[0] as string, asked.match);
  demandWritten(asked);
  const added: NewChoices = new Map();
  const people = await peopleFor(
    context.db,
    table,
    (context.access as TableAccess).spaceId,
    () => keysOf(request.rows),
    false,
  );
  const files = await filesFor(context, sight, request);
  const isUnchanged = await computedCells(context.db, sight, request);
  const cells = readChangedCells(sight, { ...request, isUnchanged }, cellContext(context, people, added, files));
  const unlinked = await resolveTargets(context, sight, cells, request);
  const plan = settlePlanOf(table, 'update', cells.columns, context.deferred, isForAll(cells.columns));
  await prepareSettling(context.db, plan);
  // Before the transaction: what is asked on the pool is remembered.
  if (plan !== null && context.db.kind === 'pool') await fieldVersions(context.db, table);
  return {
    sight,
    request,
    ids,
    version,
    cells,
    added,
    operation: operationOf(context, kind, notifyOfUpdate(cells.columns)),
    plan,
    unlinked,
    files: mentionedFiles(cells.columns, files),
  };
};

const changesTable = ({ added, request }: PlannedUpdate): boolean => added.size > 0 || request.order !== undefined;

/** Choices, a place in a view and the use of files are written by statements of their own. What others depend on may go together with others of its kind. */
const needsTransaction = (planned: PlannedUpdate): boolean =>
  (planned.plan !== null && !mayHaveCompany(planned.plan, planned.cells.columns)) ||
  changesTable(planned) ||
  planned.files.length > 0 ||
  hasSeen(planned.request);

const effectsOf = ({ unlinked, added }: PlannedUpdate): SideEffects => ({
  records: unlinked.records,
  choices: choicesMade(added),
});

/** All of the records, or none. */
export const writeUpdate = async (context: Context, planned: PlannedUpdate): Promise<UpdatedRow[] | Unwritten> => {
  const rows = await writeRows(context, planned);
  if (!(rows instanceof Unwritten))
    await keepSideEffects(context.db, planned.sight.table.baseId, planned.operation.publicId, effectsOf(planned));
  return rows;
};

const writeRows = async (context: Context, planned: PlannedUpdate): Promise<UpdatedRow[] | Unwritten> => {
  const { request, ids, operation } = planned;
  const { db } = context;
  const { sight, order } = await openWrite(context, planned, request.order);
  const { table } = sight;
  const metaIds = await fieldVersions(context.db, table);
  const { cells, links } = splitLinks(planned.cells.columns);
  const guard = guardOf(context, table);
  const explain = (error: unknown): never => {
    throw explainRefused(explainConstraint(error, sight, cells, request), ids, sight.rule.may?.update ?? []);
  };
  const input = { ids, columns: cells, order, version: planned.version ?? null, metaIds, keyType: request.keyType };
  const seesHistory = can(context.access, 'table_record_history|read');
  const compare = hasSeen(request)
    ? (tx: Queryable): Promise<void> => demandSeen(tx, sight, request, seesHistory)
    : undefined;
  if (planned.plan === null) {
    if (compare !== undefined) {
      await lockRows(db, table, ids);
      await compare(db);
    }
    const rows = await (db.kind === 'pool'
      ? updateTogether(db, { guard, sight, input, operation })
      : ask(db, updateAsk(sight, guard, input, operation))
    ).catch(explain);
    return rows.length === ids.length ? rows : new Unwritten(guard);
  }
  const plan =
    table === planned.sight.table
      ? planned.plan
      : (settlePlanOf(
          table,
          'update',
          planned.cells.columns,
          context.deferred,
          isForAll(planned.cells.columns),
        ) as SettlePlan);
  const update: ReachingUpdate = {
    context,
    plan,
    request,
    guard,
    sight,
    input: { ...input, links },
    operation,
    demandSeen: compare,
  };
  return (db.kind === 'pool' ? updateReachingTogether(db, update) : updateReaching(db, update)).catch(explain);
};

/** What looks the same is the same, whatever has changed in it: it is compared again. */
const isMark = (match: Match | undefined): boolean => match !== undefined && 'mark' in match;

export const explainNoUpdate = async (
  { db }: Context,
  { sight, ids, request, version, cells }: PlannedUpdate,
): Promise<Error> => {
  const written = cells.columns.map(({ field, given }) => ({ fieldId: field.id, given }));
  const fault = await explainMissing(db, sight, ids, isMark(request.match) ? undefined : version);
  if (!(fault instanceof Stale)) return fault;
  const hidden = await selectHidden(db, sight, { ids, columns: cells.columns });
  if (hidden.length > 0) return hiddenCells(hidden);
  const refused = await selectRefusedCells(db, sight, written, ids);
  return refused.cells.length === 0 ? fault : refusedCells(sight, request, refused.cells, refused.grants);
};

/** After the commit: those who wait for it are told, and what this process remembered is dropped when it was changed. */
export const announceUpdate = (context: Context, planned: PlannedUpdate): void => {
  // Choices move on the versions of linked tables, too.
  if (changesTable(planned)) for (const id of planned.sight.table.related.keys()) context.catalog.forget(id);
  noteSideEffects(context, effectsOf(planned));
  announceDeferred(context, planned.plan);
  if (planned.operation.notify !== null) context.work.add(namedJob(planned.sight.table.baseId));
};

const answer = (context: Context, planned: PlannedUpdate, rows: readonly UpdatedRow[]): Updated => {
  announceUpdate(context, planned);
  const {
    sight,
    request: { keyType, rows: sent },
  } = planned;
  const tail = permissionsJson(sight, context.access, keyType);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sorted = planned.ids.map((id) => byId.get(id) as UpdatedRow);
  return {
    operationId: planned.operation.publicId,
    records: sight.seesCells
      ? sorted.map((row) => row.json + tail)
      : sent.map(({ id, fields }) => sentJson(sight, context.access, keyType, id, fields)),
    versions: sight.rule.hidesFacts === true ? [] : sorted.map((row) => row.version),
    report: planned.cells.report,
  };
};

export const updateSteps = (changes: UpdateRequest): Steps<PlannedUpdate, UpdatedRow[], Updated> => ({
  plan: (context, sight) => planUpdate(context, sight, changes),
  needsTransaction,
  opening: ({ plan }) => gateFor(plan),
  write: writeUpdate,
  refuse: explainNoUpdate,
  answer,
});

export const changeRecords = (request: Unconfirmed, changes: UpdateRequest): Promise<Updated> =>
  guardedWrite(request, updateSteps(changes));

/** No records: the table has to be there all the same, and so has the view. */
export const changeNone = (request: Unconfirmed, order: Order | undefined): Promise<Updated> =>
  guardedRead(request, (context, sight) => {
    if (order !== undefined) viewIn(sight, order.viewId);
    return seen(context, sight, { operationId: '', records: [], versions: [], report: undefined });
  });
