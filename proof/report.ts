// What the last full run of each part saw is kept beside the parts; docs/proof.md is written from it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proves } from '../scripts/proof-age.mjs';
import type { Outcome, Part } from './part.ts';

interface Run extends Outcome {
  name: string;
  title: string;
  date: string;
  commit: string;
  seed: number;
  seconds: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(root, 'proof/results');

/** Of the code that ran: with a plus when there were changes beside it. */
export const commitOf = (): string => {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain', '--', 'server', 'contract', 'proof', ':!proof/results') === '' ? '' : '+'}`;
};

const readRuns = (parts: Part[]): Run[] => {
  const kept = new Set(readdirSync(folder));
  return parts
    .filter(({ name }) => kept.has(`${name}.json`))
    .map(({ name }) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Run);
};

const cell = (value: number | string): string =>
  typeof value === 'number' ? value.toLocaleString('en-US') : value.replaceAll('|', '\\|');

const section = ({ title, name, date, commit, seed, seconds, figures, failures }: Run): string[] => [
  `## ${title}`,
  '',
  `${failures.length === 0 ? 'Held' : `**Failed**, ${failures.length} times`} on ${date} at commit \`${commit}\`, in ${seconds.toLocaleString('en-US')} s. Again: \`npm run proof -- ${name} --seed=${seed}\``,
  '',
  `Again after a change of ${(proves[name] ?? []).map((path) => `\`${path}\``).join(', ')}.`,
  '',
  '| | |',
  '|---|---|',
  ...Object.entries(figures).map(([key, value]) => `| ${key} | ${cell(value)} |`),
  '',
  ...failures.slice(0, 20).map((failure) => `- ${failure.replaceAll('\n', ' ')}`),
  ...(failures.length === 0 ? [] : ['']),
];

/** docs/proof.md, as it follows from the runs that are kept. */
export const pageOf = (parts: Part[]): string => {
  const lines = [
    '# Proof',
    '',
    'What the last full run of each part of `npm run proof` saw. Written by the runner; do not edit.',
    'A short version of most parts runs in `npm test`; that of authorisation is the access matrix, that of rights, links and isolation in the tests of these on the server of the API tests, that of tokens the walk of what shows cells, that of conversions is in the tests of converting fields. Intrusion, overload, rolling restart, fair work, backup and every case run in full alone.',
    'Every part prints its seed; with the seed it makes the same choices again. `npm run proof -- --check` says which parts are older than the last change of what they prove; a release has none.',
    '',
    ...readRuns(parts).flatMap(section),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
};

export const keepRun = (run: Run, parts: Part[]): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${run.name}.json`), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(resolve(root, 'docs/proof.md'), pageOf(parts));
};
