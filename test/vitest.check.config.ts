import { defineConfig } from 'vitest/config';

/** What `npm run check` runs: tests that need no database. They may have the machine with others. */
export default defineConfig({ test: { include: ['test/*.test.ts'], testTimeout: 60_000 } });
