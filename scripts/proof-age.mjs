// Whether the last full run of each part of the proof is younger than what it proves: `npm run proof -- --check`. `npm run check` warns.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** What each part proves: a change there makes its last run too old. A test compares the names with the parts. */
export const proves = {
  kill: [
    'server/db',
    'server/pipeline',
    'server/work',
    'server/realtime',
    'server/domain/feed',
    'server/domain/record/write',
    'server/domain/notification',
    'server/domain/plan',
  ],
  concurrency: [
    'server/pipeline',
    'server/catalog',
    'server/domain/record',
    'server/domain/field',
    'server/domain/view',
    'server/realtime',
    'server/domain/feed',
  ],
  fuzz: ['contract', 'server/endpoint', 'server/http'],
  formula: ['server/domain/formula', 'server/domain/cell'],
  conversion: ['server/domain/field', 'server/domain/cell', 'server/domain/computed', 'server/domain/view'],
  cases: ['contract', 'server', 'test/api', 'test/support'],
  links: ['server/domain/computed', 'server/domain/field', 'server/domain/record/write', 'server/domain/trash'],
  injection: ['server/db', 'server/domain/query', 'server/domain/cell', 'server/domain/mail'],
  intrusion: [
    'server/http',
    'server/endpoint',
    'server/domain/auth',
    'server/domain/access-token',
    'server/domain/oauth',
    'server/domain/invitation',
    'server/domain/file',
    'server/domain/import',
    'server/domain/billing',
    'server/domain/cell',
    'server/domain/history',
    'server/domain/record',
    'server/domain/share',
  ],
  isolation: [
    'server/catalog',
    'server/http',
    'server/realtime',
    'server/domain/feed',
    'server/domain/collaborator',
    'server/domain/share',
    'server/domain/sql-access',
  ],
  authorisation: ['contract', 'server/endpoint', 'server/http', 'server/domain/access-token', 'server/domain/oauth'],
  scopes: ['contract', 'server/endpoint', 'server/http', 'server/domain'],
  rights: ['server/catalog', 'server/domain', 'server/realtime', 'server/pipeline'],
  overload: ['server/http', 'server/db', 'server/pipeline'],
  rolling: ['server/cli', 'server/http', 'server/realtime', 'server/domain/feed', 'server/db'],
  automation: ['server/domain/automation', 'server/domain/feed', 'server/work', 'server/pipeline'],
  webhook: ['server/domain/webhook', 'server/domain/feed', 'server/work'],
  fairness: [
    'server/work',
    'server/domain/feed',
    'server/domain/webhook',
    'server/domain/automation',
    'server/domain/import',
  ],
  backup: ['server/domain/backup', 'server/db/migrations', 'server/db/base-migrations'],
  upgrade: ['server/db'],
  dependencies: ['package-lock.json'],
};

const gitIn =
  (folder) =>
  (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };

/** Commits that change nothing but how the sources look. */
const withoutMeaning = (folder) => {
  const file = join(folder, '.git-blame-ignore-revs');
  return existsSync(file) ? (readFileSync(file, 'utf8').match(/^[0-9a-f]{40}$/gm) ?? []) : [];
};

/** The last commit since another that changed one of the paths; tests beside the code do not count. */
const lastChange = (git, ignored, since, paths) =>
  (git('log', '--no-merges', '--format=%H %cs %s', `${since}..HEAD`, '--', ...paths, ':(exclude)*.test.ts') ?? '')
    .split('\n')
    .find((line) => line !== '' && !ignored.includes(line.slice(0, 40)));

/**
 * A line for each part that is too old or never ran in full. Undefined where the history does not say: without git, and in a clone
 * that does not reach back.
 */
export const oldParts = (folder = root, table = proves) => {
  const git = gitIn(folder);
  if (git('rev-parse', '--is-shallow-repository') !== 'false') return undefined;
  const ignored = withoutMeaning(folder);
  return Object.entries(table).flatMap(([name, paths]) => {
    const file = join(folder, `proof/results/${name}.json`);
    if (!existsSync(file)) return [`${name}: no full run yet`];
    const { date, commit, failures } = JSON.parse(readFileSync(file, 'utf8'));
    if (failures.length > 0) return [`${name}: the last full run, on ${date}, failed`];
    const ran = commit.replace('+', '');
    const last = `${name}: the last full run was on ${date} at ${ran}`;
    if (git('merge-base', '--is-ancestor', ran, 'HEAD') === undefined)
      return [`${last}, which is not in the history of this commit`];
    const change = lastChange(git, ignored, ran, [...paths, `proof/${name}`]);
    return change === undefined ? [] : [`${last}; since then ${change.slice(0, 10)} ${change.slice(41)}`];
  });
};
