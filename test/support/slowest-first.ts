// The order of test files. First those that put other timers in the place of the real ones: a worker that has begun to run
// servers must not get one of them, because the timers of its shared server would stand still with the rest, and whatever was
// put off meanwhile would never happen. Then those that take longest, so that no worker is left alone with one in the end.
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first. */
const slow = [
  'test/api/access-matrix',
  'test/api/field-convert',
  'test/api/link-scale',
  'test/api/sight',
  'test/api/link-restore',
  'test/api/link-property',
  'test/api/deadlock',
  'test/api/extremes',
  'test/api/link-convert',
  'test/api/link',
  'test/api/billing-stripe',
  'test/api/long-text',
  'test/api/formula',
  'test/api/lookup',
  'test/api/query-equivalence',
  'test/api/formula-places',
  'test/api/billing',
  'test/api/oauth-refused',
  'test/api/record-concurrency',
  'test/api/time-zone',
  'test/api/attachment',
  'test/api/backup',
  'test/api/event-storm',
  'test/api/write-once',
  'test/api/template',
  'test/api/history',
  'test/api/conditional-lookup',
  'test/api/link-rules',
  'test/api/link-concurrency',
  'test/api/notification',
  'test/api/base-version',
  'test/api/trash',
  'test/api/table',
  'test/api/export',
  'test/api/share',
  'test/api/event',
  'test/api/field',
  'test/api/link-statements',
  'test/api/admission',
  'test/api/base',
  'test/api/plan',
  'test/api/import',
  'test/api/teable-record',
  'test/api/auth',
  'test/api/audit-actions',
  'test/api/invitation',
  'test/api/base-file',
  'test/api/collaborator',
  'test/api/view',
  'test/api/field-trash',
  'test/api/comment',
  'test/api/backup-tampered',
  'test/api/quota',
  'test/api/connection',
  'test/api/event-replay',
  'test/api/record-together',
  'test/api/teable-link',
  'test/api/query',
  'test/api/teable-table',
  'test/api/rate-limit',
  'test/api/record-property',
  'test/api/record',
  'test/api/statement-plan',
  'test/api/background-errors',
  'test/api/bad-input',
  'test/api/undo',
  'test/api/link-picker',
  'test/api/record-order',
  'test/api/teable-workspace',
  'test/api/access-epoch',
  'test/api/account-mail',
  'test/api/job',
  'test/api/selection',
  'test/api/record-trash',
  'test/api/access-token',
  'test/crash/crash',
  'test/crash/recipes',
  'test/proof/kill',
  'test/crash/stop',
  'test/crash/refusal',
  'test/proof/concurrency',
  'test/proof/isolation',
  'test/proof/fuzz',
  'test/proof/upgrade',
  'test/crash/server-role',
  'test/proof/injection',
  'test/crash/jobs',
  'test/crash/sql-access',
  'test/proof/links',
  'test/crash/history',
  'test/proof/formula',
];

const changesTimers = (path: string): boolean => /(^|void )\s*vi\.useFakeTimers\(/m.test(readFileSync(path, 'utf8'));

const rank = ({ moduleId }: TestSpecification): number => {
  if (changesTimers(moduleId)) return -1;
  const at = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at === -1 ? slow.length : at;
};

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map((file) => [file, rank(file)]));
    const rankOf = (file: TestSpecification): number => ranks.get(file) as number;
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
