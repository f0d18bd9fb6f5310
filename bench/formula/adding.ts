// A formula is added to a large table: what pages and writes take meanwhile, against what they take once it is filled.
import { twentyFields } from '../cells.ts';
import { median, percentile } from '../figures.ts';
import { callApi, newSpace, newTable, tableName } from '../ground.ts';
import { fillSql } from '../query/raw-query.sql.ts';
import type { Stage } from '../process/stage.ts';

interface Adding {
  records: number;
  /** Milliseconds until the field was created. */
  answered: number;
  /** Seconds until every cell was filled. */
  filled: number;
  /** Whether the answer said that it is being filled. */
  isPending: boolean;
  jobs: number;
  /** How often the progress was looked at and had grown. */
  progress: number;
  /** Cells that were not what they have to be: on pages read meanwhile, and in the column afterwards. */
  wrong: { read: number; stored: number };
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

interface Page {
  records: { fields: Record<string, unknown> }[];
}

const expression = 'ROUND({Number 1} * {Number 2} / 3, 2) & " " & UPPER({Text 1})';

/** What is near a half is left out: the formula rounds the decimals, this the double. */
const isWrong = ({ fields }: Page['records'][number]): boolean => {
  const cents = (((fields['Number 1'] as number) * (fields['Number 2'] as number)) / 3) * 100;
  if (Math.abs(cents - Math.floor(cents) - 0.5) < 0.001) return false;
  return fields['Product'] !== `${Math.round(cents) / 100} ${(fields['Text 1'] as string).toUpperCase()}`;
};

export const measureAdding = async (stage: Stage, records: number, settledTurns: number): Promise<Adding> => {
  const table = await newTable(stage, await newSpace(stage), twentyFields);
  await stage.db.query(fillSql(table, records, stage.userId));
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  const { rows } = await stage.db.query<{ id: string }>(
    `select __id as id from ${tableName(table)} where __auto_number % 97 = 1 order by __id`,
  );
  let turn = 0;
  let wrongRead = 0;
  const page = (isChecked = false) =>
    timed(async () => {
      const { records: found } = await callApi<Page>(stage, 'GET', `/table/${table.tableId}/record?take=100`);
      if (isChecked) wrongRead += found.filter(isWrong).length;
    });
  const write = () =>
    timed(() =>
      callApi(stage, 'PATCH', `/table/${table.tableId}/record/${rows[(turn += 1) % rows.length]?.id}`, {
        record: { fields: { 'Number 1': turn } },
      }),
    );
  for (let warm = 0; warm < 10; warm += 1) await page();
  const begun = performance.now();
  const made: { field?: { id: string; isPending?: boolean } } = {};
  const answered = await timed(async () => {
    made.field = await callApi(stage, 'POST', `/table/${table.tableId}/field`, {
      name: 'Product',
      type: 'formula',
      options: { expression },
    });
  });
  const isPending = async () =>
    (await callApi<{ isPending?: boolean }>(stage, 'GET', `/table/${table.tableId}/field/${made.field?.id}`))
      .isPending === true;
  const jobs = (
    await stage.db.query(`select from rowhouse.jobs where kind = 'fill-formulas' and payload ->> 'tableId' = $1`, [
      table.tableId,
    ])
  ).rows.length;
  const [pages, writes]: [number[], number[]] = [[], []];
  let [progress, done] = [0, 0];
  while (await isPending()) {
    pages.push(await page(true));
    writes.push(await write());
    const running = await callApi<{ jobs: { kind: string; progress?: { done: number } }[] }>(
      stage,
      'GET',
      `/base/${table.baseId}/job`,
    );
    const seen = running.jobs.find(({ kind }) => kind === 'fill-formulas')?.progress?.done ?? 0;
    if (seen > done) [progress, done] = [progress + 1, seen];
  }
  const filled = (performance.now() - begun) / 1_000;
  const [settledPages, settledWrites]: [number[], number[]] = [[], []];
  for (let at = 0; at < settledTurns; at += 1) {
    settledPages.push(await page());
    settledWrites.push(await write());
  }
  const columnOf = (name: string): string => `"${table.fields.find((field) => field.name === name)?.dbFieldName}"`;
  const [one, other] = [columnOf('Number 1'), columnOf('Number 2')];
  const { rows: stored } = await stage.db.query<{ wrong: number }>(
    `select count(*)::int as wrong from ${tableName(table)} where "Product" is distinct from round((${one} * ${other} / 3)::text::numeric, 2)::float8::text || ' ' || upper(${columnOf('Text 1')})`,
  );
  return {
    records,
    answered,
    filled,
    isPending: made.field?.isPending === true,
    jobs,
    progress,
    wrong: { read: wrongRead, stored: stored[0]?.wrong ?? 0 },
    pages: { meanwhile: median(pages), settled: median(settledPages), ratio: median(pages) / median(settledPages) },
    writes: { meanwhile: median(writes), settled: median(settledWrites), longest: percentile(writes, 1) },
  };
};
