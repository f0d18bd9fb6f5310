// The crash tests run the program as it is shipped: build it, and let it make the data folder that most of them start from.
import { execFileSync } from 'node:child_process';
import { prepareData } from '../../proof/program.ts';

export const setup = async (): Promise<() => void> => {
  const script =
    "const { buildWhatIsStale } = await import('./scripts/build.mjs'); for (const only of ['server', 'test programs']) await buildWhatIsStale({ only });";
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  return prepareData();
};
