#!/usr/bin/env node
// The command `rowhouse`. In a checkout it builds what is stale first; elsewhere it runs what was built.
import { existsSync } from 'node:fs';

const build = new URL('../../scripts/build.mjs', import.meta.url);
if (existsSync(build)) {
  try {
    (await import(build.href)).buildApart({ only: 'server' });
  } catch (error) {
    console.error(`rowhouse: the build failed: ${error.message}`);
    process.exit(1);
  }
}
await import(new URL('../dist/main.js', import.meta.url).href);
