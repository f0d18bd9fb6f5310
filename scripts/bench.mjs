// `npm run bench`: builds the server as it is shipped, then measures it. See bench/README.md.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing, root } from './install.mjs';

installWhatIsMissing();
await buildWhatIsStale({ only: 'server' });
// Not the settings of the person who runs it: a benchmark names its own.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(ROWHOUSE_.*|DATABASE_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV)$/.test(name),
  ),
);
const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'bench/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
