// Writes beside a bundle of the server what V8 compiles of it when it starts: `main.js` hands it to V8, which then has less to do. Another version of Node.js
// does not take it, and compiles the bundle itself.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

const [file] = process.argv.splice(2, 1, '--help');
const script = new Script(`(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`, { filename: file });
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
// Functions that the start calls are compiled by now, and are in it.
process.once('exit', (code) => {
  if (code !== 0) return;
  writeFileSync(`${file}.new`, script.createCachedData());
  renameSync(`${file}.new`, `${file}.compiled`);
});
