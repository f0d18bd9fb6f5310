// `npx tsx bench/dashboard.ts [--quick] [--record]`: twenty charts over a million records, as an app asks for them when a dashboard opens, beside the same groups as
// statements written by hand. It runs the server that is built; `npm run build` first when the sources are newer.
import pg from 'pg';
import type { Chart, Grouping, Measure } from '@rowhouse/contract/chart.ts';
import { twentyFields } from './cells.ts';
import { runComparison, type Work } from './comparison.ts';
import { median, short } from './figures.ts';
import { callApi, newSpace, newTable, tableName } from './ground.ts';
import type { RawTable } from './process/raw.sql.ts';
import type { Stage } from './process/stage.ts';
import { fillSql } from './query/raw-query.sql.ts';

/** As many as a browser asks at once. */
const atOnce = 6;
const mustMilliseconds = 1_500;
const mustRatio = 0.6;

interface Drawn {
  chart: Chart;
  /** The same groups, for a statement by hand. */
  raw: string;
}

const chartsOf = (table: RawTable, ids: ReadonlyMap<string, string>): Drawn[] => {
  const column = (name: string): string => `"${table.fields.find((field) => field.name === name)?.dbFieldName}"`;
  const from = `from ${tableName(table)}`;
  const source = { tableId: table.tableId };
  const group = (name: string, more: Partial<Grouping> = {}): Grouping => ({
    fieldId: ids.get(name) as string,
    ...more,
  });
  const count: Measure = { statistic: 'count' };
  const of = (statistic: Measure['statistic'], name: string): Measure => ({
    statistic,
    fieldId: ids.get(name) as string,
  });
  const month = `date_trunc('month', ${column('Date 1')} at time zone 'UTC')`;
  const week = `date_trunc('week', ${column('Date 1')} at time zone 'UTC')`;
  const filter = {
    conjunction: 'and' as const,
    filterSet: [{ fieldId: ids.get('Number 1') as string, operator: 'isGreater', value: 5_000 }],
  };
  const where = `where ${column('Number 1')} > 5000`;
  const some: Drawn[] = [
    {
      chart: { type: 'bar', ...source, group: group('Status 1'), measures: [count] },
      raw: `select ${column('Status 1')}, count(*) ${from} group by 1`,
    },
    {
      chart: {
        type: 'bar',
        ...source,
        group: group('Status 1'),
        measures: [of('sum', 'Number 1'), of('average', 'Number 1')],
      },
      raw: `select ${column('Status 1')}, sum(${column('Number 1')}), avg(${column('Number 1')}) ${from} group by 1`,
    },
    {
      chart: { type: 'line', ...source, group: group('Date 1', { by: 'month' }), measures: [count] },
      raw: `select ${month}, count(*) ${from} group by 1`,
    },
    {
      chart: {
        type: 'area',
        ...source,
        filter,
        group: group('Date 1', { by: 'week' }),
        measures: [of('sum', 'Number 1')],
      },
      raw: `select ${week}, sum(${column('Number 1')}) ${from} ${where} group by 1`,
    },
    {
      chart: {
        type: 'stackedBar',
        ...source,
        group: group('Date 1', { by: 'month' }),
        split: group('Status 1'),
        measures: [count],
      },
      raw: `select ${month}, ${column('Status 1')}, count(*) ${from} group by 1, 2`,
    },
    {
      chart: { type: 'pie', ...source, filter, group: group('Status 1'), measure: count },
      raw: `select ${column('Status 1')}, count(*) ${from} ${where} group by 1`,
    },
    {
      chart: {
        type: 'heatMap',
        ...source,
        rows: group('Status 1'),
        columns: group('Check 1'),
        measure: of('max', 'Number 1'),
      },
      raw: `select ${column('Status 1')}, ${column('Check 1')} is true, max(${column('Number 1')}) ${from} group by 1, 2`,
    },
    {
      chart: { type: 'number', ...source, measure: of('sum', 'Number 1') },
      raw: `select sum(${column('Number 1')}), count(*) ${from}`,
    },
    {
      chart: { type: 'number', ...source, filter, measure: count },
      raw: `select count(*) ${from} ${where}`,
    },
    {
      chart: { type: 'bar', ...source, filter, group: group('Check 1'), measures: [of('min', 'Number 1')] },
      raw: `select ${column('Check 1')} is true, min(${column('Number 1')}) ${from} ${where} group by 1`,
    },
  ];
  return [...some, ...some];
};

interface Ready {
  table: RawTable;
  baseId: string;
  dashboardId: string;
  paths: string[];
  raw: string[];
}

const prepare = async ({ stage, isQuick }: Work): Promise<Ready> => {
  const table = await newTable(stage, await newSpace(stage), twentyFields);
  const count = isQuick ? 50_000 : 1_000_000;
  await stage.db.query(fillSql(table, count, stage.userId));
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  const fields = await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${table.tableId}/field`);
  const { baseId } = table;
  const dashboard = await callApi<{ id: string }>(stage, 'POST', `/base/${baseId}/dashboard`, { name: 'Measured' });
  const drawn = chartsOf(table, new Map(fields.map(({ id, name }) => [name, id])));
  const paths: string[] = [];
  for (const [at, { chart }] of drawn.entries()) {
    const place = `/base/${baseId}/dashboard/${dashboard.id}/item`;
    const { id } = await callApi<{ id: string }>(stage, 'POST', place, { name: `Chart ${at}`, chart });
    paths.push(`${place}/${id}/data`);
  }
  return { table, baseId, dashboardId: dashboard.id, paths, raw: drawn.map(({ raw }) => raw) };
};

/** Milliseconds until all are done, so many at once. */
const timed = async <T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, lane: number) => Promise<void>,
): Promise<number> => {
  const queue = [...items];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async (_none, lane) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, lane);
    }),
  );
  return performance.now() - begun;
};

const get = async (
  stage: Stage,
  path: string,
  tag?: string,
): Promise<{ status: number; tag: string; kind: unknown }> => {
  const response = await fetch(`${stage.server.origin}/api${path}`, {
    headers: { authorization: `Bearer ${stage.token}`, ...(tag === undefined ? {} : { 'if-none-match': tag }) },
  });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 304)
    throw new Error(`${path} answered ${response.status}: ${text}`);
  const kind = text === '' ? undefined : (JSON.parse(text) as { kind: unknown }).kind;
  if (kind === 'broken') throw new Error(`a chart is broken: ${text}`);
  return { status: response.status, tag: response.headers.get('etag') ?? '', kind };
};

const charts = async (work: Work): Promise<string[]> => {
  const { stage, rounds } = work;
  const { paths, raw } = await prepare(work);
  const clients = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const client = new pg.Client({ connectionString: stage.databaseUrl });
      await client.connect();
      return client;
    }),
  );
  try {
    const byHand = (): Promise<number> =>
      timed(raw, atOnce, async (statement, lane) => void (await (clients[lane] as pg.Client).query(statement)));
    const served = (): Promise<number> => timed(paths, atOnce, async (path) => void (await get(stage, path)));
    await byHand();
    await served();
    const sides: { ours: number; limit: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const limit = await byHand();
      sides.push({ ours: await served(), limit });
    }
    const [ours, limit] = [median(sides.map((side) => side.ours)), median(sides.map((side) => side.limit))];
    const ratio = median(sides.map((side) => side.limit / side.ours));
    // What has not changed is told without counting.
    const tags = await Promise.all(paths.map(async (path) => (await get(stage, path)).tag));
    const unchanged: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      unchanged.push(
        await timed([...paths.keys()], atOnce, async (at) => {
          const { status } = await get(stage, paths[at] as string, tags[at]);
          if (status !== 304) throw new Error(`chart ${at} answered ${status} although nothing has changed`);
        }),
      );
    const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'missed');
    return [
      `## ${paths.length} charts, ${atOnce} at once`,
      '',
      'Medians of the rounds, in milliseconds for all of them; raw is the same groups by hand, on as many connections.',
      '',
      '| | ms | must | |',
      '| --- | ---: | ---: | --- |',
      `| over HTTP | **${short(ours)}** | ${mustMilliseconds} | ${verdict(ours <= mustMilliseconds)} |`,
      `| raw | ${short(limit)} | | |`,
      `| ratio | **${ratio.toFixed(3)}** | ${mustRatio} | ${verdict(ratio >= mustRatio)} |`,
      `| nothing has changed (304) | ${short(median(unchanged))} | | |`,
      '',
    ];
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
};

await runComparison({ name: 'dashboard', title: 'Charts over a million records', parts: {}, sections: { charts } });
