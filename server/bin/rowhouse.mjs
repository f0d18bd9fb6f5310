#!/usr/bin/env node
// The command `rowhouse`. In a checkout it builds what is stale first; elsewhere it runs what was built.
import { existsSync } from 'node:fs';

const build = new URL('../../scripts/build.mjs', import.meta.url);
if (existsSync(build)) await (await import(build.href)).buildWhatIsStale({ only: 'server' });
await import(new URL('../dist/main.js', import.meta.url).href);
