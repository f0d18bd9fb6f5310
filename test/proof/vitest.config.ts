import { defineConfig } from 'vitest/config';
import { SlowestFirst } from '../support/slowest-first.ts';

/** The short version of each part of the proof. */
export default defineConfig({
  test: {
    // On a machine that is busy with other things: a test that passes the second time is reported as such.
    retry: process.env['CI'] === undefined ? 0 : 1,
    include: ['test/proof/*.test.ts', 'proof/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
  },
});
