// CPU time per test file and test, children and PostgreSQL included:
// `npx vitest run --maxWorkers=1 --reporter=./test/support/cost-reporter.ts`.
// With more than one worker the numbers of a test would be those of whatever ran meanwhile. The share of PostgreSQL stands beside.
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type CpuTime, cpuTimeOfTree } from './process-cpu.ts';

interface Cost extends CpuTime {
  name: string;
}

const smallestShown = 0.2;

const sum = ({ postgres, rest }: CpuTime): number => postgres + rest;
const longestFirst = (one: Cost, other: Cost): number => sum(other) - sum(one);
const line = (cost: Cost): string =>
  `${sum(cost).toFixed(2).padStart(8)} ${cost.postgres.toFixed(2).padStart(8)}  ${cost.name}`;

const add = (to: CpuTime, more: CpuTime): void => {
  to.postgres += more.postgres;
  to.rest += more.rest;
};

// oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter by its default export.
export default class CostReporter implements Reporter {
  private readonly now = cpuTimeOfTree(process.pid);
  private last: CpuTime = { postgres: 0, rest: 0 };
  private readonly tests: Cost[] = [];
  private readonly files = new Map<string, Cost>();
  private readonly phases = new Map<string, Cost>();

  /** What was used since the last call. */
  private sinceLast(): CpuTime {
    const now = this.now();
    const used = { postgres: now.postgres - this.last.postgres, rest: now.rest - this.last.rest };
    this.last = now;
    return used;
  }

  private add(module: TestModule, what: string, phase: string): void {
    const file = relative(process.cwd(), module.moduleId);
    const used = this.sinceLast();
    for (const [sums, name] of [
      [this.files, file],
      [this.phases, phase],
    ] as const) {
      const cost = sums.get(name) ?? { postgres: 0, rest: 0, name };
      add(cost, used);
      sums.set(name, cost);
    }
    if (sum(used) >= smallestShown) this.tests.push({ ...used, name: `${file} › ${what}` });
  }

  onTestModuleStart(module: TestModule): void {
    this.add(module, '(loading, collecting)', 'loading, collecting');
  }

  onTestCaseReady(test: TestCase): void {
    this.add(test.module, '(before tests)', 'before tests');
  }

  onTestCaseResult(test: TestCase): void {
    this.add(test.module, test.fullName, 'tests');
  }

  onTestModuleEnd(module: TestModule): void {
    this.add(module, '(after tests)', 'after tests');
    // Told at once: a run may be broken off.
    console.log(line(this.files.get(relative(process.cwd(), module.moduleId)) as Cost));
  }

  onTestRunEnd(): void {
    console.log('\n     all postgres');
    for (const costs of [this.files, this.phases])
      console.log(`${[...costs.values()].toSorted(longestFirst).map(line).join('\n')}\n`);
    console.log(`${this.tests.toSorted(longestFirst).map(line).join('\n')}\n`);
    console.log(line({ ...this.now(), name: 'in all' }));
  }
}
