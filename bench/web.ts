// `npx tsx bench/web.ts [--quick] [--record]`: what a browser has to fetch before it shows anything, and how long it
// takes until a large table is on the screen, to scroll it and to paste into it. A real Chromium against the server and the app as they are shipped;
// `npm run build` first when the sources are newer.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { twentyFields } from './cells.ts';
import { median, percentile, short } from './figures.ts';
import { callApi, newSpace, newTable, tableName } from './ground.ts';
import { describeMachine, type Machine } from './machine.ts';
import { fillSql } from './query/raw-query.sql.ts';
import { withBrowser } from './web/browser-stage.ts';
import { firstLoad, type FirstLoad, type Times, timeToData } from './web/visit.ts';
import { paste, scroll } from './web/work.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
});

const must = { transferKb: 400, seconds: 1.5, frames: 55, pasteSeconds: 1 };
const pasted = { rows: 2_000, columns: 5 };

interface Report {
  date: string;
  machine: Machine;
  chromium: string;
  isWhole: boolean;
  records: number;
  load: FirstLoad;
  /** Run by run. */
  cold: Times[];
  warm: Times[];
  /** Milliseconds from frame to frame while it scrolls. */
  frames: number[];
  /** Milliseconds, run by run. */
  pastes: number[];
}

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'missed');
const kilobytes = (bytes: number): string => `${short(bytes / 1_000)} kB`;

const markdown = ({
  date,
  machine,
  chromium: browser,
  isWhole,
  records,
  load,
  cold,
  warm,
  frames,
  pastes,
}: Report): string => {
  const perSecond = 1_000 / (frames.reduce((sum, each) => sum + each, 0) / frames.length);
  const timing = (name: string, all: readonly number[]): string =>
    row(
      name,
      short(median(all)),
      short(percentile(all, 0.95)),
      String(must.seconds * 1_000),
      verdict(percentile(all, 0.95) < must.seconds * 1_000),
    );
  return [
    `# The web app, ${date}${isWhole ? '' : ' (a short run)'}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}, Chromium ${browser}. Browser, server and PostgreSQL share the cores.`,
    '',
    'What a first visit fetches, as it comes over the wire (compressed):',
    '',
    row('', 'bytes', 'must', ''),
    row('---', '---:', '---:', '---'),
    row(
      'before the grid: page, scripts, styles',
      kilobytes(load.beforeGrid),
      `< ${must.transferKb} kB`,
      verdict(load.beforeGrid < must.transferKb * 1_000),
    ),
    row('with the grid', kilobytes(load.withGrid), '', ''),
    '',
    `From entering the address until the grid shows data of ${records.toLocaleString('en')} records × 20 fields, in ms, ${cold.length} runs each:`,
    '',
    row('', 'median', 'p95', 'must', ''),
    row('---', '---:', '---:', '---:', '---'),
    timing(
      'first visit, nothing in the cache: cells are on the screen',
      cold.map(({ seen }) => seen),
    ),
    timing(
      '… and screen readers can read them',
      cold.map(({ readable }) => readable),
    ),
    timing(
      'again, with the cache: cells are on the screen',
      warm.map(({ seen }) => seen),
    ),
    timing(
      '… and screen readers can read them',
      warm.map(({ readable }) => readable),
    ),
    '',
    'Work in it:',
    '',
    row('', '', 'must', ''),
    row('---', '---:', '---:', '---'),
    row(
      'scrolling, frames per second (a screen shows 60)',
      short(perSecond),
      `≥ ${must.frames}`,
      verdict(perSecond >= must.frames),
    ),
    row('… the longest of 100 frames, ms', short(percentile(frames, 0.99)), '', ''),
    row(
      `pasting ${pasted.rows.toLocaleString('en')} rows × ${pasted.columns} until it is saved, ms, median of ${pastes.length}`,
      short(median(pastes)),
      `< ${must.pasteSeconds * 1_000}`,
      verdict(median(pastes) < must.pasteSeconds * 1_000),
    ),
    '',
  ].join('\n');
};

await withBrowser(async ({ stage, browser, enter }) => {
  const records = options.quick ? 20_000 : 100_000;
  const runs = options.quick ? 3 : 10;
  const spaceId = await newSpace(stage);
  const table = await newTable(stage, spaceId, twentyFields);
  await stage.db.query(fillSql(table, records, stage.userId));
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  const cookie = await enter(spaceId);
  const { records: first } = (await callApi(stage, 'GET', `/table/${table.tableId}/record?take=1`)) as {
    records: { name: string }[];
  };
  const visit = {
    browser,
    firstText: first[0]?.name ?? '',
    origin: stage.server.origin,
    path: `/base/${table.baseId}/${table.tableId}`,
    cookie,
  };
  // The server and PostgreSQL are warm, as they are for everybody but the first visitor.
  await timeToData(visit, 2);
  const load = await firstLoad(visit);
  const cold: Times[] = [];
  const warm: Times[] = [];
  for (let run = 0; run < runs; run += 1) {
    const [once, again] = await timeToData(visit, 2);
    cold.push(once as Times);
    warm.push(again as Times);
  }
  const frames = await scroll(visit, options.quick ? 2 : 8);
  const pastes: number[] = [];
  for (let run = 0; run < (options.quick ? 1 : 5); run += 1)
    pastes.push(await paste(visit, pasted.rows, pasted.columns));
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(stage.db),
    chromium: browser.version(),
    isWhole: !options.quick,
    records,
    load,
    cold,
    warm,
    frames,
    pastes,
  };
  console.log(markdown(report));
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    const file = resolve(folder, `${report.date}-web`);
    writeFileSync(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(`${file}.md`, markdown(report));
  }
});
