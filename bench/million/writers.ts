// What the indexes that searches and queries have made cost those who write: the same creates into tables with and without them, in turn.
import { openDb } from '../../server/db/db.ts';
import { addJob } from '../../server/work/job.sql.ts';
import { type BenchField, cellsOf, type Person, tenFields } from '../cells.ts';
import { median } from '../figures.ts';
import { callApi, newTable, tableName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';
import type { Stage } from '../process/stage.ts';
import { fillSql } from '../query/raw-query.sql.ts';

export interface WriterCost {
  name: string;
  milliseconds: number;
  /** To a table without indexes, of the medians. */
  ratio: number;
}

const size = 60_000;

const startJob = async (stage: Stage, kind: string, table: RawTable, keys?: object[]): Promise<void> => {
  const db = openDb(stage.databaseUrl, { max: 1 });
  const payload = { baseId: table.baseId, tableId: table.tableId, ...(keys === undefined ? {} : { keys }) };
  await addJob(db, { kind, baseId: table.baseId, payload }).finally(() => db.close());
};

const until = async (stage: Stage, question: string, what: string): Promise<void> => {
  for (;;) {
    const { rows } = await stage.db.query<{ yes: boolean }>(question, [what]);
    if (rows[0]?.yes === true) return;
    await new Promise((done) => setTimeout(done, 300));
  }
};

const make = async (stage: Stage, spaceId: string): Promise<RawTable> => {
  const table = await newTable(stage, spaceId, tenFields);
  await stage.db.query(fillSql(table, size, stage.userId));
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  return table;
};

export const measureWriters = async (stage: Stage, spaceId: string, rounds: number): Promise<WriterCost[]> => {
  const tables = [
    { name: 'no index', table: await make(stage, spaceId) },
    { name: 'the index of searches', table: await make(stage, spaceId) },
    { name: 'three for what was asked again', table: await make(stage, spaceId) },
  ];
  const [, searched, asked] = tables.map(({ table }) => table) as [RawTable, RawTable, RawTable];
  await startJob(stage, 'index-search', searched);
  await until(
    stage,
    `select exists (select from rowhouse_search.state where table_id = $1 and coverage <> '{}') as yes`,
    searched.tableId,
  );
  const fields = await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${asked.tableId}/field`);
  const idOf = (name: string): string => fields.find((field) => field.name === name)?.id as string;
  for (const [name, as] of [
    ['Text 1', 'sort'],
    ['Number 1', 'sort'],
    ['Status', 'group'],
  ] as const)
    await startJob(stage, 'index-query', asked, [{ fieldId: idOf(name), as, order: 'asc' }]);
  await until(
    stage,
    `select count(*) = 3 as yes from pg_indexes where schemaname = $1 and indexname like '\\_\\_view\\_%'`,
    asked.baseId,
  );
  const { rows } = await stage.db.query<Person>('select id, name as title, email from rowhouse.users where id = $1', [
    stage.userId,
  ]);
  const all = tables.map(() => [] as number[]);
  for (let round = -3; round < 4 * rounds; round += 1)
    for (const [at, { table }] of tables.entries()) {
      const records = Array.from({ length: 1_000 }, (_, row) => ({
        fields: cellsOf(table.fields as BenchField[], round * 1_000 + row + 10_000, 0, rows[0] as Person),
      }));
      const begun = performance.now();
      await callApi(stage, 'POST', `/table/${table.tableId}/record`, { records });
      if (round >= 0) all[at]?.push(performance.now() - begun);
    }
  return tables.map(({ name }, at) => ({
    name,
    milliseconds: median(all[at] as number[]),
    ratio: median(all[at] as number[]) / median(all[0] as number[]),
  }));
};
