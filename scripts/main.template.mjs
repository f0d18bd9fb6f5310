// The program: what the command line says, and the exit code.
import { loadServer } from './load.js';

void loadServer()
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
