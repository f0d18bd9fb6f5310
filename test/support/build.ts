// The crash tests run the program as it is shipped: build it first.
import { execFileSync } from 'node:child_process';

export const setup = (): void => {
  const script = "const { buildWhatIsStale } = await import('./scripts/build.mjs'); await buildWhatIsStale({ only: 'server' });";
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
};
