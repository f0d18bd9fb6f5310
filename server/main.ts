// The program from its sources, for `npm run dev`. What is built is run by server/dist/main.js (scripts/main.template.mjs).
import { run } from './cli/run.ts';

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
