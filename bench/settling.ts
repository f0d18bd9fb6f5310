// `npx tsx bench/settling.ts [--record] [--only=80x80,1000x10]`: pages of a table at the end of a chain of five rollups over five tables while none of them is filled
// yet, so that every cell of a page is computed from the far end. Each shape is records in each table × links of each record. Run it on a quiet machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './figures.ts';
import { callApi, newSpace, newTable, tableName } from './ground.ts';
import { addField, tableBeside } from './links/tables.ts';
import { describeMachine } from './machine.ts';
import type { RawTable } from './process/raw.sql.ts';
import { openStage, type Stage } from './process/stage.ts';

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, only: { type: 'string' } },
});

const depth = 5;
const rounds = 5;
const shapes = [
  { records: 80, links: 80 },
  { records: 1_500, links: 10 },
  { records: 10_000, links: 10 },
  { records: 100_000, links: 3 },
].filter(({ records, links }) => options.only === undefined || options.only.split(',').includes(`${records}x${links}`));

const park = async ({ db }: Stage): Promise<void> => {
  await db.query(
    "create or replace function rowhouse.park_bench() returns trigger language plpgsql as $$ begin new.due_time := now() + interval '1 day'; return new; end $$",
  );
  await db.query(
    "create or replace trigger park_bench before insert on rowhouse.jobs for each row when (new.kind = 'fill-formulas') execute function rowhouse.park_bench()",
  );
};

const fill = async ({ db }: Stage, table: RawTable, records: number): Promise<void> => {
  await db.query(
    `insert into ${tableName(table)} (__id, __created_time, __created_by, __version, "Name", "Amount")
     select 'rec' || lpad(n::text, 16, '0'), now(), 'usr', 1, n::text, 1 from generate_series(1, ${records}) n`,
  );
};

/** Each record is linked to as many in a row, from a place of its own. */
const linkAll = async (
  { db }: Stage,
  options: Record<string, unknown>,
  shape: { records: number; links: number },
): Promise<void> => {
  const [schema, name] = String(options['fkHostTableName']).split('.');
  await db.query(
    `insert into "${schema}"."${name}" ("${options['selfKeyName']}", "${options['foreignKeyName']}")
     select 'rec' || lpad(n::text, 16, '0'), 'rec' || lpad(((n * 7919 + k) % ${shape.records} + 1)::text, 16, '0')
     from generate_series(1, ${shape.records}) n, generate_series(1, ${shape.links}) k`,
  );
  await db.query(`analyze "${schema}"."${name}"`);
};

/** A change of the schema: every process reads it again. Its answer has no body. */
const touch = async ({ server, token }: Stage, { tableId }: RawTable, fieldId: string): Promise<void> => {
  const { status } = await fetch(`${server.origin}/api/table/${tableId}/field/${fieldId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'being filled' }),
  });
  if (status !== 200) throw new Error(`the field was not changed: ${status}`);
};

const measure = async (stage: Stage, shape: { records: number; links: number }): Promise<string> => {
  const fields = [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Amount', type: 'number' },
  ];
  const first = await newTable(stage, await newSpace(stage), fields as never);
  const tables = [first];
  for (let at = 1; at <= depth; at += 1) tables.push(await tableBeside(stage, first, `Level ${at}`, fields as never));
  for (const table of tables) await fill(stage, table, shape.records);
  const found = await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${first.tableId}/field`);
  let source = found.find(({ name }) => name === 'Amount')?.id as string;
  for (let at = 1; at <= depth; at += 1) {
    const [table, foreign] = [tables[at], tables[at - 1]] as [RawTable, RawTable];
    const link = await addField(stage, table, {
      name: 'To',
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: foreign.tableId, isOneWay: true },
    });
    await linkAll(stage, link.options, shape);
    await stage.db.query(`analyze ${tableName(table)}`);
    const lookupOptions = { foreignTableId: foreign.tableId, linkFieldId: link.id, lookupFieldId: source };
    source = (
      await addField(stage, table, {
        name: 'Sum',
        type: 'rollup',
        options: { expression: 'sum({values})' },
        lookupOptions,
      })
    ).id;
    // Small tables are filled at once: as if they were not.
    await stage.db.query('update rowhouse.fields set computed = computed || \'{"state": "settling"}\' where id = $1', [
      source,
    ]);
    await touch(stage, table, source);
  }
  const last = tables.at(-1) as RawTable;
  /** Milliseconds, and what came: `all` cells, the page `without` these, or that it has to be tried again. */
  const page = async (query: string): Promise<{ ms: number; came: string }> => {
    const begun = performance.now();
    const answer = await fetch(
      `${stage.server.origin}/api/table/${last.tableId}/record?take=100&fieldKeyType=id${query}`,
      { headers: { authorization: `Bearer ${stage.token}` } },
    );
    const { records = [] } = (await answer.json()) as { records?: { fields: Record<string, unknown> }[] };
    const ms = performance.now() - begun;
    if (answer.status !== 200) return { ms, came: String(answer.status) };
    const sums = new Set(records.map(({ fields: cells }) => cells[source]));
    if (sums.size !== 1 || ![undefined, shape.links ** depth].includes([...sums][0] as number | undefined))
      throw new Error(`wrong sums: ${[...sums].join(', ')}`);
    return { ms, came: sums.has(undefined) ? 'without' : 'all' };
  };
  const sorted = `&orderBy=${encodeURIComponent(JSON.stringify([{ fieldId: source, order: 'desc' }]))}`;
  const figures: string[] = [];
  for (const query of ['', '&skip=50', sorted]) {
    const pages: { ms: number; came: string }[] = [];
    for (let round = 0; round < rounds; round += 1) pages.push(await page(query));
    const times = pages.map(({ ms }) => ms);
    const shown = (ms: number): string => Math.round(ms).toLocaleString('en');
    figures.push(
      shown(median(times)),
      shown(Math.max(...times)),
      [...new Set(pages.map(({ came }) => came))].join(', '),
    );
  }
  return `| ${shape.records.toLocaleString('en')} × ${shape.links} | ${figures.join(' | ')} |`;
};

const stage = await openStage({});
try {
  await park(stage);
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const rows: string[] = [];
  for (const shape of shapes) {
    rows.push(await measure(stage, shape));
    console.error(rows.at(-1));
  }
  const text = [
    `# Pages of a chain that is being filled, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync.`,
    '',
    `Five rollups over five tables, none filled. Pages of 100 records, milliseconds, median and longest of ${rounds}. Goal: below 1,000. A page has 0.4 seconds for these cells: then it comes without them, or, sorted by them, answers 503. Load average at the end: ${loadavg()[0]?.toFixed(1)}.`,
    '',
    '| records of each table × links of each record | first page | longest | cells | a later page | longest | cells | sorted by the last rollup | longest | |',
    '| --- | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: | --- |',
    ...rows,
    '',
  ].join('\n');
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-settling.md`, text);
  }
} finally {
  await stage.close();
}
