/// <reference lib="dom" />
// `npx tsx bench/bars.ts [--bars=10000] [--record]`: frames per second while a timeline and a Gantt chart of many bars are scrolled, zoomed and dragged over. A real
// Chromium without a graphics card against the app as it is shipped; `npm run build` first when the sources are newer.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page, Request } from '@playwright/test';
import { percentile, short } from './figures.ts';
import { callApi, newSpace, newTable, tableName } from './ground.ts';
import { describeMachine } from './machine.ts';
import { withBrowser } from './web/browser-stage.ts';
import { open } from './web/visit.ts';

const { values: options } = parseArgs({
  options: { bars: { type: 'string', default: '10000' }, record: { type: 'boolean', default: false } },
});
const count = Number(options.bars);
const mustFrames = 55;
const seconds = 6;

/** Milliseconds from frame to frame. */
type Frames = number[];

/** Along time and through the rows, a little with every frame. */
const scroll = (page: Page): Promise<Frames> =>
  page.evaluate(async (length) => {
    const area = [...document.querySelectorAll<HTMLElement>('[role=region]')].find(
      ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1_000,
    );
    if (area === undefined) throw new Error('there is nothing to scroll');
    const times: number[] = [];
    do {
      times.push(await new Promise<number>((drawn) => requestAnimationFrame(drawn)));
      area.scrollBy(times.length % 120 < 60 ? 12 : -12, 60);
      if (area.scrollTop + area.clientHeight >= area.scrollHeight - 1) area.scrollTop = 0;
    } while ((times.at(-1) as number) - (times[0] as number) < length);
    return times.slice(1).map((at, index) => at - (times[index] as number));
  }, seconds * 1_000);

/** While a pointer does something else. */
const framesDuring = async (page: Page, work: () => Promise<void>): Promise<Frames> => {
  // As text: what loads this file gives functions names by a helper that the page does not have.
  await page.evaluate(`
    {
      const times = [];
      window.benchFrames = times;
      requestAnimationFrame(function note(at) {
        if (window.benchFrames !== times) return;
        times.push(at);
        requestAnimationFrame(note);
      });
    }
  `);
  await work();
  const times = await page.evaluate<number[]>(
    '(({ benchFrames }) => (delete window.benchFrames, benchFrames))(window)',
  );
  return times.slice(1).map((at, index) => at - (times[index] as number));
};

/** When no page of records has been on its way for a second. */
const untilRead = async (page: Page): Promise<number> => {
  let [underWay, last] = [0, Number.POSITIVE_INFINITY];
  const isRecords = (url: string): boolean => /\/record\b/.test(url) && !url.includes('/events');
  const ended = (request: Request): void => {
    if (!isRecords(request.url())) return;
    underWay -= 1;
    last = performance.now();
  };
  page.on('request', (request) => {
    if (isRecords(request.url())) underWay += 1;
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  while (underWay > 0 || !(performance.now() - last > 1_000)) await sleep(50);
  return last;
};

const row = (title: string, frames: Frames): string => {
  const perSecond = 1_000 / (frames.reduce((sum, each) => sum + each, 0) / frames.length);
  return `| ${title} | ${short(perSecond)} | ${short(percentile(frames, 0.99))} | ≥ ${mustFrames} | ${perSecond >= mustFrames ? 'reached' : 'missed'} |`;
};

const fields = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'From', type: 'date' },
  { name: 'Until', type: 'date' },
  {
    name: 'Crew',
    type: 'singleSelect',
    options: { choices: Array.from({ length: 20 }, (_, index) => ({ name: `Crew ${index + 1}` })) },
  },
] as never;

await withBrowser(async ({ stage, browser, enter }) => {
  const spaceId = await newSpace(stage);
  const table = await newTable(stage, spaceId, fields);
  const column = (name: string): string => `"${table.fields.find((each) => each.name === name)?.dbFieldName}"`;
  await stage.db.query(
    `insert into ${tableName(table)} (__id, __created_by, ${['Name', 'From', 'Until', 'Crew'].map(column).join(', ')})
     select 'rec' || lpad(n::text, 16, '0'), '${stage.userId}', 'Work ' || n, day, day + (hashint4(n) & 7) * interval '1 day', 'Crew ' || (hashint4(n) & 1023) % 20 + 1
     from generate_series(1, ${count}) n, lateral (select timestamptz '2026-01-01' + (hashint4(n + 7) & 511) * interval '1 day' as day) d`,
  );
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  const ids = new Map(
    (await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${table.tableId}/field`)).map(
      ({ id, name }) => [name, id],
    ),
  );
  const link = await callApi<{ id: string }>(stage, 'POST', `/table/${table.tableId}/field`, {
    type: 'link',
    name: 'After',
    options: { relationship: 'manyMany', foreignTableId: table.tableId, isOneWay: true },
  });
  const views = [];
  for (const [type, more] of [
    ['timeline', { laneFieldId: ids.get('Crew') }],
    ['gantt', { dependencyFieldId: link.id }],
  ] as const) {
    const { id } = await callApi<{ id: string }>(stage, 'POST', `/table/${table.tableId}/view`, {
      type,
      name: type,
      options: { startDateFieldId: ids.get('From'), endDateFieldId: ids.get('Until'), ...more },
    });
    views.push({ type, id });
  }
  const cookie = await enter(spaceId);
  const rows: string[] = [];
  for (const { type, id } of views) {
    const visit = {
      browser,
      firstText: '',
      origin: stage.server.origin,
      path: `/base/${table.baseId}/${table.tableId}?view=${id}`,
      cookie,
    };
    const page = await open(visit);
    const recordsRead = untilRead(page);
    const begun = performance.now();
    await page.goto(visit.origin + visit.path);
    await page
      .getByRole('button', { name: /^Work \d+, / })
      .first()
      .waitFor({ state: 'attached' });
    const shown = performance.now() - begun;
    const whole = (await recordsRead) - begun;
    rows.push(row(`${type}: scrolled`, await scroll(page)));
    const area = await page.locator('canvas').first().boundingBox();
    if (area === null) throw new Error('there is no chart');
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
    rows.push(
      row(
        `${type}: pointer over bars`,
        await framesDuring(page, async () => {
          for (let step = 0; step < 300; step += 1)
            await page.mouse.move(x + 300 * Math.sin(step / 20), y + 200 * Math.cos(step / 13));
        }),
      ),
    );
    rows.push(
      row(
        `${type}: zoomed with the wheel`,
        await framesDuring(page, async () => {
          await page.mouse.move(x, y);
          await page.keyboard.down('Control');
          for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, step % 20 < 10 ? 60 : -60);
          await page.keyboard.up('Control');
        }),
      ),
    );
    rows.push(
      `| ${type}: first bars after, s | ${short(shown / 1_000)} | | | |`,
      `| ${type}: all records read after, s | ${short(whole / 1_000)} | | | |`,
    );
    await page.context().close();
  }
  const machine = await describeMachine(stage.db);
  const date = new Date().toISOString().slice(0, 10);
  const report = [
    `# ${count.toLocaleString('en')} bars along time, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres}. Browser, server and PostgreSQL share the cores.`,
    '',
    `Chromium ${browser.version()} without a graphics card, 1280 × 800. Frames per second, of 60 that a screen shows.`,
    '',
    '| | frames per second | longest of 100 frames, ms | must | |',
    '|---|---:|---:|---:|---|',
    ...rows,
    '',
  ].join('\n');
  console.log(report);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-bars.md`, report);
  }
});
