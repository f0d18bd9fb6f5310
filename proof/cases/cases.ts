// Every case: `npm test` takes one case of each kind where a rule has many, and leaves some tests to the proof
// (test/support/cases.ts). Here the same tests run with all of them. They choose by themselves; the seed is not theirs.
// There is no test of the short version: that is `npm test`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proofOnly } from '../../test/support/proof-only.ts';
import type { Outcome, Part, Setting } from '../part.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What came of some test files. */
interface Sum {
  files: number;
  passed: number;
  failures: string[];
}

/** Where it is said elsewhere what `npm test` leaves to the proof: test/crash/vitest.config.ts and test/support/proof-only.ts. */
const leftOut = new Set([
  'test/crash/recipes.test.ts',
  ...Object.keys(proofOnly).map((name) => `test/browser/${name}.test.ts`),
]);

/** Tests beside the server that have more cases. */
const beside = ['server/domain/cell/kind/number.test.ts'];

/** The test files of a folder that have more cases than `npm test` takes. */
const filesWithCases = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .filter(
      (path) => leftOut.has(path) || readFileSync(join(root, path), 'utf8').includes("from '../support/cases.ts'"),
    );

const runProgram = (args: string[], env: Record<string, string>, say: (line: string) => void): Promise<void> =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env, TEST_CASES: 'all' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\n')) if (/^\s*\S*[✓✘❯×]\S* .*test\//.test(line)) say(line.trim());
    });
    child.once('error', fail);
    child.once('close', () => done());
  });

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

const vitest = async (
  files: readonly string[],
  report: string,
  config: string,
  say: (line: string) => void,
): Promise<Sum> => {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  await runProgram([program, 'run', ...files, '--config', config, ...reporters], {}, say);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    files: testResults.length,
    passed: tests.filter(({ status }) => status === 'passed').length,
    failures: [
      ...testResults
        .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
        .map(({ name, message }) => `${name}: ${message}`),
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ''}`),
    ],
  };
};

interface BrowserSuite {
  specs?: { title: string; file: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
  suites?: BrowserSuite[];
}

const specsOf = (suite: BrowserSuite): NonNullable<BrowserSuite['specs']> => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(specsOf),
];

const playwright = async (files: readonly string[], report: string, say: (line: string) => void): Promise<Sum> => {
  const program = join(root, 'node_modules/@playwright/test/cli.js');
  await runProgram([program, 'test', ...files, '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, say);
  const specs = specsOf(JSON.parse(readFileSync(report, 'utf8')) as BrowserSuite);
  const failed = specs.filter(({ ok }) => !ok);
  const errorOf = ({ tests }: (typeof specs)[number]): string =>
    tests.flatMap(({ results }) => results).find(({ error }) => error !== undefined)?.error?.message ?? '';
  return {
    files: new Set(specs.map(({ file }) => file)).size,
    passed: specs.length - failed.length,
    failures: failed.map((spec) => `${spec.title}: ${errorOf(spec)}`),
  };
};

const run = async ({ scale, say }: Setting): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-cases-'));
  const [api, programs, browser] = ['test/api', 'test/crash', 'test/browser'].map(filesWithCases) as [
    string[],
    string[],
    string[],
  ];
  const groups = [
    [
      [...api, ...beside],
      (files: readonly string[]) => vitest(files, join(folder, 'api.json'), 'vitest.config.ts', say),
    ],
    [
      programs,
      (files: readonly string[]) => vitest(files, join(folder, 'programs.json'), 'test/crash/vitest.config.ts', say),
    ],
    [browser, (files: readonly string[]) => playwright(files, join(folder, 'browser.json'), say)],
  ] as const;
  try {
    const sum: Sum = { files: 0, passed: 0, failures: [] };
    for (const [files, runFiles] of scale === 'full' ? groups : ([[api.slice(0, 1), groups[0][1]]] as const)) {
      const { files: ran, passed, failures } = await runFiles(files);
      sum.files += ran;
      sum.passed += passed;
      sum.failures.push(...failures);
      // A file that did not even load is in no report.
      if (ran < files.length) sum.failures.push(`${files.length - ran} of ${files.length} test files did not run`);
    }
    return {
      figures: {
        'Test files': sum.files,
        'Tests that passed': sum.passed,
        'Tests that failed': sum.failures.length,
      },
      failures: sum.failures.slice(0, 100),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const cases: Part = { name: 'cases', title: 'Every case', run };
