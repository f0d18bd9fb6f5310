// `npm run bench`: builds the server as it is shipped, then measures it. See bench/README.md.
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing } from './install.mjs';
import { runProgram } from './run-program.mjs';

installWhatIsMissing();
await buildWhatIsStale({ only: 'server' });
runProgram('bench/main.ts');
