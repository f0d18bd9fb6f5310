// Measures one scenario in rounds: Rowhouse, the raw statements, the bare server, and again. What the machine
// does besides then strikes all three alike.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, percentile } from './figures.ts';
import type { Ground } from './ground.ts';
import type { HttpLoad } from './process/http-load.ts';
import type { RawKind, RawTable } from './process/raw.sql.ts';
import { createRunner, rateOf, type Round } from './process/runner.ts';
import { type ScriptLine, writeScript } from './process/script.ts';
import { untilQuiet } from './process/usage.ts';
import { startWorker, type Worker } from './process/worker.ts';

export interface Schedule {
  ground: Ground;
  lines: ScriptLine[];
  clients: number;
  raw: RawKind;
  status: number;
  rowsPerRequest: number;
  requestsPerRound: number;
  rounds: number;
  /** Brings both tables back to the same state, before either of the two writes to its own. */
  reset: () => Promise<void>;
  /** Fails when a table does not hold what so many requests must have left there. */
  check: (table: RawTable, requests: number) => Promise<void>;
}

/** One side, over all rounds. Rates are per second, latencies in ms, CPU in cores that were busy, memory in bytes. */
export interface Side {
  requests: number;
  rows: number;
  p50: number;
  p95: number;
  p99: number;
  nodeCpu: number;
  postgresCpu: number;
  peakMemory: number;
  postgresMemory: number;
}

export interface Measured {
  ours: Side;
  raw: Side;
  bare: Side;
  limit: number;
  /** Ours to the limit: the median of the rounds, and the lowest and highest of them. */
  ratio: number;
  ratioRange: [number, number];
  /**
   * The same by CPU time: what the limit costs to what ours costs, of Node and PostgreSQL together. It does not see
   * waiting, and a busy machine blurs it less.
   */
  cpuRatio: number;
  /** Ours to the limit, and the same by CPU, in the first requests after a start: code that was not run yet is slow. */
  cold: { ratio: number; cpuRatio: number };
}

const warmUpShare = 0.25;
const recorded = 10;

const record = async ({ ground, lines }: Schedule): Promise<string[]> => {
  const answers: string[] = [];
  const { server, token } = ground.stage;
  for (const { method, path, body } of lines.slice(0, recorded)) {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    answers.push(await response.text());
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${answers.at(-1)?.slice(0, 2_000)}`);
  }
  return answers;
};

const sideOf = (rounds: readonly Round[], rowsPerRequest: number): Side => {
  const latencies = rounds.flatMap((round) => round.latencies);
  const requests = median(rounds.map(rateOf));
  return {
    requests,
    rows: requests * rowsPerRequest,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    nodeCpu: median(rounds.map((round) => round.nodeCpu)),
    postgresCpu: median(rounds.map((round) => round.postgresCpu)),
    peakMemory: Math.max(...rounds.map((round) => round.peakMemory)),
    postgresMemory: Math.max(...rounds.map((round) => round.postgresMemory)),
  };
};

/** Seconds of CPU for one request. */
const costOf = ({ nodeCpu, postgresCpu, requests }: Side): number => (nodeCpu + postgresCpu) / requests;

const limitOf = (raw: number, bare: number): number => 1 / (1 / raw + 1 / bare);

const cpuRatioOf = (ours: Side, raw: Side, bare: Side): number =>
  (costOf(raw) + bare.nodeCpu / bare.requests) / costOf(ours);

interface Files {
  file: string;
  answersFile: string;
}

/** As somebody measures who starts everything, sends some requests and stops: nothing is warm on any side. */
const measureCold = async (schedule: Schedule, { file, answersFile }: Files): Promise<Measured['cold']> => {
  const { ground, clients } = schedule;
  const { stage } = ground;
  const count = Math.max(4, Math.min(500, Math.round(schedule.requestsPerRound * warmUpShare)));
  const server = await stage.startServer();
  const workers: Worker[] = [];
  const start = async (name: string, setting: object): Promise<Worker> => {
    const worker = await startWorker(name, setting);
    workers.push(worker);
    return worker;
  };
  const once = async (load: Worker, pid: number): Promise<Round> => {
    const runner = createRunner(load, pid, stage.postgresPid);
    await schedule.reset();
    await untilQuiet(pid, stage.postgresPid);
    await runner.measure(count);
    return runner.rounds[0] as Round;
  };
  try {
    const http = { token: stage.token, file, clients };
    const bareServer = await start('bare-server.ts', { answers: answersFile, status: schedule.status });
    const origin = await bareServer.ask<string>({});
    const ours = await once(
      await start('http-load.ts', { ...http, origin: server.origin } satisfies HttpLoad),
      server.pid,
    );
    const rawLoad = await start('raw-load.ts', {
      url: stage.databaseUrl,
      file,
      clients,
      kind: schedule.raw,
      table: ground.raw,
      actor: stage.userId,
    });
    const raw = await once(rawLoad, rawLoad.pid);
    const bare = await once(await start('http-load.ts', { ...http, origin } satisfies HttpLoad), bareServer.pid);
    const [mine, limit, alone] = [ours, raw, bare].map((round) => sideOf([round], schedule.rowsPerRequest)) as [
      Side,
      Side,
      Side,
    ];
    return { ratio: rateOf(ours) / limitOf(rateOf(raw), rateOf(bare)), cpuRatio: cpuRatioOf(mine, limit, alone) };
  } finally {
    for (const worker of workers) await worker.stop();
    await server.stop();
  }
};

export const measure = async (schedule: Schedule): Promise<Measured> => {
  const { ground, clients, requestsPerRound: count } = schedule;
  const { folder, server, token, databaseUrl, postgresPid, userId } = ground.stage;
  const file = join(folder, 'script.jsonl');
  const answersFile = join(folder, 'answers.json');
  writeScript(file, schedule.lines);
  writeFileSync(answersFile, JSON.stringify(await record(schedule)));
  const cold = await measureCold(schedule, { file, answersFile });
  const workers: Worker[] = [];
  const start = async (name: string, setting: object): Promise<Worker> => {
    const worker = await startWorker(name, setting);
    workers.push(worker);
    return worker;
  };
  try {
    const bareServer = await start('bare-server.ts', { answers: answersFile, status: schedule.status });
    const http = { token, file, clients };
    const oursLoad = await start('http-load.ts', { ...http, origin: server.origin } satisfies HttpLoad);
    const bareLoad = await start('http-load.ts', {
      ...http,
      origin: await bareServer.ask<string>({}),
    } satisfies HttpLoad);
    const rawLoad = await start('raw-load.ts', {
      url: databaseUrl,
      file,
      clients,
      kind: schedule.raw,
      table: ground.raw,
      actor: userId,
    });
    const ours = createRunner(oursLoad, server.pid, postgresPid, Math.min(recorded, schedule.lines.length));
    const raw = createRunner(rawLoad, rawLoad.pid, postgresPid);
    const bare = createRunner(bareLoad, bareServer.pid, postgresPid);
    for (const runner of [ours, raw, bare]) await runner.warmUp(Math.ceil(count * warmUpShare));
    for (let round = 0; round < schedule.rounds; round += 1) {
      for (const [runner, table] of [
        [ours, ground.ours],
        [raw, ground.raw],
      ] as const) {
        await schedule.reset();
        await untilQuiet(server.pid, postgresPid);
        await runner.measure(count);
        await schedule.check(table, count);
      }
      await untilQuiet(server.pid, postgresPid);
      await bare.measure(count);
      const [mine, limit, http] = [ours, raw, bare].map(({ rounds }) => rounds.at(-1) as Round) as [
        Round,
        Round,
        Round,
      ];
      console.error(
        `  round ${round + 1}: ${Math.round(rateOf(mine))} requests/s, ${(rateOf(mine) / limitOf(rateOf(limit), rateOf(http))).toFixed(2)} L; Node ${((1_000 * mine.nodeCpu) / rateOf(mine)).toFixed(3)} ms a request, of the limit ${((1_000 * limit.nodeCpu) / rateOf(limit) + (1_000 * http.nodeCpu) / rateOf(http)).toFixed(3)}`,
      );
    }
    const ratios = ours.rounds.map(
      (round, at) => rateOf(round) / limitOf(rateOf(raw.rounds[at] as Round), rateOf(bare.rounds[at] as Round)),
    );
    const sides = {
      ours: sideOf(ours.rounds, schedule.rowsPerRequest),
      raw: sideOf(raw.rounds, schedule.rowsPerRequest),
      bare: sideOf(bare.rounds, schedule.rowsPerRequest),
    };
    return {
      ...sides,
      limit: limitOf(sides.raw.requests, sides.bare.requests),
      ratio: median(ratios),
      ratioRange: [Math.min(...ratios), Math.max(...ratios)],
      cpuRatio: cpuRatioOf(sides.ours, sides.raw, sides.bare),
      cold,
    };
  } finally {
    for (const worker of workers) await worker.stop();
  }
};
