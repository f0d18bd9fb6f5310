// An instance of the real program in a folder of its own, and the commands that are run on it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generousPlans } from '../ground.ts';
import { freePort, newDataFolder, runProgram, serve, type Served } from '../program.ts';

export interface Instance {
  data: string;
  start(): Promise<Served>;
  /** Answers what it printed; an error unless it ends with 0. */
  command(...args: string[]): Promise<string>;
  /** The same, with the most memory it had at a time, in MB. */
  measured(...args: string[]): Promise<{ memory: number; seconds: number }>;
}

const peakMegabytes = (pid: number): number => {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
};

/** Its embedded PostgreSQL also listens on a port, for SQL access to bases. */
export const newInstance = async (data = newDataFolder()): Promise<Instance> => {
  const env = {
    ROWHOUSE_DATA: data,
    ROWHOUSE_PLANS: generousPlans(join(data, '..')),
    ROWHOUSE_SQL_PORT: String(await freePort()),
    LOG_LEVEL: 'error',
  };
  const measured = async (...args: string[]): Promise<{ memory: number; seconds: number; printed: string }> => {
    const begun = Date.now();
    const program = runProgram(args, env);
    let memory = 0;
    const watch = setInterval(() => (memory = Math.max(memory, peakMegabytes(program.pid))), 20);
    const code = await program.ended;
    clearInterval(watch);
    if (code !== 0) throw new Error(`rowhouse ${args.join(' ')} ended with ${code}: ${program.output()}`);
    return { memory, seconds: (Date.now() - begun) / 1_000, printed: program.output() };
  };
  return { data, start: () => serve(env), measured, command: async (...args) => (await measured(...args)).printed };
};

export const stop = async (server: Served): Promise<void> => {
  server.kill('SIGTERM');
  await server.ended;
};
