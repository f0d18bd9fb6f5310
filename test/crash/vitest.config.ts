import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/crash/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
