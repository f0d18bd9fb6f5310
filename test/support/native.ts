// The modules of the server and the contract as Node.js itself loads them, built beforehand, instead of through Vite: a test process
// has them in less than a quarter of the time, and they run as they do outside of tests.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'server/dist/modules');

/** Where `scripts/build.mjs` has put a module. Undefined for what is no module of the server or the contract. */
const builtOf = (id: string): string | undefined => {
  const [, path] = id.startsWith(`${root}/`) ? (/^((?:server|contract)\/(?!dist\/|node_modules\/).*)(?<!\.test)\.ts$/.exec(id.slice(root.length + 1)) ?? []) : [];
  return path === undefined ? undefined : `${join(built, path)}.js`;
};

const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found === null ? null : (builtOf(found.id) ?? found);
  },
};

/** Part of the configuration of a run. */
export const native = (): { plugins: Plugin[]; execArgv: string[]; server: { deps: { external: RegExp[] } } } => {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--stale', 'test modules'], { stdio: ['ignore', 'inherit', 'inherit'] });
  return { plugins: [builtModules], execArgv: ['--enable-source-maps'], server: { deps: { external: [new RegExp(`^${built.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`)] } } };
};
