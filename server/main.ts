// The program: what the command line says, and the exit code.
import { run } from './cli/run.ts';

// No `await` here: what V8 has compiled can be kept for scripts only, and those have none outside of functions (scripts/compile.mjs).
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
