// Makes the index of texts of a table, in steps that each count once, and brings it up to date where records have been written. Nobody waits for it: writes only mark
// where they were, and searches look through what is marked. See docs/adr/0211-searching-by-parts-of-words.md.
import { loadTable, type TableSchema } from '../../../catalog/table.ts';
import type { Db, Tx } from '../../../db/db.ts';
import { takesTriggers } from '../../../db/citus.ts';
import { compile } from '../../../db/sql.ts';
import type { RunningJob } from '../../../work/job.ts';
import { addGrams, anyGram } from '../../query/gram.ts';
import { selectHighestNumber } from '../view-index/view-index.sql.ts';
import {
  analyzeSegments,
  type Coverage,
  gramIndexSql,
  lockRecords,
  lockSearchState,
  longestText,
  openSearchIndex,
  type SearchState,
  type SegmentTexts,
  selectTexts,
  setCoverage,
  takeDirty,
  writeSegments,
} from './search-index.sql.ts';
import { commonCoverage, coverageOf, covers, type Folding, foldingOf, searchedFields } from './searched-fields.ts';

export const searchIndexKind = 'index-search';
export const refreshKind = 'refresh-search-index';

export interface SearchIndexPayload {
  baseId: string;
  tableId: string;
}

/** Records of a segment as a power of two. Fewer would make the index larger, more would leave more to look through. */
const shift = 4;
/** Of a step. */
const records = 1_024;
const segments = 64;

/** Of one segment: with more the index would hardly leave anything out. */
const mostGrams = 20_000;

const gramsOf = (rows: readonly SegmentTexts[], { fold }: Folding): Map<number, Set<number>> => {
  const found = new Map<number, Set<number>>();
  for (const { segment, texts } of rows) {
    const grams = found.get(segment) ?? new Set<number>();
    found.set(segment, grams);
    for (const text of texts) {
      if (text === null || grams.has(anyGram)) continue;
      if (text.length > longestText) grams.add(anyGram);
      else addGrams(fold(text), grams);
      if (grams.size > mostGrams) grams.add(anyGram);
    }
    if (grams.has(anyGram)) found.set(segment, new Set([anyGram]));
  }
  return found;
};

interface Cursor {
  next: number;
  epoch: number;
  coverage: Coverage;
}

/** From here on no column changes, and nobody else works on the index. Undefined: it is closed. */
const lockBoth = async (
  tx: Tx,
  baseId: string,
  tableId: string,
): Promise<{ state: SearchState; table: TableSchema } | undefined> => {
  await lockRecords(tx, await loadTable(tx, baseId, tableId), 'access share', 2_000);
  const state = await lockSearchState(tx, tableId);
  return state === undefined ? undefined : { state, table: await loadTable(tx, baseId, tableId) };
};

const readSegments = async (
  tx: Tx,
  table: TableSchema,
  folding: Folding,
  bits: number,
  which: Parameters<typeof selectTexts>[4],
): Promise<{ grams: Map<number, Set<number>>; coverage: Coverage }> => {
  const fields = searchedFields(table, folding);
  const texts = fields.map(({ text }) => text);
  const rows = texts.length === 0 ? [] : await selectTexts(tx, table, texts, bits, which);
  return { grams: gramsOf(rows, folding), coverage: coverageOf(fields) };
};

const open = async (job: RunningJob, { baseId, tableId }: SearchIndexPayload, folding: Folding): Promise<boolean> => {
  let isRight = false;
  await job.step(async (tx) => {
    const table = await loadTable(tx, baseId, tableId);
    const { epoch, coverage } = await openSearchIndex(tx, table, shift);
    const wanted = coverageOf(searchedFields(await loadTable(tx, baseId, tableId), folding));
    isRight = covers(coverage, wanted);
    return { cursor: { next: 0, epoch, coverage: wanted } satisfies Cursor };
  });
  return isRight;
};

const step = async (job: RunningJob, { baseId, tableId }: SearchIndexPayload, folding: Folding): Promise<void> =>
  job.step(async (tx) => {
    const { next, epoch, coverage } = job.cursor as Cursor;
    const locked = await lockBoth(tx, baseId, tableId);
    // Closed meanwhile: the next search opens it again.
    if (locked === undefined) return { cursor: null };
    const { state, table } = locked;
    if (state.epoch !== epoch)
      return { cursor: { next: 0, epoch: state.epoch, coverage: coverageOf(searchedFields(table, folding)) } };
    const highest = await selectHighestNumber(tx, table);
    const end = next + records;
    const read = await readSegments(tx, table, folding, state.shift, { from: next, end });
    await writeSegments(tx, tableId, read.grams);
    if (!covers(read.coverage, state.coverage))
      await setCoverage(tx, tableId, commonCoverage(state.coverage, read.coverage));
    const common = commonCoverage(coverage, read.coverage);
    return {
      cursor: { next: end > highest ? -1 : end, epoch, coverage: common } satisfies Cursor,
      done: Math.min(end, highest),
      total: highest,
    };
  });

const makeGramIndex = async (db: Db, tableId: string): Promise<void> => {
  const client = await db.dedicated();
  try {
    await client.query(compile(gramIndexSql(tableId)).text);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** A search may go by it from here on, unless a field has changed in the middle: then it begins again. */
const settle = async (job: RunningJob, { tableId }: SearchIndexPayload): Promise<boolean> => {
  let isRight = false;
  await job.step(async (tx) => {
    const { epoch, coverage } = job.cursor as Cursor;
    const state = await lockSearchState(tx, tableId);
    if (state === undefined) return { cursor: null };
    if (state.epoch !== epoch) return { cursor: { next: 0, epoch: state.epoch, coverage: {} } satisfies Cursor };
    await setCoverage(tx, tableId, coverage);
    await analyzeSegments(tx, tableId);
    isRight = true;
    return { cursor: null };
  });
  return isRight;
};

export const buildSearchIndex = async (db: Db, job: RunningJob, smallest: number): Promise<void> => {
  const payload = job.payload as SearchIndexPayload;
  // Its nodes have no triggers, and join a base with nothing beside it.
  if (!(await takesTriggers(db))) return;
  const table = await loadTable(db, payload.baseId, payload.tableId);
  if ((await selectHighestNumber(db, table)) < smallest) return;
  const folding = await foldingOf(db);
  if (folding.isImpossible) return;
  if ((job.cursor ?? null) === null && (await open(job, payload, folding))) return;
  while ((job.cursor ?? null) !== null) {
    while ((job.cursor as Cursor | null)?.next !== -1 && (job.cursor ?? null) !== null) {
      await step(job, payload, folding);
      await job.giveWay();
    }
    if ((job.cursor ?? null) === null) return;
    await makeGramIndex(db, payload.tableId);
    if (await settle(job, payload)) return;
  }
};

/** Answers whether there may be more. What is no longer there as it was when the index was made is no longer covered. */
const refreshSegments = async (tx: Tx, { baseId, tableId }: SearchIndexPayload, folding: Folding): Promise<boolean> => {
  const locked = await lockBoth(tx, baseId, tableId);
  if (locked === undefined) return false;
  const { state, table } = locked;
  const dirty = await takeDirty(tx, tableId, segments);
  if (dirty.length === 0) return false;
  const { grams, coverage } = await readSegments(tx, table, folding, state.shift, { segments: dirty });
  await writeSegments(
    tx,
    tableId,
    grams,
    dirty.filter((segment) => !grams.has(segment)),
  );
  if (!covers(coverage, state.coverage)) await setCoverage(tx, tableId, commonCoverage(state.coverage, coverage));
  return dirty.length === segments;
};

export const refreshSearchIndex = async (db: Db, job: RunningJob): Promise<void> => {
  const payload = job.payload as SearchIndexPayload;
  const folding = await foldingOf(db);
  let isMore = true;
  while (isMore) {
    await job.step(async (tx) => {
      isMore = await refreshSegments(tx, payload, folding);
    });
    if (isMore) await job.giveWay();
  }
};
