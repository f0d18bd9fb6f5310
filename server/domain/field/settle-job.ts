// Fills the columns of formulas that were added to, or changed in, a table with many records: in chunks, so that nobody who writes
// waits for long. What is read meanwhile comes from the expressions.
import { ApiError } from '@rowhouse/contract/error.ts';
import { bumpVersion, lockSchema } from '../../catalog/table.sql.ts';
import { type FieldSchema, loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { isGone } from '../../db/error.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { updateComputed } from './field.sql.ts';
import { countRows, fillNext } from './settle-formulas.sql.ts';
import { lockVersion } from './settle-job.sql.ts';

export const settleKind = 'fill-formulas';

export interface SettlePayload {
  baseId: string;
  tableId: string;
  /** Which fields: a later change of the schema names another one. */
  run: string;
}

/** A chunk takes some 100 ms, and those who write its records wait for it. */
const chunk = 2_000;

interface Cursor {
  after: string;
  done: number;
  total: number;
}

const ofRun = ({ fields }: TableSchema, run: string): FieldSchema[] => fields.filter(({ computed }) => computed?.state === 'settling' && computed.run === run);

/** Null when the table is gone. */
const tableOf = async (tx: Tx, { baseId, tableId }: SettlePayload): Promise<TableSchema | null> =>
  loadTable(tx, baseId, tableId).catch((error: unknown) => {
    if (isGone(error) || (error instanceof ApiError && error.status === 404)) return null;
    throw error;
  });

/** Answers whether there is more to do. */
const fillChunk = async (job: RunningJob<SettlePayload>, cursor: Cursor): Promise<Cursor | null> => {
  let next: Cursor | null = null;
  await job.step(async (tx) => {
    const { baseId, tableId, run } = job.payload;
    // No change of the fields comes in between.
    await lockVersion(tx, baseId, tableId);
    const table = await tableOf(tx, job.payload);
    const fields = table === null ? [] : ofRun(table, run);
    if (table === null || fields.length === 0) return;
    const total = cursor.after === '' ? await countRows(tx, table) : cursor.total;
    const filled = await fillNext(tx, table, fields, cursor.after, chunk);
    if (filled === undefined) return;
    next = { after: filled.last, done: cursor.done + filled.filled, total };
    return { cursor: next, done: next.done, total };
  });
  return next;
};

const settle = async (tx: Tx, payload: SettlePayload): Promise<void> => {
  const { baseId, tableId, run } = payload;
  await lockSchema(tx, baseId, tableId);
  const table = await tableOf(tx, payload);
  const fields = table === null ? [] : ofRun(table, run);
  if (table === null || fields.length === 0) return;
  for (const field of fields) {
    const { cellValueType, isMultiple } = field.computed as NonNullable<FieldSchema['computed']>;
    await updateComputed(tx, { ...field, computed: { cellValueType, isMultiple, state: 'settled' } });
  }
  await bumpVersion(tx, baseId, tableId);
};

export const settleJob: JobKind<Services, SettlePayload> = {
  name: settleKind,
  isLong: true,
  retry: { attempts: null, first: 5, longest: 600 },
  async run({ catalog }, job) {
    let cursor: Cursor | null = (job.cursor as Cursor | null) ?? { after: '', done: 0, total: 0 };
    while (cursor !== null) {
      job.signal.throwIfAborted();
      cursor = await fillChunk(job, cursor);
    }
    await job.finish((tx) => settle(tx, job.payload));
    catalog.forget(job.payload.tableId);
  },
};
