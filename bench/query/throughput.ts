// One question, asked in rounds of Rowhouse, of PostgreSQL directly, and of a bare Fastify that knows the answer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, percentile } from '../figures.ts';
import { type Done, writeScript } from '../process/script.ts';
import type { Stage } from '../process/stage.ts';
import { startWorker, type Worker } from '../process/worker.ts';

export interface Question {
  name: string;
  path: string;
  raw: string;
}

export interface Answered {
  name: string;
  ours: number;
  raw: number;
  bare: number;
  limit: number;
  ratio: number;
  p50: number;
}

const clients = 4;

const rate = (count: number, { milliseconds }: Done): number => (count * 1_000) / milliseconds;

export const measureQuestion = async (
  stage: Stage,
  question: Question,
  rounds: number,
  seconds: number,
): Promise<Answered> => {
  const { server, token, databaseUrl, folder } = stage;
  const file = join(folder, 'question.jsonl');
  const answers = join(folder, 'answer.json');
  writeScript(file, [{ method: 'GET', path: question.path }]);
  const response = await fetch(`${server.origin}${question.path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${question.name} answered ${response.status}: ${text.slice(0, 500)}`);
  writeFileSync(answers, JSON.stringify([text]));
  const workers: Worker[] = [];
  const start = async (name: string, setting: object): Promise<Worker> => {
    const worker = await startWorker(name, setting);
    workers.push(worker);
    return worker;
  };
  try {
    const bareServer = await start('bare-server.ts', { answers, status: 200 });
    const sides = {
      ours: await start('http-load.ts', { origin: server.origin, token, file, clients }),
      raw: await start('../query/raw-load.ts', { url: databaseUrl, clients, text: question.raw }),
      bare: await start('http-load.ts', { origin: await bareServer.ask<string>({}), token, file, clients }),
    };
    const stints = { ours: 0, raw: 0, bare: 0 };
    const names = ['ours', 'raw', 'bare'] as const;
    for (const side of names) {
      const warm = rate(8, await sides[side].ask<Done>({ start: 0, count: 8 }));
      stints[side] = Math.max(8, Math.round(warm * seconds));
    }
    const rates = { ours: [] as number[], raw: [] as number[], bare: [] as number[] };
    const latencies: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const side of names) {
        const done = await sides[side].ask<Done>({ start: 0, count: stints[side] });
        rates[side].push(rate(stints[side], done));
        if (side === 'ours') latencies.push(...done.latencies);
      }
    }
    const limits = rates.raw.map((raw, at) => 1 / (1 / raw + 1 / (rates.bare[at] as number)));
    const [ours, raw, bare] = [median(rates.ours), median(rates.raw), median(rates.bare)];
    return {
      name: question.name,
      ours,
      raw,
      bare,
      limit: median(limits),
      ratio: median(rates.ours.map((own, at) => own / (limits[at] as number))),
      p50: percentile(latencies, 0.5),
    };
  } finally {
    for (const worker of workers) await worker.stop();
  }
};
