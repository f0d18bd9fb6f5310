import { defineConfig } from 'vitest/config';
import { native } from '../support/native.ts';
import { SlowestFirst } from '../support/slowest-first.ts';

const { plugins, ...loading } = native();

/** The short version of each part of the proof. */
export default defineConfig({
  plugins,
  test: {
    ...loading,
    include: ['test/proof/*.test.ts', 'proof/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/program-setup.ts'],
    // Loading the server's modules once per file took a tenth of the time.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
  },
});
