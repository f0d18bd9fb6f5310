// The order of test files: those that take longest come first, so that no worker is left alone with one in the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first. */
const slow = [
  'test/api/access-matrix',
  'test/api/field-convert',
  'test/api/recipes',
  'test/api/extremes',
  'test/api/billing',
  'test/api/sight',
  'test/api/link',
  'test/api/formula',
  'test/api/record-concurrency',
  'test/api/backup',
  'test/api/long-text',
  'test/api/attachment',
  'test/api/link-concurrency',
  'test/api/background-errors',
  'test/api/export',
  'test/api/billing-stripe',
  'test/api/trash',
  'test/api/lookup',
  'test/api/undo',
  'test/api/query-equivalence',
  'test/api/time-zone',
  'test/api/event-storm',
  'test/api/admission',
  'test/api/field',
  'test/api/job',
  'test/api/auth',
  'test/api/backup-tampered',
  'test/api/base-version',
  'test/api/write-once',
  'test/api/collaborator',
  'test/api/event-replay',
  'test/api/quota',
  'test/api/record-trash',
  'test/api/access-epoch',
  'test/proof/kill',
  'test/proof/intrusion',
  'test/crash/stop',
  'test/proof/backup',
  'test/crash/refusal',
  'test/crash/crash',
  'test/proof/fuzz',
  'test/crash/notification',
  'test/crash/quota',
  'test/proof/upgrade',
  'test/crash/history',
  'test/crash/sql-access',
  'test/crash/jobs',
  'test/proof/overload',
  'test/proof/isolation',
  'test/crash/server-role',
  'test/proof/concurrency',
  'test/proof/rolling',
  'test/crash/first-start',
  'test/proof/injection',
  'test/proof/formula',
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
