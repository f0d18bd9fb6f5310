// Fills the columns of computed fields that were added to, or changed in, a table with many records, or that a write reached in very many: in chunks,
// so that nobody who writes waits for long. What is read meanwhile comes from the expressions. Those who write keep the cells right that they reach, so
// that a chunk that is done stays right; each field comes after those that it is computed from.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@rowhouse/contract/error.ts';
import { bumpQuietly, bumpVersion, limitWaiting, lockSchemasOf } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type RelatedTable, type TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isGone } from '../../db/error.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { isLink } from '../cell/linked.sql.ts';
import { closeGate, enterGate } from '../computed/gate.sql.ts';
import { graphOf } from '../computed/graph.ts';
import { type Step, stepsFor } from '../computed/plan.ts';
import { countRecords, refillNext } from '../computed/refill.sql.ts';
import { updateComputed } from './field.sql.ts';
import { settleKind, type SettlePayload } from './fill-later.ts';
import { waitBriefly } from './settle-job.sql.ts';

/** A chunk takes some 100 ms, and those who write its records wait for it. */
const chunk = 2_000;

interface Cursor {
  /** Ids of fields that are done. Servers of the version before left none. */
  filled?: string[];
  /** Those of the step that is under way. */
  fields?: string[];
  after: string;
  done: number;
  total: number;
}

const ofRun = ({ related }: Pick<RelatedTable, 'related'>, run: string): { table: RelatedTable; field: FieldSchema }[] =>
  [...related.values()].flatMap((table) => table.fields.filter(({ computed }) => computed?.state === 'settling' && computed.run === run).map((field) => ({ table, field })));

/** Null when the table is gone. */
const tableOf = async (tx: Tx, { baseId, tableId }: SettlePayload): Promise<TableSchema | null> =>
  loadTable(tx, baseId, tableId).catch((error: unknown) => {
    if (isGone(error) || (error instanceof ApiError && error.status === 404)) return null;
    throw error;
  });

const stepsOf = (table: TableSchema, run: string, filled: readonly string[]): Step[] =>
  stepsFor(graphOf(table), new Set(ofRun(table, run).map(({ field }) => field.id).filter((id) => !filled.includes(id))));

const countAll = async (tx: Tx, steps: readonly Step[]): Promise<number> => {
  let total = 0;
  for (const { table } of steps) total += await countRecords(tx, table);
  return total;
};

/** Answers where to go on, or null when there is nothing left to do. */
const fillChunk = async (job: RunningJob<SettlePayload>, { filled = [], fields = [], after, done, total }: Cursor): Promise<Cursor | null> => {
  let next: Cursor | null = null;
  await job.step(async (tx) => {
    const { baseId, run } = job.payload;
    await waitBriefly(tx);
    // No change of the fields comes in between.
    await enterGate(tx, baseId);
    const table = await tableOf(tx, job.payload);
    const steps = table === null ? [] : stepsOf(table, run, filled);
    const [step] = steps;
    if (step === undefined) return;
    const ids = step.kept.map(({ field }) => field.id);
    const all = total === 0 ? await countAll(tx, steps) : total;
    const chunked = await refillNext(tx, step, isDeepStrictEqual(ids, fields) ? after : '', chunk);
    next = chunked === undefined ? { filled: [...filled, ...ids], fields: [], after: '', done, total: all } : { filled, fields: ids, after: chunked.last, done: done + chunked.count, total: all };
    return { cursor: next, done: next.done, total: all };
  });
  return next;
};

/** Answers the ids of the tables whose snapshots are others now. */
const settle = async (tx: Tx, payload: SettlePayload): Promise<void> => {
  const { baseId, run } = payload;
  await limitWaiting(tx);
  await closeGate(tx, baseId);
  const table = await tableOf(tx, payload);
  const fields = table === null ? [] : ofRun(table, run);
  if (table === null || fields.length === 0) return;
  const ids = [...table.related.keys()];
  await lockSchemasOf(tx, baseId, ids);
  for (const { field } of fields) {
    const { cellValueType, isMultiple } = field.computed as NonNullable<FieldSchema['computed']>;
    await updateComputed(tx, { ...field, computed: isLink(field) ? null : { cellValueType, isMultiple, state: 'settled' } });
  }
  const told = new Set(fields.map((one) => one.table.id));
  for (const id of told) await bumpVersion(tx, baseId, id);
  await bumpQuietly(tx, baseId, ids.filter((id) => !told.has(id)));
};

export const settleJob: JobKind<Services, SettlePayload> = {
  name: settleKind,
  isLong: true,
  retry: { attempts: null, first: 5, longest: 600 },
  async run({ catalog }, job) {
    let cursor: Cursor | null = (job.cursor as Cursor | null) ?? { filled: [], fields: [], after: '', done: 0, total: 0 };
    while (cursor !== null) {
      job.signal.throwIfAborted();
      cursor = await fillChunk(job, cursor);
    }
    await job.finish((tx) => settle(tx, job.payload));
    // Others find out by the version.
    catalog.forget(job.payload.tableId);
  },
};
