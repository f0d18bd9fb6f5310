// Writes beside a bundle of the server what V8 compiles of it when it starts: `load.js` hands it to V8, which then has less to do. Another version of Node.js
// does not take it, and compiles the bundle itself. Also writes the files by which tests take modules out of the bundle.
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeModules } from './server-entry.mjs';

const [file] = process.argv.slice(2);
const { scriptOf, runScript } = await import(pathToFileURL(join(dirname(file), 'load.js')).href);
const script = scriptOf();
const { run, modules } = runScript(script);
process.exitCode = await run(['--help']);
// Functions that the start calls are compiled by now, and are in it.
if (process.exitCode === 0) {
  writeFileSync(`${file}.new`, script.createCachedData());
  renameSync(`${file}.new`, `${file}.compiled`);
  writeModules(modules());
}
