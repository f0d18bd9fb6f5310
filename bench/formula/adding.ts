// A formula is added to a large table: what pages and writes take meanwhile, against what they take once it is filled.
import { twentyFields } from '../cells.ts';
import { median, percentile } from '../figures.ts';
import { callApi, newSpace, newTable, tableName } from '../ground.ts';
import { fillSql } from '../query/raw-query.sql.ts';
import type { Stage } from '../process/stage.ts';

export interface Adding {
  records: number;
  /** Milliseconds until the field was created. */
  answered: number;
  /** Seconds until every cell was filled. */
  filled: number;
  jobs: number;
  /** Of a page of 100 with the formula, in milliseconds. */
  pages: { meanwhile: number; settled: number; ratio: number };
  /** Of an update of one record. */
  writes: { meanwhile: number; settled: number; longest: number };
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

export const measureAdding = async (stage: Stage, records: number, settledTurns: number): Promise<Adding> => {
  const table = await newTable(stage, await newSpace(stage), twentyFields);
  await stage.db.query(fillSql(table, records, stage.userId));
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  const { rows } = await stage.db.query<{ id: string }>(`select __id as id from ${tableName(table)} where __auto_number % 97 = 1 order by __id`);
  let turn = 0;
  const page = () => timed(() => callApi(stage, 'GET', `/table/${table.tableId}/record?take=100`));
  const write = () => timed(() => callApi(stage, 'PATCH', `/table/${table.tableId}/record/${rows[(turn += 1) % rows.length]?.id}`, { record: { fields: { 'Number 1': turn } } }));
  for (let warm = 0; warm < 10; warm += 1) await page();
  const begun = performance.now();
  const made: { field?: { id: string } } = {};
  const answered = await timed(async () => {
    made.field = await callApi(stage, 'POST', `/table/${table.tableId}/field`, { name: 'Product', type: 'formula', options: { expression: 'ROUND({Number 1} * {Number 2} / 3, 2) & " " & UPPER({Text 1})' } });
  });
  const isPending = async () => (await callApi<{ isPending?: boolean }>(stage, 'GET', `/table/${table.tableId}/field/${made.field?.id}`)).isPending === true;
  const jobs = (await stage.db.query(`select from rowhouse.jobs where kind = 'fill-formulas' and payload ->> 'tableId' = $1`, [table.tableId])).rows.length;
  const [pages, writes]: [number[], number[]] = [[], []];
  while (await isPending()) {
    pages.push(await page());
    writes.push(await write());
  }
  const filled = (performance.now() - begun) / 1_000;
  const [settledPages, settledWrites]: [number[], number[]] = [[], []];
  for (let at = 0; at < settledTurns; at += 1) {
    settledPages.push(await page());
    settledWrites.push(await write());
  }
  return {
    records, answered, filled, jobs,
    pages: { meanwhile: median(pages), settled: median(settledPages), ratio: median(pages) / median(settledPages) },
    writes: { meanwhile: median(writes), settled: median(settledWrites), longest: percentile(writes, 1) },
  };
};
