// Loads the bundle beside it, with what V8 compiled of it when it was built: a start takes a quarter less. `main.js` and tests load it the same way.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = fileURLToPath(new URL('server.cjs', import.meta.url));
const require = createRequire(file);

const compiled = () => {
  try {
    return readFileSync(`${file}.compiled`);
  } catch {
    return undefined;
  }
};

/** Also for what compiles it. */
export const scriptOf = (cachedData) =>
  new Script(`(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`, {
    filename: file,
    cachedData,
  });

export const runScript = (script) => {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  return module.exports;
};

// Node.js looks for source maps of what it loads itself.
const wantsSourceMaps = () =>
  [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--enable-source-maps'));

let loaded;

export const loadServer = () => (loaded ??= wantsSourceMaps() ? require(file) : runScript(scriptOf(compiled())));

let modules;

/** By their paths, for tests. */
export const loadModules = () => (modules ??= loadServer().modules());
