// Tests take the modules of the server and the contract out of the bundle that is shipped, loaded as `npm start` loads it: what is tested is what people run.
// A process of tests has them in less than a quarter of the time that Vite takes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { builtModules } from '../../scripts/server-entry.mjs';
import { inSources } from './stack-frames.ts';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'server/dist');

interface Loading {
  plugins: Plugin[];
  server: { deps: { external: RegExp[] } };
  onStackTrace: typeof inSources;
}

/** Part of the configuration of a run. */
export const native = (): Loading => {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--stale', 'server'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return {
    plugins: [builtModules],
    server: { deps: { external: [new RegExp(`^${built.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`)] } },
    onStackTrace: inSources,
  };
};
