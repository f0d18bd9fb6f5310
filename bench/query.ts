// `npx tsx bench/query.ts [--quick] [--record] [word …]`: finding records, against the limit of pg and Fastify. With
// words only the questions that hold one of them, without the rest. It runs the
// server that is built; `npm run build` first when the sources are newer.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { twentyFields } from './cells.ts';
import { short } from './figures.ts';
import { fill, newGround } from './ground.ts';
import { describeMachine, type Machine } from './machine.ts';
import { openStage } from './process/stage.ts';
import { type Depth, measureDepth, measureWrites, type WriteCost } from './query/depth.ts';
import { rawQueries } from './query/raw-query.sql.ts';
import { type Answered, measureQuestion, type Question } from './query/throughput.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
});

interface Report {
  date: string;
  machine: Machine;
  isWhole: boolean;
  records: number;
  questions: Answered[];
  depth: Depth;
  writes: WriteCost[];
}

const must = { ratio: 0.6, depth: 2 };

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

const markdown = ({ date, machine, isWhole, records, questions, depth, writes }: Report): string =>
  [
    `# Finding records, ${date}${isWhole ? '' : ' (a short run)'}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}. Load, server and PostgreSQL share the cores.`,
    '',
    `${records.toLocaleString('en')} records × 20 fields, pages of 100, 4 clients. Requests per second, medians of the rounds. Raw: the statement written by hand, without HTTP. Bare: Fastify with the same answer. L = 1/(1/raw + 1/bare).`,
    '',
    row('question', 'Rowhouse', 'raw', 'bare', 'L', 'ratio to L', 'must', 'p50 ms', ''),
    row('---', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---'),
    ...questions.map(({ name, ours, raw, bare, limit, ratio, p50 }) =>
      row(
        name,
        short(ours),
        short(raw),
        short(bare),
        short(limit),
        `**${ratio.toFixed(2)}**`,
        String(must.ratio),
        short(p50),
        ratio >= must.ratio ? 'reached' : 'missed',
      ),
    ),
    '',
    `## Depth: ${depth.records.toLocaleString('en')} records × 20, pages of 100, medians, one client`,
    '',
    row('page', 'ms'),
    row('---', '---:'),
    ...depth.timings.map(({ name, milliseconds }) => row(name, short(milliseconds))),
    '',
    `Deep by cursor to first page (must be at most ${must.depth}): ${depth.plainRatio.toFixed(2)} in the order of the table, ${depth.sortedRatio.toFixed(2)} in a sorted view.`,
    '',
    '## What the indexes of views cost a write: 1,000 × 20 in a request, medians',
    '',
    row('indexes', 'ms', 'to none'),
    row('---:', '---:', '---:'),
    ...writes.map(({ indexes, create }) =>
      row(String(indexes), short(create), (create / (writes[0]?.create ?? Number.NaN)).toFixed(2)),
    ),
    '',
  ].join('\n');

const parameters = (query: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

const greater = (value: number): object => ({
  conjunction: 'and',
  filterSet: [{ fieldId: 'Number 1', operator: 'isGreater', value }],
});

const stage = await openStage();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stage.close().finally(() => process.exit(130)));
try {
  const records = options.quick ? 20_000 : 100_000;
  const [rounds, seconds] = options.quick ? [2, 1] : [5, 3];
  const ground = await newGround(stage, twentyFields);
  await fill(ground, records);
  const list = (query: Record<string, unknown>): string =>
    `/api/table/${ground.ours.tableId}/record?${parameters(query)}`;
  const questions: Question[] = [
    { name: 'filter on a number', path: list({ filter: greater(42_000) }), raw: rawQueries.filter(ground.raw) },
    {
      name: 'sort on text',
      path: list({ orderBy: [{ fieldId: 'Text 1', order: 'asc' }] }),
      raw: rawQueries.sort(ground.raw),
    },
    {
      name: 'filter, sort, group on a select',
      path: list({
        filter: greater(21_000),
        orderBy: [{ fieldId: 'Text 1', order: 'asc' }],
        groupBy: [{ fieldId: 'Status 1', order: 'asc' }],
      }),
      raw: rawQueries.group(ground.raw),
    },
    {
      name: 'search in one text field',
      path: list({ search: ['54321', 'Text 1', true] }),
      raw: rawQueries.search(ground.raw),
    },
    {
      name: 'row count',
      path: `/api/table/${ground.ours.tableId}/aggregation/row-count`,
      raw: rawQueries.count(ground.raw),
    },
  ];
  const answered: Answered[] = [];
  for (const question of questions.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )) {
    console.error(`${question.name} …`);
    answered.push(await measureQuestion(stage, question, rounds, seconds));
  }
  if (words.length > 0) {
    console.log(JSON.stringify(answered, null, 2));
    await stage.close();
    process.exit(0);
  }
  console.error('depth …');
  const depth = await measureDepth(stage, options.quick ? 100_000 : 1_000_000, options.quick ? 20 : 100);
  console.error('writes …');
  const writes = await measureWrites(stage, options.quick ? 5 : 30);
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(stage.db),
    isWhole: !options.quick,
    records,
    questions: answered,
    depth,
    writes,
  };
  console.log(markdown(report));
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    const file = resolve(folder, `${report.date}-query`);
    writeFileSync(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(`${file}.md`, markdown(report));
  }
} finally {
  await stage.close();
}
