// The same requests to tables that differ in one thing alone, in turn.
import { join } from 'node:path';
import { median } from './figures.ts';
import type { HttpLoad } from './process/http-load.ts';
import { createRunner, rateOf, type Round, type Runner } from './process/runner.ts';
import { type ScriptLine, writeScript } from './process/script.ts';
import type { Stage } from './process/stage.ts';
import { untilQuiet } from './process/usage.ts';
import { startWorker, type Worker } from './process/worker.ts';

export interface Side {
  name: string;
  lines: readonly ScriptLine[];
  /** Of somebody else than the one who made everything. */
  token?: string;
  /** Before each of its turns. */
  reset?: () => Promise<void>;
}

export interface Measured {
  name: string;
  /** Requests per second. */
  rate: number;
  /** To the first side, the median of the ratios round by round. */
  ratio: number;
  /** The same by the time that server and PostgreSQL took of the processors: what others do on the machine changes it less. */
  cpuRatio: number;
  /** Milliseconds of CPU for a request. */
  cpu: { server: number; postgres: number };
}

interface Effort {
  rounds: number;
  clients: number;
  requests: number;
}

/** Seconds of the processors for a request. */
const cpuOf = (round: Round): number => (round.nodeCpu + round.postgresCpu) / rateOf(round);

export const measureSides = async (
  stage: Stage,
  sides: readonly Side[],
  { rounds, clients, requests }: Effort,
): Promise<Measured[]> => {
  const workers: Worker[] = [];
  try {
    const runners: Runner[] = [];
    for (const [at, { lines, token = stage.token }] of sides.entries()) {
      const file = join(stage.folder, `side-${at}.jsonl`);
      writeScript(file, lines);
      const worker = await startWorker('http-load.ts', {
        token,
        file,
        clients,
        origin: stage.server.origin,
      } satisfies HttpLoad);
      workers.push(worker);
      runners.push(createRunner(worker, stage.server.pid, stage.postgresPid));
    }
    for (const runner of runners) await runner.warmUp(requests);
    for (let round = 0; round < rounds; round += 1) {
      // Anyone who comes first in one round comes last in the next.
      for (const at of round % 2 === 0 ? runners.keys() : [...runners.keys()].reverse()) {
        await sides[at]?.reset?.();
        await stage.db.query('checkpoint');
        await untilQuiet(stage.server.pid, stage.postgresPid);
        await runners[at]?.measure(requests);
      }
    }
    const first = (runners[0] as Runner).rounds;
    return runners.map((runner, at) => ({
      name: sides[at]?.name as string,
      rate: median(runner.rounds.map(rateOf)),
      ratio: median(runner.rounds.map((round, turn) => rateOf(round) / rateOf(first[turn] as Round))),
      cpuRatio: median(runner.rounds.map((round, turn) => cpuOf(first[turn] as Round) / cpuOf(round))),
      cpu: {
        server: median(runner.rounds.map((round) => (1_000 * round.nodeCpu) / rateOf(round))),
        postgres: median(runner.rounds.map((round) => (1_000 * round.postgresCpu) / rateOf(round))),
      },
    }));
  } finally {
    for (const worker of workers) await worker.stop();
  }
};
