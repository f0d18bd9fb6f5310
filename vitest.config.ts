import { defineConfig } from 'vitest/config';
import { filesOfPart } from './test/support/long-run.ts';
import { native } from './test/support/native.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

const { plugins, ...loading } = native();

export default defineConfig({
  plugins,
  test: {
    ...loading,
    ...filesOfPart(
      ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts', 'test/api/**/*.test.ts', 'test/*.test.ts'],
      (path) => !path.startsWith('test/proof/'),
    ),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/file-setup.ts'],
    // The server is loaded once per worker, not once per file: that took a third of the time. What tests have of their own
    // is the database and the server, not the modules.
    isolate: false,
    // A worker runs many files: what a test puts in the place of a global is taken away again before the next one.
    unstubGlobals: true,
    // Nothing here is about how quick a busy machine is, and a cluster takes several times as long for every write: the longest take half a minute on two cores that do nothing else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    // Servers and tests in one process leave much garbage: collected less often, they need a twentieth less of the processors.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: SlowestFirst },
  },
});
