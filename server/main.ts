// The program: what the command line says, and the exit code.
import { run } from './cli/run.ts';

process.exitCode = await run(process.argv.slice(2));
