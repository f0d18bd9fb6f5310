// Kill -9 of the server, of PostgreSQL with all its processes, of both, or of one process of PostgreSQL.
import { readdirSync, readFileSync } from 'node:fs';
import type { Program } from '../program.ts';

export const victims = ['server', 'postgres', 'both', 'backend'] as const;
export type Victim = (typeof victims)[number];

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

export const strike = (victim: Victim, server: Pick<Program, 'kill'>, postgres: number, choose: (pids: number[]) => number): void => {
  const children = childrenOf(postgres);
  if (victim === 'server' || victim === 'both') server.kill('SIGKILL');
  if (victim === 'postgres' || victim === 'both') for (const pid of [postgres, ...children]) end(pid);
  if (victim === 'backend') end(choose(children));
};
