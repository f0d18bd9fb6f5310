// Runs a TypeScript program of the repository as a child, for `npm run bench` and `npm run proof`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Without the settings of the person who runs it: the program names its own. */
export const runProgram = (file) => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(ROWHOUSE_.*|DATABASE_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV)$/.test(name),
    ),
  );
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, file), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
};
