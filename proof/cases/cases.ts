// Every case: `npm test` takes one case of each kind where a rule has many (test/support/cases.ts). Here the same tests run
// with all of them. They choose by themselves; the seed is not theirs.
// There is no test of the short version: that is `npm test`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome, Part, Setting } from '../part.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** The test files that have more cases than `npm test` takes. */
const filesWithCases = (): string[] =>
  readdirSync(join(root, 'test/api'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/api/${name}`)
    .filter((path) => readFileSync(join(root, path), 'utf8').includes("from '../support/cases.ts'"));

const runTests = (files: string[], report: string, say: (line: string) => void): Promise<void> =>
  new Promise((done, fail) => {
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...files,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { cwd: root, env: { ...process.env, TEST_CASES: 'all' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\n')) if (/^\s*\S*[✓❯×]\S* \S*test\//.test(line)) say(line.trim());
    });
    child.once('error', fail);
    child.once('close', () => done());
  });

const run = async ({ scale, say }: Setting): Promise<Outcome> => {
  const files = scale === 'full' ? filesWithCases() : filesWithCases().slice(0, 1);
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-cases-'));
  try {
    const file = join(folder, 'report.json');
    await runTests(files, file, say);
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failures = [
      ...testResults
        .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
        .map(({ name, message }) => `${name}: ${message}`),
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ''}`),
    ];
    // A file that did not even load is in no report.
    if (testResults.length < files.length)
      failures.push(`${files.length - testResults.length} of ${files.length} test files did not run`);
    return {
      figures: {
        'Test files': testResults.length,
        Tests: tests.length,
        'Tests that passed': tests.filter(({ status }) => status === 'passed').length,
        'Tests that failed': failures.length,
      },
      failures: failures.slice(0, 100),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const cases: Part = { name: 'cases', title: 'Every case', run };
