// The command line in the process of the test: its start alone would take longer than the tests.
import { vi } from 'vitest';
import { run } from '../../server/cli/run.ts';

export interface CommandOutcome {
  code: number;
  out: string;
  err: string;
}

/** Runs `rowhouse …` on a database. */
export const rowhouse = async (databaseUrl: string, ...args: string[]): Promise<CommandOutcome> => {
  const [out, err] = [
    vi.spyOn(console, 'log').mockImplementation(() => undefined),
    vi.spyOn(console, 'error').mockImplementation(() => undefined),
  ];
  const before = process.env['DATABASE_URL'];
  process.env['DATABASE_URL'] = databaseUrl;
  try {
    const code = await run(args);
    const textOf = (spy: typeof out): string => spy.mock.calls.map((call) => String(call[0])).join('\n');
    return { code, out: textOf(out), err: textOf(err) };
  } finally {
    if (before === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = before;
    out.mockRestore();
    err.mockRestore();
  }
};
