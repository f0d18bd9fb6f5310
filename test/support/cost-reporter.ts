// CPU time per test file and test, children and PostgreSQL included: `TEST_CPU_COUNTER=<file> npx vitest run --maxWorkers=1
// --reporter=./test/support/cost-reporter.ts`. The file holds nanoseconds, as `cpuacct.usage` of the control group that the
// run was started in. With more than one worker the numbers would be those of whatever ran meanwhile.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

interface Cost {
  seconds: number;
  name: string;
}

const counter = process.env['TEST_CPU_COUNTER'] ?? '/sys/fs/cgroup/cpuacct/cpuacct.usage';
const smallestShown = 0.3;

const longestFirst = (one: Cost, other: Cost): number => other.seconds - one.seconds;
const line = ({ seconds, name }: Cost): string => `${seconds.toFixed(2).padStart(8)}  ${name}`;

// oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter by its default export.
export default class CostReporter implements Reporter {
  private last = 0;
  private readonly tests: Cost[] = [];
  private readonly files = new Map<string, Cost>();

  /** What was used since the last call. */
  private sinceLast(): number {
    const now = Number(readFileSync(counter, 'utf8')) / 1e9;
    const seconds = now - this.last;
    this.last = now;
    return seconds;
  }

  private add(module: TestModule, what: string): void {
    const file = relative(process.cwd(), module.moduleId);
    const seconds = this.sinceLast();
    const cost = this.files.get(file) ?? { seconds: 0, name: file };
    cost.seconds += seconds;
    this.files.set(file, cost);
    if (seconds >= smallestShown) this.tests.push({ seconds, name: `${file} › ${what}` });
  }

  onTestRunStart(): void {
    this.sinceLast();
  }

  onTestModuleStart(module: TestModule): void {
    this.add(module, '(loading, collecting)');
  }

  onTestCaseReady(test: TestCase): void {
    this.add(test.module, '(before tests)');
  }

  onTestCaseResult(test: TestCase): void {
    this.add(test.module, test.fullName);
  }

  onTestModuleEnd(module: TestModule): void {
    this.add(module, '(after tests)');
  }

  onTestRunEnd(): void {
    const files = [...this.files.values()];
    console.log(files.toSorted(longestFirst).map(line).join('\n'));
    console.log(`\n${this.tests.toSorted(longestFirst).map(line).join('\n')}`);
    console.log(`\n${line({ seconds: files.reduce((sum, { seconds }) => sum + seconds, 0), name: 'in all' })}`);
  }
}
