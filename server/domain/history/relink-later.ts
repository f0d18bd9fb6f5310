// Links of a restored record to very many others come back part by part, so that nobody waits for all of them. Each part is a write like any other: both
// ends show it when it is done, with all that is computed from them. What has been linked to somebody else meanwhile stays there. What cannot come back
// because it is in the trash comes back with that: see docs/adr/0069-links-that-are-not-back-yet.md.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { OperationFacts } from '../../catalog/operation.sql.ts';
import { lockSchemasOf, selectRelated } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isGone, isSafeToRepeat } from '../../db/error.ts';
import { runScript } from '../../pipeline/script.ts';
import { isTakenBack, OutOfReach, Stale } from '../../pipeline/stale.ts';
import { addJob } from '../../work/job.sql.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { leadsToSeveral } from '../cell/type/link.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { addEdges, type Edge } from '../computed/edge.sql.ts';
import { closeGate, enterGate } from '../computed/gate.sql.ts';
import { type OpenRelink, relinkKind } from '../computed/open-relinks.sql.ts';
import { limits, type SettlePlan } from '../computed/plan.ts';
import { insertCaused } from '../computed/settle.sql.ts';
import { selectDeletedField } from '../field/deleted-field.sql.ts';
import { waitBriefly } from '../field/settle-job.sql.ts';
import type { Column } from '../record/write/cells.ts';
import { changeDeleted } from '../record/write/deleted-record.sql.ts';
import { selectPresent } from '../record/write/link-targets.sql.ts';
import { announceDeferred, restorableLinks, settlePlanOf } from '../record/write/links.ts';
import { linkedWrite, NotWritten } from '../record/write/write-script.ts';
import { lockRows } from '../record/write/update.sql.ts';
import { withLinks } from './kept-links.ts';

interface RelinkPayload
  extends Omit<OpenRelink, 'from'>,
    Partial<Pick<OpenRelink, 'from'>>,
    Pick<OperationFacts, 'actor' | 'tokenId' | 'clientId'> {
  baseId: string;
  /** The number of the operation that restored it; 0 in a copy of the base. */
  cause: number;
}

const endsOf = (value: unknown): string[] => ((value ?? []) as { id: string }[]).map(({ id }) => id);

/** Cells whose links are left to jobs: of the longest, when together they are too many. */
export const splitLong = (
  table: TableSchema,
  ids: readonly string[],
  links: readonly Column[],
): { now: Column[]; later: { fieldId: string; recordId: string; ends: string[] }[] } => {
  const later: { fieldId: string; recordId: string; ends: string[] }[] = [];
  const now = links.map((column) => {
    const linked = linkedBy(column.field, table.related.get(table.id));
    const total = column.values.reduce<number>((sum, value) => sum + endsOf(value).length, 0);
    // Without a field on the other side nobody's cells change with it.
    if (linked?.symmetric === undefined || linked.place === 'own' || total <= limits.reached) return column;
    const isLong = (value: unknown): boolean => endsOf(value).length > limits.reached / 10;
    column.values.forEach(
      (value, at) =>
        void (
          isLong(value) && later.push({ fieldId: column.field.id, recordId: ids[at] as string, ends: endsOf(value) })
        ),
    );
    return { ...column, values: column.values.map((value) => (isLong(value) ? null : value)) };
  });
  return { now, later };
};

export const relinkLater = (tx: Tx, payload: RelinkPayload): Promise<unknown> =>
  addJob(tx, {
    kind: relinkKind,
    key: `${payload.recordId} ${payload.fieldId} ${payload.cause}`,
    baseId: payload.baseId,
    payload,
  });

/** Links of a part. Those who write one of its records wait for it, so there are as many as take about this many milliseconds; with each the list of the restored record is written, so there are not too few. */
const size = { first: 500, least: 200, most: 2_000, milliseconds: 250 };

interface LinkPlace {
  table: TableSchema;
  linked: Linked;
  other: FieldSchema;
  /** False: the field, or one of its tables, is in the trash. */
  isInSight: boolean;
}

/** Of a link whose field, or one of whose tables, is in the trash: its keys are there still. */
const linkedOutOfSight = async (
  tx: Tx,
  { id, baseId }: TableSchema,
  field: FieldSchema,
): Promise<Linked | undefined> => {
  const { foreignTableId = '', symmetricFieldId = '' } = field.options as Record<string, string | undefined>;
  const deleted = await selectDeletedField(tx, symmetricFieldId);
  const tables = new Map<string, RelatedTable>();
  for (const one of await selectRelated(tx, [...new Set([id, foreignTableId])])) {
    const fields = deleted?.tableId === one.id ? [...one.fields, deleted.field] : one.fields;
    tables.set(one.id, {
      ...one,
      baseId,
      fields,
      byId: new Map(fields.map((each) => [each.id, each])),
      primary: fields.find(({ isPrimary }) => isPrimary) as FieldSchema,
      related: tables,
    });
  }
  return linkedBy(field, tables.get(id));
};

/** Null when there is nothing left to link: the table or the field is gone for good. */
const placeOf = async (tx: Tx, { baseId, tableId, fieldId }: RelinkPayload): Promise<LinkPlace | null> => {
  const table = await loadTable(tx, baseId, tableId).catch((error: unknown) => {
    if (isGone(error) || (error instanceof ApiError && error.status === 404)) return null;
    throw error;
  });
  const field = table?.byId.get(fieldId) ?? table?.hidden.find(({ id }) => id === fieldId);
  if (table === null || field === undefined || !isLink(field)) return null;
  const seen = table.byId.has(fieldId) ? linkedBy(field, table.related.get(tableId)) : undefined;
  const linked = seen ?? (await linkedOutOfSight(tx, table, field));
  return linked?.symmetric === undefined || linked.place === 'own'
    ? null
    : { table, linked, other: linked.symmetric, isInSight: seen !== undefined };
};

interface Part {
  at: number;
  count: number;
}

/** What came of a part: where to go on, and what it left to a job. */
interface Outcome {
  next: number;
  plan: SettlePlan | null;
}

/** Of records in the trash: these links come back with them. */
const keepWith = (
  tx: Tx,
  table: Pick<TableSchema, 'baseId' | 'id'>,
  recordIds: readonly string[],
  field: FieldSchema,
  ends: readonly string[],
  cause: number,
): Promise<void> =>
  changeDeleted(tx, table, recordIds, cause, (record) =>
    withLinks(record, field.id, ends, leadsToSeveral(field.options)),
  );

const edgesOf = ({ recordId, ends }: RelinkPayload, ids: readonly string[], at: number): Edge[] =>
  ids.map((id) => ({ own: recordId, foreign: id, at: ends.indexOf(id, at) }));

const linkPart = async (
  tx: Tx,
  services: Services,
  payload: RelinkPayload,
  { at, count }: Part,
  deferred: ReadonlySet<string>,
): Promise<Outcome> => {
  const { baseId, recordId, cause, actor, tokenId, clientId } = payload;
  const end = payload.ends.length;
  await waitBriefly(tx, baseId);
  await (deferred.size === 0 ? enterGate : closeGate)(tx, baseId);
  const place = await placeOf(tx, payload);
  if (place === null) return { next: end, plan: null };
  const { table, linked, other: side, isInSight } = place;
  if (deferred.size > 0) await lockSchemasOf(tx, baseId, [...table.related.keys()]);
  const isThere = (await selectPresent(tx, table, [recordId])).size > 0;
  const next = isThere ? Math.min(end, at + count) : end;
  const ends = payload.ends.slice(at, next);
  // Deleted again, it takes the rest along, and brings it back.
  if (!isThere) await keepWith(tx, table, [recordId], linked.field, ends, cause);
  const present = await selectPresent(tx, linked.foreign, ends);
  const gone = ends.filter((id) => !present.has(id));
  if (isThere && gone.length > 0) await keepWith(tx, linked.foreign, gone, side, [recordId], cause);
  if (!isInSight) {
    // Nobody sees them. When the link comes back its cells follow from its keys, and what they do not lead to any more is left out.
    await lockRows(tx, linked.foreign, [...present]);
    await addEdges(
      tx,
      linked,
      edgesOf(
        payload,
        ends.filter((id) => present.has(id)),
        at,
      ),
      true,
    );
    return { next, plan: null };
  }
  if (!isThere) return { next, plan: null };
  const part: Column = { field: linked.field, type: fieldTypeOf(linked.field), values: [ends.map((id) => ({ id }))] };
  const [free] = await restorableLinks(tx, table, [recordId], [part], async () => present);
  const ids = endsOf(free?.values[0]);
  if (ids.length === 0) return { next, plan: null };
  const other = await loadTable(tx, baseId, linked.foreign.id);
  const column: Column = { field: side, type: fieldTypeOf(side), values: ids.map(() => [{ id: recordId }]) };
  const plan = settlePlanOf(other, 'update', [column], deferred);
  if (plan === null) throw new Error(`nothing follows from the link ${linked.field.id}`);
  const request = { rows: ids.map((id) => ({ id, fields: {} })), keyType: 'id' as const, typecast: true };
  const publicId = services.newId('opr');
  await runScript(
    tx,
    linkedWrite<void>({
      reach: { context: { deferred, newId: services.newId }, plan, own: ids, links: [column], request, isNew: true },
      isDecided: false,
      rows: {
        name: 'rows',
        async work(answers) {
          if (answers.get('locked').get(table.id)?.has(recordId) !== true) throw new NotWritten();
          await addEdges(tx, linked, edgesOf(payload, ids, at));
          const operation = { publicId, tableId: other.id, cause, fieldIds: [side.id], actor, tokenId, clientId };
          await insertCaused(tx, baseId, operation, ids);
        },
      },
      settling: { operation: { publicId, actor, tokenId, clientId } },
    }),
  ).catch((error: unknown) => {
    // One of them was deleted since it was looked for.
    throw error instanceof NotWritten ? new Stale('records') : error;
  });
  return { next, plan };
};

/** A link came between, or somebody holds one of the records: the part is done again. */
const isOfTheMoment = (error: unknown): boolean =>
  error instanceof Stale || isTakenBack(error) || isSafeToRepeat(error);

const mostTries = 20;

/** Answers where to go on, and how long the part took. */
const linkNext = async (
  services: Services,
  job: RunningJob<RelinkPayload>,
  part: Part,
): Promise<{ next: number; took: number }> => {
  const { payload } = job;
  let deferred: ReadonlySet<string> = new Set();
  for (let tries = 1; ; tries += 1) {
    let outcome: Outcome = { next: part.at, plan: null };
    const begun = performance.now();
    try {
      await job.step(async (tx) => {
        outcome = await linkPart(tx, services, payload, part, deferred);
        return { cursor: { at: outcome.next }, done: outcome.next, total: payload.ends.length };
      });
      announceDeferred(services, outcome.plan);
      services.live.changed(payload.baseId);
      return { next: outcome.next, took: performance.now() - begun };
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
  givesWay: true,
  retry: { attempts: null, first: 5, longest: 600 },
  async run(services, job) {
    let at = (job.cursor as { at: number } | null)?.at ?? job.payload.from ?? 0;
    let count = size.first;
    while (at < job.payload.ends.length) {
      await job.giveWay();
      const { next, took } = await linkNext(services, job, { at, count });
      at = next;
      count = Math.round(
        Math.min(size.most, Math.max(size.least, count * Math.min(2, Math.max(0.25, size.milliseconds / took)))),
      );
    }
  },
};
