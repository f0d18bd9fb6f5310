// The order of test files: those that take longest come first, so that no worker is left alone with one in the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first. */
const slow = [
  'test/api/access-matrix',
  'test/api/extremes',
  'test/api/field-convert',
  'test/api/recipes',
  'test/api/record-concurrency',
  'test/api/billing',
  'test/api/backup',
  'test/api/quota',
  'test/api/admission',
  'test/api/time-zone',
  'test/api/sight',
  'test/api/auth',
  'test/api/query-equivalence',
  'test/api/background-errors',
  'test/api/bad-input',
  'test/api/record-property',
  'test/api/write-once',
  'test/api/billing-stripe',
  'test/api/record-together',
  'test/crash/stop',
  'test/crash/crash',
  'test/crash/refusal',
  'test/crash/history',
  'test/proof/backup',
  'test/crash/quota',
  'test/crash/notification',
  'test/proof/kill',
  'test/proof/injection',
  'test/proof/concurrency',
  'test/proof/isolation',
  'test/proof/overload',
  'test/proof/fuzz',
  'test/proof/rolling',
  'test/proof/intrusion',
  'test/proof/upgrade',
  'test/crash/jobs',
  'test/crash/sql-access',
  'test/crash/first-start',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at === -1 ? slow.length : at;
};

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
