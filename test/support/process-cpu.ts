// CPU time of this process and of everything that it started, ended children included. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

/** Of each process: its name, its parent, and seconds of CPU time with those of children that ended. */
interface Usage {
  name: string;
  parent: number;
  seconds: number;
}

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

const usageOf = (pid: number): Usage | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // utime, stime, cutime, cstime: fields 14 to 17 of proc(5); `rest` begins with the third.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(rest[at]), 0);
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    return { name, parent: Number(rest[1]), seconds: ticks / ticksPerSecond };
  } catch {
    return undefined;
  }
};

const isBelow = (pid: number, ancestor: number, all: Map<number, Usage>): boolean => {
  for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === ancestor) return true;
  return false;
};

const descendantsOf = (ancestor: number): number[] => {
  const all = new Map<number, Usage>();
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? usageOf(Number(name)) : undefined;
    if (usage !== undefined) all.set(Number(name), usage);
  }
  return [...all.keys()].filter((pid) => isBelow(pid, ancestor, all));
};

export interface CpuTime {
  /** Of PostgreSQL. */
  postgres: number;
  /** Of everything else. */
  rest: number;
}

/** Returns a function that gives the seconds used so far. New processes are looked for twice a second. */
export const cpuTimeOfTree = (ancestor: number): (() => CpuTime) => {
  let known: number[] = [];
  let lookedAt = 0;
  return () => {
    if (Date.now() - lookedAt > 500) {
      known = descendantsOf(ancestor);
      lookedAt = Date.now();
    }
    const time: CpuTime = { postgres: 0, rest: 0 };
    for (const pid of known) {
      const usage = usageOf(pid);
      if (usage !== undefined) time[usage.name === 'postgres' ? 'postgres' : 'rest'] += usage.seconds;
    }
    return time;
  };
};
