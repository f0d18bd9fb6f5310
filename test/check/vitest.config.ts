import { defineConfig } from 'vitest/config';

/** What `npm run check` runs besides the tests of architecture and documents: it needs no database, and takes longer. */
export default defineConfig({ test: { include: ['test/check/*.test.ts'] } });
