// Links of a restored record to very many others come back part by part, so that nobody waits for all of them. Each part is a write like any other: both
// ends show it when it is done, with all that is computed from them. What has been linked to somebody else meanwhile stays there.
import { ApiError } from '@rowhouse/contract/error.ts';
import { selectOperationId, type OperationFacts } from '../../catalog/operation.sql.ts';
import { lockSchemasOf } from '../../catalog/table.sql.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isGone } from '../../db/error.ts';
import { isTakenBack, OutOfReach, Stale } from '../../pipeline/stale.ts';
import { addJob } from '../../work/job.sql.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { addEdges } from '../computed/edge.sql.ts';
import { closeGate, enterGate } from '../computed/gate.sql.ts';
import { limits, type SettlePlan } from '../computed/plan.ts';
import { insertCaused } from '../computed/settle.sql.ts';
import { waitBriefly } from '../field/settle-job.sql.ts';
import type { Column } from '../record/write/cells.ts';
import { selectExisting } from '../record/write/link-targets.sql.ts';
import { announceDeferred, beginWrite, restorableLinks, settlePlanOf, settleWrite } from '../record/write/links.ts';

const relinkKind = 'restore-links';

interface RelinkPayload extends Pick<OperationFacts, 'actor' | 'tokenId' | 'clientId'> {
  baseId: string;
  tableId: string;
  fieldId: string;
  recordId: string;
  /** What the field of the record led to, in its order. */
  ends: string[];
  /** The number of the operation that restored it. */
  cause: number;
}

const endsOf = (value: unknown): string[] => ((value ?? []) as { id: string }[]).map(({ id }) => id);

/** Cells whose links are left to jobs: of the longest, when together they are too many. */
export const splitLong = (table: TableSchema, ids: readonly string[], links: readonly Column[]): { now: Column[]; later: { fieldId: string; recordId: string; ends: string[] }[] } => {
  const later: { fieldId: string; recordId: string; ends: string[] }[] = [];
  const now = links.map((column) => {
    const linked = linkedBy(column.field, table.related.get(table.id));
    const total = column.values.reduce<number>((sum, value) => sum + endsOf(value).length, 0);
    // Without a field on the other side nobody's cells change with it.
    if (linked?.symmetric === undefined || linked.place === 'own' || total <= limits.reached) return column;
    const isLong = (value: unknown): boolean => endsOf(value).length > limits.reached / 10;
    column.values.forEach((value, at) => void (isLong(value) && later.push({ fieldId: column.field.id, recordId: ids[at] as string, ends: endsOf(value) })));
    return { ...column, values: column.values.map((value) => (isLong(value) ? null : value)) };
  });
  return { now, later };
};

export const relinkLater = (tx: Tx, payload: RelinkPayload): Promise<unknown> => addJob(tx, { kind: relinkKind, key: `${payload.recordId} ${payload.fieldId} ${payload.cause}`, baseId: payload.baseId, payload });

/** Links of a part. Those who write one of its records wait for it, so there are as many as take about this many milliseconds; with each the list of the restored record is written, so there are not too few. */
const size = { first: 500, least: 200, most: 2_000, milliseconds: 250 };

/** Null when there is nothing left to link: the table, the field or the record is gone. */
const linkedAt = async (tx: Tx, { baseId, tableId, fieldId }: RelinkPayload): Promise<{ table: TableSchema; linked: Linked; symmetricId: string } | null> => {
  const table = await loadTable(tx, baseId, tableId).catch((error: unknown) => {
    if (isGone(error) || (error instanceof ApiError && error.status === 404)) return null;
    throw error;
  });
  const field = table?.byId.get(fieldId);
  const linked = table === null || field === undefined || !isLink(field) ? undefined : linkedBy(field, table.related.get(tableId));
  return table === null || linked?.symmetric === undefined || linked.place === 'own' ? null : { table, linked, symmetricId: linked.symmetric.id };
};

interface Part {
  at: number;
  count: number;
}

/** Answers the plan when something was linked, undefined when nothing of this part is to be linked, null when there is nothing left to do. */
const linkPart = async (tx: Tx, services: Services, payload: RelinkPayload, { at, count }: Part, deferred: ReadonlySet<string>): Promise<SettlePlan | undefined | null> => {
  const { baseId, recordId, cause, actor, tokenId, clientId } = payload;
  await waitBriefly(tx);
  await (deferred.size === 0 ? enterGate : closeGate)(tx, baseId);
  const found = await linkedAt(tx, payload);
  if (found === null) return null;
  const { table, linked, symmetricId } = found;
  if (deferred.size > 0) await lockSchemasOf(tx, baseId, [...table.related.keys()]);
  const part: Column = { field: linked.field, type: fieldTypeOf(linked.field), values: [payload.ends.slice(at, at + count).map((id) => ({ id }))] };
  const [free] = await restorableLinks(tx, table, [recordId], [part], (one, foreign) => selectExisting(tx, one, foreign));
  const ids = endsOf(free?.values[0]);
  if (ids.length === 0) return undefined;
  const other = await loadTable(tx, baseId, linked.foreign.id);
  const side = other.byId.get(symmetricId);
  if (side === undefined) return null;
  const column: Column = { field: side, type: fieldTypeOf(side), values: ids.map(() => [{ id: recordId }]) };
  const plan = settlePlanOf(other, 'update', [column], deferred);
  if (plan === null) return null;
  const request = { rows: ids.map((id) => ({ id, fields: {} })), keyType: 'id' as const, typecast: true };
  const underWay = await beginWrite({ db: tx, deferred }, plan, ids, [column], request, { isNew: true });
  if (underWay === undefined) throw new Stale('records');
  if (underWay.locked.get(table.id)?.has(recordId) !== true) return null;
  await addEdges(tx, linked, ids.map((id) => ({ own: recordId, foreign: id, at: payload.ends.indexOf(id, at) })));
  const publicId = services.newId('opr');
  await insertCaused(tx, baseId, { publicId, tableId: other.id, cause, fieldIds: [symmetricId], actor, tokenId, clientId }, ids);
  await settleWrite({ db: tx, newId: services.newId }, underWay, await selectOperationId(tx, other, publicId), { publicId, kind: 'computed', actor, tokenId, clientId });
  return plan;
};

/** A link came between, or somebody holds one of the records: the part is done again. */
const isOfTheMoment = (error: unknown): boolean => error instanceof Stale || isTakenBack(error) || (error instanceof ApiError && error.code === 'conflict');

const mostTries = 20;

/** Answers where to go on, and how long the part took. */
const linkNext = async (services: Services, job: RunningJob<RelinkPayload>, part: Part): Promise<{ next: number; took: number }> => {
  const { payload } = job;
  let deferred: ReadonlySet<string> = new Set();
  for (let tries = 1; ; tries += 1) {
    const done: { plan: SettlePlan | null; next: number } = { plan: null, next: part.at };
    const begun = performance.now();
    try {
      await job.step(async (tx) => {
        const plan = await linkPart(tx, services, payload, part, deferred);
        done.plan = plan ?? null;
        done.next = plan === null ? payload.ends.length : Math.min(payload.ends.length, part.at + part.count);
        return { cursor: { at: done.next }, done: done.next, total: payload.ends.length };
      });
      announceDeferred(services, done.plan);
      services.live.changed(payload.baseId);
      return { next: done.next, took: performance.now() - begun };
    } catch (error) {
      if (!isOfTheMoment(error) || tries >= mostTries) throw error;
      if (error instanceof OutOfReach) deferred = new Set([...deferred, ...error.fieldIds]);
      job.signal.throwIfAborted();
    }
  }
};

export const relinkJob: JobKind<Services, RelinkPayload> = {
  name: relinkKind,
  isLong: true,
  retry: { attempts: null, first: 5, longest: 600 },
  async run(services, job) {
    let at = (job.cursor as { at: number } | null)?.at ?? 0;
    let count = size.first;
    while (at < job.payload.ends.length) {
      job.signal.throwIfAborted();
      const { next, took } = await linkNext(services, job, { at, count });
      at = next;
      count = Math.round(Math.min(size.most, Math.max(size.least, count * Math.min(2, Math.max(0.25, size.milliseconds / took)))));
    }
  },
};
