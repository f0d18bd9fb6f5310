// `npx tsx bench/cluster.ts --database=postgres://… --cluster=postgres://… [--rounds=6] [--share=1] [--bases=4] [--record]`: the same requests on one PostgreSQL and on
// the coordinator of a Citus cluster, both running and of the same version, in turns: one base, several that are spread over the nodes, and as many on one of
// them. `npm run build` first when the sources are newer.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cellsOf, tenFields } from './cells.ts';
import { median, short } from './figures.ts';
import { callApi, newSpace, newTable } from './ground.ts';
import { describeMachine } from './machine.ts';
import type { HttpLoad } from './process/http-load.ts';
import type { RawTable } from './process/raw.sql.ts';
import { type Done, type ScriptLine, writeScript } from './process/script.ts';
import { openStage, type Stage } from './process/stage.ts';
import { cpuOf, cpuOfFamily } from './process/usage.ts';
import { startWorker, type Worker } from './process/worker.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    cluster: { type: 'string' },
    rounds: { type: 'string', default: '6' },
    share: { type: 'string', default: '1' },
    bases: { type: 'string', default: '4' },
    record: { type: 'boolean', default: false },
  },
});
if (options.database === undefined || options.cluster === undefined) {
  console.error(
    'Both are needed: --database=postgres://… (one PostgreSQL) and --cluster=postgres://… (the coordinator of a Citus cluster)',
  );
  process.exit(1);
}
const [rounds, share, several] = [Number(options.rounds), Number(options.share), Number(options.bases)];

const person = { id: '', title: '', email: '' };
const filled = 2_000;

interface Work {
  title: string;
  clients: number;
  requests: number;
  script(tables: readonly RawTable[], ids: readonly string[][]): ScriptLine[];
}

/** One table after the other, so that all of them are in use at any moment. */
const inTurn = <T>(lists: readonly T[][]): T[] =>
  (lists[0] ?? []).flatMap((_, at) => lists.map((list) => list[at] as T));

const creating = (title: string, records: number, clients: number, requests: number): Work => ({
  title,
  clients,
  requests,
  script: (tables) =>
    inTurn(
      tables.map(({ tableId, fields }) =>
        Array.from({ length: records === 1_000 ? 5 : 100 }, (_, line) => ({
          method: 'POST',
          path: `/api/table/${tableId}/record`,
          body: {
            records: Array.from({ length: records }, (_record, at) => ({
              fields: cellsOf(fields, line * records + at, 0, person),
            })),
          },
        })),
      ),
    ),
});

const works: Work[] = [
  creating('create 1,000 × 10, 2 clients', 1_000, 2, 20),
  creating('create 100 × 10, 4 clients', 100, 4, 150),
  creating('create 1 × 10, 16 clients', 1, 16, 1_500),
  {
    title: 'update 1 × 3 with history, 16 clients',
    clients: 16,
    requests: 1_500,
    script: (tables, ids) =>
      [1, 2].flatMap((variant) =>
        inTurn(
          tables.map(({ tableId, fields }, at) =>
            (ids[at] as string[]).map((id, row) => {
              const cells = cellsOf(fields, row, variant, person);
              return {
                method: 'PATCH' as const,
                path: `/api/table/${tableId}/record/${id}`,
                body: {
                  record: {
                    fields: { 'Text 1': cells['Text 1'], 'Number 1': cells['Number 1'], Status: cells['Status'] },
                  },
                },
              };
            }),
          ),
        ),
      ),
  },
  {
    title: 'list 100 × 10, 8 clients',
    clients: 8,
    requests: 1_000,
    script: (tables) => tables.map(({ tableId }) => ({ method: 'GET', path: `/api/table/${tableId}/record?take=100` })),
  },
];

const fill = async (stage: Stage, { tableId, fields }: RawTable): Promise<string[]> => {
  const ids: string[] = [];
  for (let row = 0; row < filled; row += 1_000) {
    const records = Array.from({ length: 1_000 }, (_, at) => ({ fields: cellsOf(fields, row + at, 0, person) }));
    ids.push(
      ...(
        await callApi<{ records: { id: string }[] }>(stage, 'POST', `/table/${tableId}/record`, { records })
      ).records.map(({ id }) => id),
    );
  }
  return ids;
};

/** Seconds of CPU so far: of the server, of the PostgreSQL that it talks to, and of the nodes behind it. */
const usedBy = ({ server, postgresPid, nodePids }: Stage): number[] => [
  cpuOf(server.pid),
  cpuOfFamily(postgresPid),
  nodePids.reduce((sum, pid) => sum + cpuOfFamily(pid), 0),
];

interface Side {
  name: string;
  stage: Stage;
  tables: RawTable[];
  ids: string[][];
}

/** Of all nodes but the first: whether new bases may be put there. */
const openOtherNodes = ({ db }: Stage, isOpen: boolean): Promise<unknown> =>
  db.query(
    "select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', $1) from pg_dist_node where groupid > (select min(groupid) from pg_dist_node where groupid > 0)",
    [isOpen],
  );

const openSide = async (name: string, stage: Stage, count: number, isOnOneNode = false): Promise<Side> => {
  const [tables, ids]: [RawTable[], string[][]] = [[], []];
  if (isOnOneNode) await openOtherNodes(stage, false);
  const spaceId = await newSpace(stage);
  for (let made = 0; made < count; made += 1) {
    const table = await newTable(
      stage,
      spaceId,
      tenFields.filter(({ type }) => type !== 'user'),
    );
    tables.push(table);
    ids.push(await fill(stage, table));
  }
  if (isOnOneNode) await openOtherNodes(stage, true);
  return { name, stage, tables, ids };
};

interface Seen {
  rate: number;
  slow: number;
  /** Milliseconds of CPU for a request, as `usedBy` has them. */
  costs: number[];
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;

const measure = async (sides: readonly Side[], work: Work): Promise<Seen[][]> => {
  const requests = Math.ceil(work.requests * share);
  const workers: Worker[] = [];
  const seen: Seen[][] = sides.map(() => []);
  try {
    for (const [at, { stage, tables, ids }] of sides.entries()) {
      const file = join(stage.folder, `script-${at}.jsonl`);
      writeScript(file, work.script(tables, ids));
      const worker = await startWorker('http-load.ts', {
        token: stage.token,
        file,
        clients: work.clients,
        origin: stage.server.origin,
      } satisfies HttpLoad);
      workers.push(worker);
      await worker.ask<Done>({ start: 0, count: Math.ceil(requests / 2) });
    }
    for (let round = 1; round <= rounds; round += 1) {
      const order = [...sides.entries()];
      // Anyone who comes first in one round comes last in the next.
      for (const [at, { stage }] of round % 2 === 0 ? order : order.toReversed()) {
        await stage.db.query('checkpoint');
        const before = usedBy(stage);
        const done = await (workers[at] as Worker).ask<Done>({ start: round * requests, count: requests });
        const costs = usedBy(stage).map((value, which) => ((value - (before[which] as number)) * 1_000) / requests);
        seen[at]?.push({ rate: (requests * 1_000) / done.milliseconds, slow: percentile(done.latencies, 0.95), costs });
      }
    }
    return seen;
  } finally {
    for (const worker of workers) await worker.stop();
  }
};

const medianOf = (list: readonly Seen[], value: (seen: Seen) => number): number => median(list.map(value));
const costsOf = (list: readonly Seen[]): number[] =>
  [0, 1, 2].map((which) => medianOf(list, ({ costs }) => costs[which] as number));

/** Beside the first of them: of the rate, and of all CPU that is spent on a request. */
const ratios = (list: readonly Seen[], first: readonly Seen[]): string[] => {
  const all = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);
  return [
    (medianOf(list, ({ rate }) => rate) / medianOf(first, ({ rate }) => rate)).toFixed(2),
    (all(costsOf(list)) / all(costsOf(first))).toFixed(1),
  ];
};

const rowOf = (list: readonly Seen[], first: readonly Seen[]): string =>
  [
    short(medianOf(list, ({ rate }) => rate)),
    medianOf(list, ({ slow }) => slow).toFixed(1),
    ...costsOf(list).map((cost) => cost.toFixed(2)),
    ...ratios(list, first),
  ].join(' | ');

const plain = await openStage({ database: options.database });
const cluster = await openStage({ database: options.cluster }).catch(async (error: unknown) => {
  await plain.close();
  throw error;
});
try {
  const machine = await describeMachine(cluster.db);
  const {
    rows: [citus],
  } = await cluster.db.query<{ version: string; nodes: number }>(
    "select extversion as version, (select count(*)::int from pg_dist_node where groupid <> 0) as nodes from pg_extension where extname = 'citus'",
  );
  const {
    rows: [disk],
  } = await cluster.db.query<{ fsync: string }>("select current_setting('fsync') as fsync");
  const date = new Date().toISOString().slice(0, 10);
  const lines = [
    `# Citus beside one PostgreSQL, ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync ${disk?.fsync}, Citus ${citus?.version}: a coordinator and ${citus?.nodes} nodes. Load, server, coordinator and nodes share the cores, so that rates say nothing about machines of their own; the CPU of each part does.`,
    '',
    `Medians of ${rounds} rounds in which the sides take turns. CPU in ms for a request. Ratios to one PostgreSQL: of requests per second, and of all CPU for a request.`,
    '',
    '| | | requests/s | 95 % within, ms | CPU server | CPU PostgreSQL or coordinator | CPU nodes | rate | CPU |',
    '|---|---|---:|---:|---:|---:|---:|---:|---:|',
  ];
  const single = [await openSide('one PostgreSQL', plain, 1), await openSide('cluster', cluster, 1)];
  const many = [
    await openSide('one PostgreSQL', plain, several),
    await openSide('cluster, all nodes', cluster, several),
    await openSide('cluster, one node', cluster, several, true),
  ];
  console.error('measuring');
  for (const [sides, of] of [
    [single, 'one base'],
    [many, `${several} bases`],
  ] as const) {
    for (const work of works) {
      const measured = await measure(sides, work);
      for (const [at, { name }] of sides.entries()) {
        lines.push(`| ${work.title}, ${of} | ${name} | ${rowOf(measured[at] as Seen[], measured[0] as Seen[])} |`);
        console.error(lines.at(-1));
      }
    }
  }
  console.error('measured');
  const text = `${lines.join('\n')}\n`;
  console.log(text);
  if (options.record) {
    const folder = fileURLToPath(new URL('results', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${date}-cluster.md`, text);
  }
} finally {
  await cluster.close();
  await plain.close();
}
process.exit(0);
