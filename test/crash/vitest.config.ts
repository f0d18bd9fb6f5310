import { defineConfig } from 'vitest/config';
import { withAllCases } from '../support/cases.ts';
import { native } from '../support/native.ts';
import { SlowestFirst } from '../support/slowest-first.ts';

const { plugins, ...loading } = native();

export default defineConfig({
  plugins,
  test: {
    ...loading,
    // The recipes build a checkout of their own.
    include: [withAllCases ? 'test/crash/*.test.ts' : 'test/crash/!(recipes).test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/program-setup.ts'],
    // Loading the server's modules once per file took a tenth of the time.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
  },
});
