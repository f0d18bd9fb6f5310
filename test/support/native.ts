// The modules of the server and the contract as Node.js itself loads them, through tsx, instead of through Vite: a test process
// has them in less than half the time, and they run as they do outside of tests.
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

const root = join(import.meta.dirname, '../..').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

// For the process that reads the configuration: it prepares what all tests share.
register();

/** Part of the configuration of a run. */
export const native = {
  execArgv: ['--import', 'tsx'],
  server: { deps: { external: [new RegExp(`^${root}/(contract|server)/.*(?<!\\.test)\\.ts$`)] } },
};
