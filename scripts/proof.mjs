// `npm run proof`: builds the server as it is shipped, then tries to break it. See docs/proof.md. With `--check` it says which parts are
// older than what they prove, and fails if there is one.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing, root } from './install.mjs';
import { oldParts } from './proof-age.mjs';

if (process.argv.includes('--check')) {
  const old = oldParts();
  for (const line of old ?? ['the history does not say: this is no clone, or not a whole one']) console.log(line);
  if (old?.length === 0) console.log('every part has held since the last change of what it proves');
  process.exit(old === undefined || old.length === 0 ? 0 : 1);
}

installWhatIsMissing();
await buildWhatIsStale();
// Not the settings of the person who runs it: the proof names its own.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(ROWHOUSE_.*|DATABASE_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV)$/.test(name),
  ),
);
const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'proof/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
