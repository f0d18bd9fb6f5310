// The results as Markdown: printed, and kept beside the JSON.
import { short } from './figures.ts';
import type { Machine } from './machine.ts';
import type { Measured, Side } from './rounds.ts';
import type { Figure, Goal } from './scenario/scenario.ts';

interface ThroughputResult extends Measured {
  name: string;
  title: string;
  goal: Goal;
}

interface FiguresResult {
  name: string;
  title: string;
  figures: Figure[];
}

export type Result = ThroughputResult | FiguresResult;

export interface Report {
  date: string;
  machine: Machine;
  /** False for a short run, whose figures say little. */
  isWhole: boolean;
  results: Result[];
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const megabytes = (bytes: number): string => short(bytes / 2 ** 20);

const verdict = (ratio: number, { must, want }: Goal): string =>
  ratio < must ? 'missed' : want === undefined || ratio >= want ? 'reached' : 'must reached';

const ratioRow = ({
  title,
  goal,
  ours,
  raw,
  bare,
  limit,
  ratio,
  ratioRange,
  cpuRatio,
  cold,
}: ThroughputResult): string[] => [
  title,
  short(ours.rows),
  short(ours.requests),
  short(raw.requests),
  short(bare.requests),
  short(limit),
  `**${ratio.toFixed(2)}** (${ratioRange.map((value) => value.toFixed(2)).join('–')})`,
  cpuRatio.toFixed(2),
  `${cold.ratio.toFixed(2)} / ${cold.cpuRatio.toFixed(2)}`,
  `${goal.must}${goal.want === undefined ? '' : ` / ${goal.want}`}`,
  verdict(ratio, goal),
];

const cpu = (cores: number, requests: number): string => `${short((cores * 1_000) / requests)} (${cores.toFixed(2)})`;

const sideRow = (title: string, who: string, side: Side): string[] => [
  title,
  who,
  short(side.p50),
  short(side.p95),
  short(side.p99),
  cpu(side.nodeCpu, side.requests),
  cpu(side.postgresCpu, side.requests),
  megabytes(side.peakMemory),
  megabytes(side.postgresMemory),
];

const figureRow = ({ name, value, unit, goal }: Figure): string[] => [
  name,
  `${short(value)} ${unit}`,
  goal === undefined ? '' : `≤ ${goal.must}`,
  goal === undefined ? '' : value <= goal.must ? 'reached' : 'missed',
];

const isThroughput = (result: Result): result is ThroughputResult => 'ratio' in result;

export const markdown = ({ date, machine, isWhole, results }: Report): string => {
  const throughputs = results.filter(isThroughput);
  const others = results.filter((result): result is FiguresResult => !isThroughput(result));
  const parts = [
    `# Records, ${date}${isWhole ? '' : ' (a short run)'}`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync. The load, the server and PostgreSQL share the cores.`,
  ];
  if (throughputs.length > 0) {
    parts.push(
      'Per second, medians of the rounds. Raw: the same work as `pg` statements without HTTP. Bare: Fastify with the same bodies and answers, without a database. L = 1/(1/raw + 1/bare). By CPU: the time that raw and bare take of the processors to that of Rowhouse and PostgreSQL. Cold: the same ratios in the first requests after everything was started.',
      table(
        [
          'scenario',
          'rows/s',
          'requests/s',
          'raw',
          'bare',
          'L',
          'ratio to L (range)',
          'by CPU',
          'cold / by CPU',
          'must / want',
          '',
        ],
        throughputs.map(ratioRow),
      ),
      'Latencies in ms; CPU in ms per request, and in cores that were busy; peak memory in MiB, that of PostgreSQL without its shared buffers.',
      table(
        [
          'scenario',
          'side',
          'p50',
          'p95',
          'p99',
          'CPU of Node',
          'CPU of PostgreSQL',
          'memory of Node',
          'memory of PostgreSQL',
        ],
        throughputs.flatMap((result) => [
          sideRow(result.title, 'Rowhouse', result.ours),
          sideRow('', 'raw', result.raw),
          sideRow('', 'bare', result.bare),
        ]),
      ),
    );
  }
  for (const { title, figures } of others)
    parts.push(`## ${title}`, table(['', 'measured', 'must', ''], figures.map(figureRow)));
  return `${parts.join('\n\n')}\n`;
};
