// A program that compares: its options, its parts one after the other, its page. What is compared is in formula.ts and links.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Person } from './cells.ts';
import { short } from './figures.ts';
import { describeMachine } from './machine.ts';
import { openStage, type Stage } from './process/stage.ts';
import type { Measured } from './sides.ts';

interface Goal {
  must: number;
  want?: number;
}

export interface Comparison {
  title: string;
  /** For each side but the first; null where there is none. */
  goals: (Goal | null)[];
  sides: Measured[];
}

export interface Work {
  stage: Stage;
  person: Person;
  isQuick: boolean;
  rounds: number;
  /** Of the requests of a whole run, but never less than `least`. */
  requests: (whole: number, least: number) => number;
}

interface Program {
  /** Of the file of results. */
  name: string;
  title: string;
  /** By the name that `--only` takes. */
  parts: Record<string, (work: Work) => Promise<Comparison | Comparison[]>>;
  /** What is no comparison: sections of the page. */
  sections: Record<string, (work: Work) => Promise<string[]>>;
}

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

const verdict = (ratio: number, { must, want }: Goal): string =>
  ratio < must ? 'missed' : want === undefined || ratio >= want ? 'reached' : 'reached, not what is wanted';

const rowsOf = ({ title, goals, sides }: Comparison): string[] =>
  sides.map(({ name, rate, ratio, cpuRatio, cpu }, at) => {
    const goal = at === 0 ? null : (goals[at - 1] ?? null);
    const ratios = at === 0 ? ['', ''] : [`**${ratio.toFixed(3)}**`, cpuRatio.toFixed(3)];
    return row(
      at === 0 ? title : '',
      name,
      short(rate),
      ...ratios,
      goal === null ? '' : `${goal.must}${goal.want === undefined ? '' : ` (${goal.want})`}`,
      `${short(cpu.server)} + ${short(cpu.postgres)}`,
      goal === null ? '' : verdict(ratio, goal),
    );
  });

const pageOf = async (
  { stage, isQuick, rounds }: Work,
  title: string,
  date: string,
  comparisons: readonly Comparison[],
  sections: readonly string[],
): Promise<string> => {
  const machine = await describeMachine(stage.db);
  return [
    `# ${title}, ${date}${isQuick ? ' (a short run)' : ''}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}; Node ${machine.node}, PostgreSQL ${machine.postgres} with fsync. Load, server and PostgreSQL share the cores.`,
    '',
    `Requests per second, medians of ${rounds} rounds in which each takes its turn; the ratio to the first is the median of the ratios round by round. CPU is for one request; the ratio by CPU is that of server and PostgreSQL together.`,
    '',
    row('', '', 'per second', 'ratio', 'by CPU', 'must (wanted)', 'CPU ms, server + PostgreSQL', ''),
    row('---', '---', '---:', '---:', '---:', '---:', '---:', '---'),
    ...comparisons.flatMap(rowsOf),
    '',
    ...sections,
  ].join('\n');
};

/** Runs what `--only` names, or everything; `--record` keeps the page. */
export const runComparison = async ({ name, title, parts, sections }: Program): Promise<void> => {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const isWanted = ([part]: [string, unknown]): boolean =>
    options.only === undefined || options.only.split(',').includes(part);
  const stage = await openStage();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stage.close().finally(() => process.exit(130)));
  try {
    const { rows } = await stage.db.query<Person>('select id, name as title, email from rowhouse.users where id = $1', [
      stage.userId,
    ]);
    const work: Work = {
      stage,
      person: rows[0] as Person,
      isQuick: options.quick,
      rounds: options.quick ? 3 : 8,
      requests: (whole, least) => (options.quick ? Math.max(least, whole / 10) : whole),
    };
    const comparisons: Comparison[] = [];
    for (const [part, run] of Object.entries(parts).filter(isWanted)) {
      console.error(`${part} …`);
      comparisons.push(...[await run(work)].flat());
    }
    const lines: string[] = [];
    for (const [part, run] of Object.entries(sections).filter(isWanted)) {
      console.error(`${part} …`);
      lines.push(...(await run(work)));
    }
    const date = new Date().toISOString().slice(0, 10);
    const page = await pageOf(work, title, date, comparisons, lines);
    console.log(page);
    if (options.record) {
      const folder = fileURLToPath(new URL('results', import.meta.url));
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/${date}-${name}.md`, page);
    }
  } finally {
    await stage.close();
  }
};
