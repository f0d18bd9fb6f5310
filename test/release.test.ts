// What releases Rowhouse elsewhere, kept equal to what is here: none of it can be run in a test.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checksums, faultsOf, notesOf } from '../scripts/release.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const json = <T>(name: string): T => JSON.parse(read(name)) as T;

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
}
interface Workflow {
  on: { push: { tags?: string[]; branches?: string[] } };
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { needs?: string | string[]; permissions?: Record<string, string>; 'timeout-minutes': number; steps: Step[] }
  >;
}

const folder = '.github/workflows';
const names = readdirSync(join(root, folder));
const workflows = names.map((name) => ({
  name,
  text: read(`${folder}/${name}`),
  content: parse(read(`${folder}/${name}`)) as Workflow,
}));
const steps = workflows.flatMap(({ name, content }) =>
  Object.entries(content.jobs).flatMap(([job, one]) => one.steps.map((step) => ({ where: `${name}, ${job}`, step }))),
);
const release = workflows.find(({ name }) => name === 'release.yml')?.content as Workflow;
const runsOf = (job: string): string[] => (release.jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? []);

test('every action is pinned by the hash of a commit, with its version beside it', () => {
  expect(names.toSorted()).toEqual(['ci.yml', 'release.yml']);
  const used = steps.flatMap(({ step }) => step.uses ?? []);
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((one) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(one))).toEqual([]);
  const lines = workflows.flatMap(({ text }) => text.split('\n').filter((line) => /\buses:/.test(line)));
  expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  // One version of each.
  const versions = new Map<string, Set<string>>();
  for (const one of used) {
    const [action = '', hash = ''] = one.split('@');
    versions.set(action, (versions.get(action) ?? new Set()).add(hash));
  }
  expect([...versions].filter(([, hashes]) => hashes.size > 1)).toEqual([]);
});

test('every script that a workflow calls is there', () => {
  const { scripts } = json<{ scripts: Record<string, string> }>('package.json');
  const runs = steps.flatMap(({ step, where }) => (step.run === undefined ? [] : [{ run: step.run, where }]));
  const files = runs.flatMap(({ run, where }) =>
    [...run.matchAll(/\b((?:scripts|docs|deploy)\/[\w./-]+)/g)].map(([, path]) => ({ path: path as string, where })),
  );
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  const called = runs.flatMap(({ run }) => [
    ...[...run.matchAll(/\bnpm run (\w+)/g)].map(([, name]) => name as string),
    ...(/\bnpm test\b/.test(run) ? ['test'] : []),
  ]);
  expect(called.length).toBeGreaterThan(2);
  expect(called.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('no secret is in a workflow, a pull request may only read, and nothing that somebody writes is run', () => {
  for (const { name, text, content } of workflows) {
    expect(text, name).not.toMatch(/\bsecrets\./);
    expect(text, name).not.toContain('pull_request_target');
    expect(content.permissions, name).toEqual({ contents: 'read' });
    for (const [job, one] of Object.entries(content.jobs))
      expect(one['timeout-minutes'], `${name}, ${job}`).toBeGreaterThan(0);
  }
  const ci = workflows.find(({ name }) => name === 'ci.yml')?.content as Workflow;
  expect(Object.values(ci.jobs).filter(({ permissions }) => permissions !== undefined)).toEqual([]);
  // Titles, names of branches and tags are what others write: in a shell they come as variables.
  const inserted = steps.flatMap(({ step }) =>
    [...(step.run ?? '').matchAll(/\$\{\{([^}]*)\}\}/g)].map(([, text]) => (text as string).trim()),
  );
  expect(
    inserted.filter(
      (text) => !/^matrix\.\w+$|^contains\(github\.ref_name, '-'\) && '[\w-]+' \|\| '[\w-]*'$/.test(text),
    ),
  ).toEqual([]);
  const checkouts = steps.filter(({ step }) => step.uses?.startsWith('actions/checkout@'));
  expect(checkouts.filter(({ step }) => String(step.with?.['persist-credentials']) !== 'false')).toEqual([]);
});

test('a tag is released after all tests, with checksums, materials, provenance and what has changed', () => {
  expect(release.on.push.tags).toEqual(['v*']);
  expect(runsOf('check')).toEqual(
    expect.arrayContaining([
      'node scripts/release.mjs check "$GITHUB_REF_NAME"',
      'npm run check',
      'npm test',
      'node scripts/test-package.mjs',
    ]),
  );
  expect(release.jobs['package']?.needs).toBe('check');
  expect(release.jobs['image']?.needs).toBe('check');
  expect(release.jobs['publish']?.needs).toEqual(['package', 'image']);
  const made = runsOf('package').join('\n');
  for (const part of [
    'scripts/package.mjs release',
    'docs/sbom.cdx.json',
    'release.mjs checksums release',
    'release.mjs notes',
    'helm package deploy/chart',
  ])
    expect(made).toContain(part);
  for (const job of ['package', 'image']) {
    expect(release.jobs[job]?.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    expect(release.jobs[job]?.steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'))).toBe(
      true,
    );
  }
  const published = runsOf('publish').join('\n');
  expect(published).toContain('sha256sum --check SHA256SUMS');
  expect(published).toMatch(/npm publish "\.\/release\/rowhouse-\$\{GITHUB_REF_NAME#v\}\.tgz" --provenance/);
  expect(published).toContain('--notes-file notes.md');
  // The name that `npm pack` gives the archive.
  expect(read('scripts/package.mjs')).toContain("name: 'rowhouse',\n    version: server.version,");
});

test('the version is the same everywhere, a release needs its date in the changelog, and its notes are those of its heading', () => {
  const { version } = json<{ version: string }>('server/package.json');
  const changelog = read('CHANGELOG.md');
  const dated = changelog.replace(`## ${version}, unreleased`, `## ${version}, 2026-01-31`);
  expect(faultsOf(`v${version}`, dated)).toEqual([]);
  if (dated !== changelog)
    expect(faultsOf(`v${version}`)).toEqual([`CHANGELOG.md calls ${version} unreleased: put the date there`]);
  expect(faultsOf('v99.0.0').length).toBeGreaterThan(8);
  for (const tag of ['1.0.0', 'v1.0', 'v01.0.0', 'v1.0.0+build', 'main']) expect(faultsOf(tag)).toHaveLength(1);
  const two = '# Changelog\n\n## 0.2.0, 2026-02-01\n\n- Second.\n\n## 0.1.0, 2026-01-01\n\n- First.\n';
  expect(notesOf('0.2.0', two)).toBe('- Second.');
  expect(notesOf('0.1.0', two)).toBe('- First.');
  expect(notesOf('0.3.0', two)).toBeUndefined();
});

test('checksums are those that sha256sum takes', () => {
  const place = mkdtempSync(join(tmpdir(), 'rowhouse-release-'));
  try {
    for (const name of ['one.tgz', 'two.json']) writeFileSync(join(place, name), name);
    checksums(place);
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: place, encoding: 'utf8' })).toBe(
      'one.tgz: OK\ntwo.json: OK\n',
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
