// Do the tests notice when the server is wrong? `node scripts/mutate.mjs [--count=30] [--seed=1] [--only=3,7] [--in=<folder>,…] [--tests=<file>,…] [--of=<commit>] [--tests-of=<commit>] [--list]` changes one
// random line of the server at a time and runs the tests of what the line belongs to. A change that no test notices is told.
// `--in` takes lines of some folders or files alone.
//
// It works on a copy of the last commit, and on the bundle that tests run there: that is built once, and a change of it costs nothing.
// `--tests-of` takes the tests of another commit: two suites see the same changes.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Script } from 'node:vm';
import { root } from './install.mjs';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    'tests-of': { type: 'string' },
    of: { type: 'string', default: 'HEAD' },
    only: { type: 'string' },
    in: { type: 'string', default: 'server/' },
    tests: { type: 'string' },
    workers: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
  },
});

/** The same numbers for the same seed (mulberry32). */
let state = Number(options.seed);
const below = (limit) => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
};

/** What is looked for in a line, and what takes its place. */
const kinds = [
  [/===/g, '!=='],
  [/!==/g, '==='],
  [/ < /g, ' >= '],
  [/ > /g, ' <= '],
  [/ <= /g, ' > '],
  [/ >= /g, ' < '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/ and /g, ' or '],
  [/ or /g, ' and '],
  [/(?<=[([,:=] ?|return |&& |\|\| )!(?=[\w(])/g, ''],
  [/(?<=[([,:=<>+*/-] |[([])[1-9]\d*(?=[ ,;)\]]|$)/g, (number) => String(Number(number) + 1)],
  // A statement of one line goes: a call, an assignment, a refusal.
  [/^\s*(?:await )?[\w.$]+\([^{}]*\);$/g, ';'],
  [/^\s*[\w.$]+ (?:\+|-|\?\?)?= [^{}]*;$/g, ';'],
  [/^\s*(?:else )?if \(.*\) (?:throw|return|continue)\b[^{}]*;$/g, ';'],
];

/** The tests of a file of the server: those beside it, those of its noun, and what its layer is used by. */
const layers = {
  'server/http': [
    'http',
    'bad-input',
    'auth',
    'content-encoding',
    'request-cost',
    'admission',
    'access-matrix',
    'record',
  ],
  'server/endpoint': ['bad-input', 'access-token', 'access-matrix', 'extremes', 'record-body', 'record'],
  'server/pipeline': ['write-once', 'deadlock', 'record-concurrency', 'schema-elsewhere', 'record', 'link'],
  'server/catalog': [
    'access-epoch',
    'schema-elsewhere',
    'sight',
    'token-data',
    'write-once',
    'record',
    'link',
    'bound-members',
    'masked-cells',
    'authority-matrix',
  ],
  'server/work': ['job', 'background-errors', 'notification-mail', 'import', 'formula'],
  'server/db': ['connection', 'deadlock', 'base-version', 'job', 'cluster-form', 'statement-limit', 'record'],
  'server/domain/feed': [
    'event',
    'event-replay',
    'event-computed',
    'follower',
    'bound-events',
    'webhook',
    'automation',
  ],
  'server/realtime': ['event', 'event-replay', 'event-slow', 'event-storm', 'presence', 'process-signals', 'socket'],
  'server/realtime/socket': ['socket', 'event', 'presence'],
  'server/domain/rights': [
    'authority-matrix',
    'bound-members',
    'bound-reach',
    'bound-events',
    'masked-cells',
    'write-rules',
    'record-permissions',
  ],
  'server/domain/cell': [
    'field-convert',
    'extremes',
    'query',
    'query-equivalence',
    'record',
    'formula',
    'long-text',
    'attachment',
    'record-body',
    'round-trip',
    'link',
    'lookup',
  ],
  'server/domain/computed': [
    'link',
    'link-convert',
    'link-fill',
    'link-property',
    'link-rules',
    'lookup',
    'formula',
    'conditional-lookup',
    'link-scale',
    'link-restore',
  ],
  'server/domain/table': ['table', 'link', 'link-rules', 'link-scale', 'lookup', 'trash', 'base-duplicate'],
  'server/domain/field': ['field', 'field-convert', 'field-trash', 'link-convert', 'lookup', 'undo'],
  'server/domain/query': ['query', 'query-equivalence', 'query-index', 'aggregation', 'selection', 'view', 'extremes'],
  'server/domain/record': [
    'record',
    'record-body',
    'record-trash',
    'record-together',
    'upsert',
    'selection',
    'history',
    'undo',
    'undo-side-effects',
    'write-once',
    'link',
    'write-rules',
    'bound-reach',
  ],
  'server/domain/history': ['history', 'history-retention', 'undo', 'view', 'undo-side-effects', 'record-trash'],
  'server/domain/trash': ['trash', 'record-trash', 'field-trash', 'view-trash', 'link-restore'],
  'server/domain/plan': ['plan', 'quota', 'billing', 'usage-history', 'unlimited'],
  'server/domain/share': ['share', 'share-holds'],
  'server/domain/collaborator': ['collaborator', 'ownership', 'invitation-end', 'access-matrix', 'space'],
  'server/domain/file': ['attachment', 'file-storage', 'import', 'disk'],
  'server/domain/user': ['user', 'account', 'account-mail', 'auth', 'user-active', 'second-factor'],
  'server/domain/auth': ['auth', 'account', 'account-mail', 'second-factor', 'rate-limit'],
  'server/domain/mail': ['account-mail', 'notification-mail', 'invitation'],
  'server/domain/base': ['base', 'base-duplicate', 'base-file', 'base-version', 'trash'],
  'server/domain/import': ['import', 'import-from', 'base-file'],
  'server/domain/setting': ['user', 'auth', 'invitation'],
  'server/domain/base-query': ['sample', 'share-holds', 'teable-workspace', 'query'],
  'server/domain/sql-access': ['connection', 'base-duplicate', 'teable-workspace'],
  'server/domain/job': ['job', 'import'],
  'server/domain/formula': ['formula', 'formula-places'],
};

const apiTests = (folder) => readdirSync(join(folder, 'test/api')).filter((name) => name.endsWith('.test.ts'));

const testsOf = (folder, source) => {
  const layer = Object.keys(layers)
    .filter((name) => source.startsWith(`${name}/`))
    .toSorted((one, other) => other.length - one.length)[0];
  const noun = /^server\/domain\/([^/]+)/.exec(source)?.[1];
  const named = [
    ...(layers[layer] ?? []),
    ...(layer === undefined && noun === undefined ? ['health', 'record', 'auth'] : []),
  ];
  const files = apiTests(folder).filter((name) => {
    const subject = basename(name, '.test.ts');
    return named.includes(subject) || (noun !== undefined && (subject === noun || subject.startsWith(`${noun}-`)));
  });
  const place = source.slice(0, source.lastIndexOf('/'));
  const beside = readdirSync(join(folder, place)).filter((name) => name.endsWith('.test.ts'));
  return [...beside.map((name) => `${place}/${name}`), ...files.map((name) => `test/api/${name}`)];
};

const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 30 });

/** The sources of a commit, the tests of another, packages as they are here. */
const makeCopy = () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-mutate-'));
  execFileSync('tar', ['x', '-C', folder], { input: git('archive', options.of) });
  if (options['tests-of'] !== undefined) {
    const tested = ['test', 'proof', 'scripts', 'docs', 'vitest.config.ts', 'CONTRIBUTING.md'];
    for (const name of tested) rmSync(join(folder, name), { recursive: true, force: true });
    execFileSync('tar', ['x', '-C', folder], { input: git('archive', options['tests-of'], ...tested) });
    const listed = (commit) => git('ls-tree', '-r', '--name-only', commit, 'server', 'contract').toString().split('\n');
    for (const name of listed(options.of).filter((each) => each.endsWith('.test.ts'))) rmSync(join(folder, name));
    const beside = listed(options['tests-of']).filter((each) => each.endsWith('.test.ts'));
    execFileSync('tar', ['x', '-C', folder], { input: git('archive', options['tests-of'], ...beside) });
  }
  const modules = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules).filter((each) => each !== '@rowhouse'))
    if (name === '.package-lock.json') cpSync(join(modules, name), join(folder, 'node_modules', name));
    else symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  mkdirSync(join(folder, 'node_modules/@rowhouse'));
  for (const name of ['contract', 'server', 'web'])
    symlinkSync(join(folder, name), join(folder, 'node_modules/@rowhouse', name));
  return folder;
};

/** Lines of the bundle that come from the server, with the line of the source. */
const linesOfServer = (bundle, lines) => {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const found = [];
  for (const [at, text] of lines.entries()) {
    const column = text.search(/\S/);
    if (column === -1) continue;
    const { originalSource, originalLine } = map.findEntry(at, column);
    // As the bundle names them: from where it is.
    const source = /^\.\.\/((?!\.\.).*\.ts)$/.exec(originalSource ?? '')?.[1];
    if (source !== undefined) found.push({ at, source: `server/${source}`, line: originalLine + 1 });
  }
  return found;
};

/** Another text of a line; undefined where nothing of it can be changed. */
const changed = (text) => {
  const places = kinds.flatMap(([pattern, other]) =>
    [...text.matchAll(pattern)].map((match) => {
      const by = typeof other === 'string' ? other : other(match[0]);
      return `${text.slice(0, match.index)}${by}${text.slice(match.index + match[0].length)}`;
    }),
  );
  return places.length === 0 || /^\s*(?:\/\/|\/?\*)/.test(text) ? undefined : places[below(places.length)];
};

const parses = (code) => {
  try {
    new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`);
    return true;
  } catch {
    return false;
  }
};

/** `caught`, by which test or how; undefined when all passed. */
const runTests = (folder, tests) =>
  new Promise((done) => {
    const child = spawn(
      process.execPath,
      [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', ...tests, '--bail=1', `--maxWorkers=${options.workers}`],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk.toString()));
    const late = setTimeout(() => child.kill('SIGTERM'), 20 * 60_000);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) return done(undefined);
      // oxlint-disable-next-line no-control-regex
      const [, name] = /FAIL\s+(.*)/.exec(said.replaceAll(/\u001b\[[0-9;]*m/g, '')) ?? [];
      done(name ?? (signal === null ? 'the server does not run' : 'it does not end'));
    });
  });

const folder = makeCopy();
try {
  execFileSync(process.execPath, [join(folder, 'scripts/build.mjs'), '--stale', 'server'], {
    cwd: folder,
    stdio: 'inherit',
  });
  const bundle = join(
    folder,
    'server/dist',
    readdirSync(join(folder, 'server/dist')).find((name) => /^server-.*\.cjs$/.test(name)),
  );
  const whole = readFileSync(bundle, 'utf8');
  const lines = whole.split('\n');
  const places = options.in.split(',');
  const candidates = linesOfServer(bundle, lines).filter(({ source }) =>
    places.some((place) => source.startsWith(place)),
  );
  // V8 would take what it compiled of the bundle as it was.
  rmSync(`${bundle}.compiled`, { force: true });
  const only = options.only?.split(',').map(Number);
  let [tried, caught] = [0, 0];
  for (let number = 1; number <= Number(options.count); ) {
    const { at, source, line } = candidates[below(candidates.length)];
    const text = changed(lines[at]);
    if (text === undefined || text === lines[at]) continue;
    const code = lines.with(at, text).join('\n');
    if (!parses(code)) continue;
    const which = number;
    number += 1;
    if (only !== undefined && !only.includes(which)) continue;
    console.log(`\n${which}. ${source}:${line}\n   - ${lines[at].trim()}\n   + ${text.trim()}`);
    if (options.list) continue;
    writeFileSync(bundle, code);
    const tests = options.tests?.split(',') ?? testsOf(folder, source);
    const begun = Date.now();
    const by = await runTests(folder, tests);
    tried += 1;
    if (by !== undefined) caught += 1;
    const seconds = Math.round((Date.now() - begun) / 1_000);
    console.log(
      by === undefined ? `   SURVIVED ${tests.length} test files, ${seconds} s` : `   caught in ${seconds} s: ${by}`,
    );
  }
  console.log(`\n${caught} of ${tried} changes were caught (seed ${options.seed})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
