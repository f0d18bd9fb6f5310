// The order of test files: those that take longest come first, so that no worker is left alone with one in the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Ten seconds and more, longest first. */
const slow = [
  'test/api/access-matrix',
  'test/api/field-convert',
  'test/api/record-concurrency',
  'test/api/auth',
  'test/api/event-slow',
  'test/api/backup',
  'test/api/event-storm',
  'test/api/billing',
  'test/crash/refusal',
  'test/crash/crash',
  'test/crash/history',
  'test/crash/stop',
  'test/proof/backup',
  'test/proof/overload',
  'test/proof/kill',
  'test/crash/notification',
  'test/crash/quota',
  'test/proof/concurrency',
  'test/proof/isolation',
  'test/proof/authorisation',
  'test/proof/fuzz',
  'test/proof/upgrade',
  'test/proof/injection',
  'test/proof/rolling',
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
