// Fills the columns of computed fields that were added to, or changed in, a table with many records, or that a write reached in very many: in chunks,
// so that nobody who writes waits for long. What is read meanwhile comes from the expressions. Those who write keep the cells right that they reach, so
// that a chunk that is done stays right; each field comes after those that it is computed from.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@rowhouse/contract/error.ts';
import { newId } from '@rowhouse/contract/id.ts';
import { bumpQuietly, bumpVersion, limitWaiting, lockSchemasOf } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type RelatedTable, joinSnapshot, type TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isGone, isSafeToRepeat } from '../../db/error.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { isLink } from '../cell/linked.sql.ts';
import { closeGate, enterGate } from '../computed/gate.sql.ts';
import { graphOf } from '../computed/graph.ts';
import { type Step, stepsFor } from '../computed/plan.ts';
import { countRecords, type Lost, refillNext } from '../computed/refill.sql.ts';
import { updateComputed } from './field.sql.ts';
import { settleKind, type SettlePayload } from './fill-later.ts';
import { insertLost, waitBriefly } from './settle-job.sql.ts';
import { ensureFieldVersions } from './field-version.sql.ts';
import { metaOf } from './field-version.ts';

/** Records of a chunk. Those who write one of them wait until the chunk is done, so there are as many as take about this many milliseconds. */
const size = { first: 500, least: 50, most: 5_000, milliseconds: 120 };

/** A chunk that waits for somebody's lock gives way, since others wait behind it. After so many in a row the job comes again later. */
const mostWaits = 20;

interface Cursor {
  /** Ids of fields that are done. Servers of the version before left none. */
  filled?: string[];
  /** Those of the step that is under way. */
  fields?: string[];
  after: string;
  done: number;
  total: number;
}

const ofRun = (
  { related }: Pick<RelatedTable, 'related'>,
  run: string,
): { table: RelatedTable; field: FieldSchema }[] =>
  [...related.values()].flatMap((table) =>
    table.fields
      .filter(({ computed }) => computed?.state === 'settling' && computed.run === run)
      .map((field) => ({ table, field })),
  );

/** Null when the table is gone. */
const tableOf = async (tx: Tx, { baseId, tableId }: SettlePayload): Promise<TableSchema | null> =>
  loadTable(tx, baseId, tableId).catch((error: unknown) => {
    if (isGone(error) || (error instanceof ApiError && error.status === 404)) return null;
    throw error;
  });

const asFilled = (field: FieldSchema): FieldSchema => ({
  ...field,
  computed: isLink(field) || field.computed == null ? null : { ...field.computed, state: 'settled' },
});

/**
 * The tables as if fields whose columns are filled were settled: those who write keep these columns right, and what is computed from them need not go through expressions in
 * expressions. Of clients whose projects' tasks were filled, a chunk of 300 took 12 s so, and everybody waited for it.
 */
const withFilled = ({ related }: TableSchema, filled: ReadonlySet<string>): Pick<RelatedTable, 'related'> => {
  if (filled.size === 0) return { related };
  const tables = new Map<string, RelatedTable>();
  for (const table of related.values()) {
    const fields = table.fields.map((field) => (filled.has(field.id) ? asFilled(field) : field));
    const byId = new Map(fields.map((field) => [field.id, field]));
    tables.set(table.id, {
      ...table,
      fields,
      byId,
      primary: byId.get(table.primary.id) as FieldSchema,
      related: tables,
    });
  }
  for (const table of tables.values()) joinSnapshot(table);
  return { related: tables };
};

const stepsOf = (table: TableSchema, run: string, filled: readonly string[]): Step[] =>
  stepsFor(
    graphOf(withFilled(table, new Set(filled))),
    new Set(
      ofRun(table, run)
        .map(({ field }) => field.id)
        .filter((id) => !filled.includes(id)),
    ),
  );

const countAll = async (tx: Tx, steps: readonly Step[]): Promise<number> => {
  let total = 0;
  for (const { table } of steps) total += await countRecords(tx, table);
  return total;
};

/** What cells of links lose by a deletion that nobody waited for is in the history, as if it had been written with it. */
const writeLost = async (
  tx: Tx,
  table: RelatedTable,
  fields: readonly FieldSchema[],
  lost: readonly Lost[],
): Promise<void> => {
  const named = fields.filter(({ id }) => lost.some(({ fieldId }) => fieldId === id));
  const metaIds = await ensureFieldVersions(
    tx,
    table,
    named.map((field) => ({ fieldId: field.id, version: field.version, meta: metaOf(field) })),
  );
  for (const cause of new Set(lost.map((one) => one.cause))) {
    await insertLost(
      tx,
      table,
      newId('opr'),
      cause,
      lost.filter((one) => one.cause === cause).map((one) => ({ ...one, metaId: metaIds.get(one.fieldId) as number })),
    );
  }
};

interface Chunk {
  /** Where to go on; null when there is nothing left to do. */
  next: Cursor | null;
  /** Milliseconds for which its records were locked. */
  took: number;
}

const fillChunk = async (
  job: RunningJob<SettlePayload>,
  { filled = [], fields = [], after, done, total }: Cursor,
  count: number,
): Promise<Chunk> => {
  let next: Cursor | null = null;
  let begun = performance.now();
  await job.step(async (tx) => {
    const { baseId, run } = job.payload;
    await waitBriefly(tx, baseId);
    // No change of the fields comes in between.
    await enterGate(tx, baseId);
    const table = await tableOf(tx, job.payload);
    const steps = table === null ? [] : stepsOf(table, run, filled);
    const [step] = steps;
    if (step === undefined) return;
    const ids = step.dependents.map(({ field }) => field.id);
    const all = total === 0 ? await countAll(tx, steps) : total;
    begun = performance.now();
    const chunked = await refillNext(tx, step, isDeepStrictEqual(ids, fields) ? after : '', count);
    if (chunked !== undefined && chunked.lost.length > 0)
      await writeLost(
        tx,
        step.table,
        step.dependents.map(({ field }) => field),
        chunked.lost,
      );
    next =
      chunked === undefined
        ? { filled: [...filled, ...ids], fields: [], after: '', done, total: all }
        : { filled, fields: ids, after: chunked.last, done: done + chunked.count, total: all };
    return { cursor: next, done: next.done, total: all };
  });
  return { next, took: performance.now() - begun };
};

/** What is filled is read from its column from now on: those of the run that `which` names, or all of them. */
const settle = async (tx: Tx, payload: SettlePayload, which?: ReadonlySet<string>): Promise<void> => {
  const { baseId, run } = payload;
  await closeGate(tx, baseId);
  const table = await tableOf(tx, payload);
  const fields = table === null ? [] : ofRun(table, run).filter(({ field }) => which?.has(field.id) !== false);
  if (table === null || fields.length === 0) return;
  const ids = [...table.related.keys()];
  await lockSchemasOf(tx, baseId, ids);
  for (const { field } of fields) {
    const { cellValueType, isMultiple } = field.computed as NonNullable<FieldSchema['computed']>;
    await updateComputed(tx, {
      ...field,
      computed: isLink(field) ? null : { cellValueType, isMultiple, state: 'settled' },
    });
  }
  const told = new Set(fields.map((one) => one.table.id));
  for (const id of told) await bumpVersion(tx, baseId, id);
  await bumpQuietly(
    tx,
    baseId,
    ids.filter((id) => !told.has(id)),
  );
};

/** A step is done, and others follow that are read through it: of expressions in expressions a page of a large table takes a second. Anyone who is in the way is not waited for: all are settled at the end. */
const settleFilled = async (job: RunningJob<SettlePayload>, fieldIds: readonly string[]): Promise<void> => {
  try {
    await job.step(async (tx) => {
      await waitBriefly(tx, job.payload.baseId);
      await settle(tx, job.payload, new Set(fieldIds));
    });
  } catch (error) {
    if (!isSafeToRepeat(error)) throw error;
  }
};

const fillAll = async (job: RunningJob<SettlePayload>): Promise<void> => {
  let cursor: Cursor | null = (job.cursor as Cursor | null) ?? { filled: [], fields: [], after: '', done: 0, total: 0 };
  let count = size.first;
  for (let waits = 0; cursor !== null; ) {
    await job.giveWay();
    try {
      const { next, took }: Chunk = await fillChunk(job, cursor, count);
      const isStepDone = (next?.filled?.length ?? 0) > (cursor.filled?.length ?? 0);
      cursor = next;
      if (isStepDone) await settleFilled(job, next?.filled ?? []);
      waits = 0;
      count = Math.round(
        Math.min(size.most, Math.max(size.least, count * Math.min(2, Math.max(0.25, size.milliseconds / took)))),
      );
    } catch (error) {
      waits += 1;
      if (!isSafeToRepeat(error) || waits > mostWaits) throw error;
      count = Math.max(size.least, Math.floor(count / 2));
    }
  }
};

export const settleJob: JobKind<Services, SettlePayload> = {
  name: settleKind,
  isLong: true,
  givesWay: true,
  retry: { attempts: null, first: 5, longest: 600 },
  async run({ catalog }, job) {
    await fillAll(job);
    await job.finish(async (tx) => {
      await limitWaiting(tx);
      await settle(tx, job.payload);
    });
    // Others find out by the version.
    catalog.forget(job.payload.tableId);
  },
};
