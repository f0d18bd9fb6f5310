// The order of test files: those that take longest come first, so that no worker is left alone with one in the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first. */
const slow = [
  'test/api/access-matrix',
  'test/api/field-convert',
  'test/api/sight',
  'test/api/extremes',
  'test/api/recipes',
  'test/api/billing',
  'test/api/link-restore',
  'test/api/link-convert',
  'test/api/backup',
  'test/api/link-property',
  'test/api/record-concurrency',
  'test/api/export',
  'test/api/long-text',
  'test/api/background-errors',
  'test/api/import',
  'test/api/time-zone',
  'test/api/formula',
  'test/api/write-once',
  'test/api/admission',
  'test/api/query-equivalence',
  'test/api/base-version',
  'test/api/auth',
  'test/api/link',
  'test/api/job',
  'test/api/collaborator',
  'test/api/trash',
  'test/api/quota',
  'test/api/attachment',
  'test/api/record-property',
  'test/api/link-statements',
  'test/api/lookup',
  'test/api/event-storm',
  'test/api/event-replay',
  'test/api/backup-tampered',
  'test/api/share',
  'test/api/field',
  'test/api/link-concurrency',
  'test/api/billing-stripe',
  'test/api/bad-input',
  'test/api/record-order',
  'test/api/selection',
  'test/api/presence',
  'test/api/import-from',
  'test/api/address-limit',
  'test/api/teable-link',
  'test/api/undo',
  'test/api/record-trash',
  'test/api/access-epoch',
  'test/crash/crash',
  'test/proof/kill',
  'test/proof/intrusion',
  'test/proof/backup',
  'test/crash/stop',
  'test/crash/refusal',
  'test/proof/concurrency',
  'test/crash/notification',
  'test/proof/rolling',
  'test/proof/isolation',
  'test/proof/fuzz',
  'test/proof/overload',
  'test/crash/first-start',
  'test/proof/upgrade',
  'test/crash/server-role',
  'test/crash/quota',
  'test/proof/injection',
  'test/crash/jobs',
  'test/crash/sql-access',
  'test/proof/links',
  'test/crash/history',
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
