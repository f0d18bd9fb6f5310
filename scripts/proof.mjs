// `npm run proof`: builds the server as it is shipped, then tries to break it. See docs/proof.md. With `--check` it says which parts are
// older than what they prove, and fails if there is one.
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing } from './install.mjs';
import { oldParts } from './proof-age.mjs';
import { runProgram } from './run-program.mjs';

if (process.argv.includes('--check')) {
  const old = oldParts();
  for (const line of old ?? ['the history does not say: this is no clone, or not a whole one']) console.log(line);
  if (old?.length === 0) console.log('every part has held since the last change of what it proves');
  process.exit(old === undefined || old.length === 0 ? 0 : 1);
}

installWhatIsMissing();
await buildWhatIsStale();
runProgram('proof/main.ts');
