// `npm test`: what one waits for; `npm run test:long`: what takes longest (test/support/long-run.ts); `npm test -- all`: both.
// One line at the end sums it up.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildApart } from './build.mjs';
import { installWhatIsMissing, root } from './install.mjs';

const part = process.argv[2] ?? 'quick';
if (!['quick', 'long', 'all'].includes(part)) {
  console.error(`There is no part "${part}": it is quick, long or all`);
  process.exit(2);
}

const binary = (name) => join(root, 'node_modules', name);
const folder = mkdtempSync(join(tmpdir(), 'rowhouse-results-'));

const run = (title, args, env = {}) =>
  new Promise((done) => {
    console.log(`\n# ${title}\n`);
    // Not the settings of the person who runs it: tests name their own.
    const own = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(ROWHOUSE_.*|DATABASE_.*|PORT|HOST|PUBLIC_URL|LOG_LEVEL|NODE_ENV)$/.test(name),
      ),
    );
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...own, ...(part === 'all' ? {} : { TEST_PART: part }), ...env },
    });
    child.once('close', (code, signal) => done(code ?? signal));
    child.once('error', (error) => done(error.message));
  });

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Named once more at the end: the part that failed may be thousands of lines above it. */
const failures = [];
const doubts = [];

/** A run that failed without a failed test (it could not start, a file did not load) counts as one failure. */
const honest = (sum, code, title) => {
  if (code === 0 || sum.failed > 0) return sum;
  failures.push(`${title} ended with ${code} although no test failed`);
  return { ...sum, failed: 1 };
};

const firstLines = (text = '') => text.split('\n').slice(0, 12).join('\n    ');

const vitest = async (title, ...more) => {
  const file = join(folder, `${title.replaceAll(' ', '-')}.json`);
  const code = await run(title, [
    binary('vitest/vitest.mjs'),
    'run',
    ...more,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const report = readReport(file) ?? {};
  const broken = (report.testResults ?? []).filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  ).length;
  for (const result of report.testResults ?? []) {
    const where = relative(root, result.name);
    const failed = result.assertionResults.filter((test) => test.status === 'failed');
    if (result.status === 'failed' && failed.length === 0) failures.push(`${where}: ${firstLines(result.message)}`);
    for (const test of failed) failures.push(`${where} › ${test.fullName}: ${firstLines(test.failureMessages[0])}`);
  }
  const sum = {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + broken,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
  return honest(sum, code, title);
};

const nameFailures = (suite) => {
  for (const spec of (suite.specs ?? []).filter((each) => !each.ok)) {
    const error = spec.tests.flatMap((test) => test.results).find((result) => result.error)?.error;
    failures.push(`test/browser/${spec.file}:${spec.line} › ${spec.title}: ${firstLines(error?.message)}`);
  }
  for (const inner of suite.suites ?? []) nameFailures(inner);
};

const playwright = async (title, ...more) => {
  const file = join(folder, 'browser.json');
  const code = await run(title, [binary('@playwright/test/cli.js'), 'test', ...more, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const report = readReport(file);
  for (const suite of report?.suites ?? []) nameFailures(suite);
  const stats = report?.stats ?? {};
  // What passed only the second time, in CI, does not fail the run, and is not to be overlooked.
  const flaky = stats.flaky ?? 0;
  if (flaky > 0) doubts.push(`${flaky} browser tests passed only the second time: see "flaky" above`);
  const sum = { passed: (stats.expected ?? 0) + flaky, failed: stats.unexpected ?? 0, skipped: stats.skipped ?? 0 };
  return honest(sum, code, title);
};

installWhatIsMissing();
// All that tests need, before any of them. Each in a process of its own: Vite keeps what it was told of one build for the next.
for (const only of [undefined, 'test programs']) buildApart({ only });
const sums = [];
try {
  // One after the other: side by side, they took longer than in turn (ADR 58).
  sums.push(await vitest('unit and API tests'));
  sums.push(
    await vitest(
      part === 'long' ? 'short proof' : 'crash tests and short proof',
      '--config',
      'test/vitest.program.config.ts',
    ),
  );
  sums.push(await playwright('browser tests'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const total = (key) => sums.reduce((sum, each) => sum + each[key], 0);
const skipped = total('skipped');
for (const failure of failures) console.log(`\nFAILED ${failure}`);
for (const doubt of doubts) console.log(`\nDOUBTFUL ${doubt}`);
process.exitCode = total('failed') === 0 ? 0 : 1;
console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
