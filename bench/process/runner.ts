// Lets a load worker do stint after stint of its script, and watches the processes that serve it.
import type { Done } from './script.ts';
import { cpuOf, cpuOfFamily, forgetPeak, memoryOfFamily, peakMemoryOf } from './usage.ts';
import type { Worker } from './worker.ts';

/** CPU in cores that were busy, memory in bytes. */
export interface Round extends Done {
  count: number;
  nodeCpu: number;
  postgresCpu: number;
  peakMemory: number;
  postgresMemory: number;
}

export interface Runner {
  rounds: Round[];
  warmUp(count: number): Promise<void>;
  measure(count: number): Promise<void>;
}

export const rateOf = ({ count, milliseconds }: Round): number => (count * 1_000) / milliseconds;

const watchInterval = 250;

/** `pid` is the process of Node that is measured; `from` the place in the script to begin at. */
export const createRunner = (load: Worker, pid: number, postgresPid: number, from = 0): Runner => {
  let place = from;
  const run = async (count: number): Promise<Round> => {
    let postgresMemory = 0;
    const look = (): void => {
      postgresMemory = Math.max(postgresMemory, memoryOfFamily(postgresPid));
    };
    const watch = setInterval(look, watchInterval);
    forgetPeak(pid);
    const [node, postgres] = [cpuOf(pid), cpuOfFamily(postgresPid)];
    const done = await load.ask<Done>({ start: place, count });
    const seconds = done.milliseconds / 1_000;
    const used = {
      nodeCpu: (cpuOf(pid) - node) / seconds,
      postgresCpu: (cpuOfFamily(postgresPid) - postgres) / seconds,
      peakMemory: peakMemoryOf(pid),
    };
    clearInterval(watch);
    look();
    place += count;
    return { ...done, ...used, count, postgresMemory };
  };
  const rounds: Round[] = [];
  return {
    rounds,
    warmUp: async (count) => {
      await run(count);
    },
    measure: async (count) => {
      rounds.push(await run(count));
    },
  };
};
