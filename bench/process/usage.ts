// CPU time and memory of processes, from /proc; not a number where there is none.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ticksPerSecond = 100;

const statOf = (pid: number | string): string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};

const seconds = (stat: string[], ...places: number[]): number =>
  places.reduce((total, at) => total + Number(stat[at] ?? Number.NaN), 0) / ticksPerSecond;

/** Seconds of CPU that a process has used. */
export const cpuOf = (pid: number): number => seconds(statOf(pid), 11, 12);

const childrenOf = (parent: number): number[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && statOf(name)[1] === String(parent))
      .map(Number);
  } catch {
    return [];
  }
};

/** With its children, also those that have ended. */
export const cpuOfFamily = (pid: number): number =>
  childrenOf(pid).reduce(
    (total, child) => total + (Number.isNaN(cpuOf(child)) ? 0 : cpuOf(child)),
    seconds(statOf(pid), 11, 12, 13, 14),
  );

const statusOf = (pid: number, key: string): number => {
  try {
    const found = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? Number.NaN : Number(found[1]) * 1_024;
  } catch {
    return Number.NaN;
  }
};

export const memoryOf = (pid: number): number => statusOf(pid, 'VmRSS');
export const peakMemoryOf = (pid: number): number => statusOf(pid, 'VmHWM');

/** What the processes of PostgreSQL hold for themselves, without the buffers that they share. */
export const memoryOfFamily = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((total, each) => total + (statusOf(each, 'RssAnon') || 0), 0);

/** From here on the peak is counted again. */
export const forgetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Not allowed everywhere; the peak then is that of the whole life of the process, which is no less.
  }
};

const quietShare = 0.05;
const look = 200;

/**
 * Waits until the server and PostgreSQL have done what they do after the last answer: the feed of changes, vacuum.
 * It belongs to neither side of the next round. Not longer than ten seconds.
 */
export const untilQuiet = async (serverPid: number, postgresPid: number): Promise<void> => {
  const used = (): number => cpuOf(serverPid) + cpuOfFamily(postgresPid);
  for (let tries = 0; tries < 50; tries += 1) {
    const before = used();
    await sleep(look);
    if (!(used() - before > (quietShare * look) / 1_000)) return;
  }
};
