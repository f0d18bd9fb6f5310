// Documents that repeat what the code says, kept equal to it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionHelp, type FunctionHelp } from '@rowhouse/contract/formula.ts';
import { messageFaults } from '../scripts/commit-messages.mjs';
import { errorTable } from '@rowhouse/contract/error.ts';
import { fieldTypes } from '@rowhouse/contract/field.ts';
import type { Setting } from '../server/config-value.ts';
import { settings } from '../server/settings.ts';
import { fieldTypeOf } from '../server/domain/cell/types.ts';
import { longFiles, longTitles } from './support/long-run.ts';
import { proofOnly } from './support/proof-only.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const settingsIn = (name: string): string | undefined =>
  /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(read(name))?.[1];
const settingsTable = (shown: readonly Setting[]): string => {
  const rows = shown.map(
    ({ name, default: value, meaning }) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
};

test('the table of settings in the guide is the list in server/settings.ts', () => {
  expect(settingsIn('docs/guide/settings.md')).toBe(settingsTable(settings));
});

test('the guide names every setting that can be read from a file', () => {
  const named = /<!-- secrets -->\n([\s\S]*?)\n<!-- \/secrets -->/.exec(read('docs/guide/settings.md'))?.[1];
  const secrets = settings.filter(({ isSecret }) => isSecret).map(({ name }) => `\`${name}_FILE\``);
  expect(named).toBe(`${secrets.join(', ')}.`);
});

test('the README shows the five settings that people change, as they are in server/settings.ts', () => {
  const five = ['HOST', 'PORT', 'DATABASE_URL', 'PUBLIC_URL', 'ROWHOUSE_SIGNUP'];
  expect(settingsIn('README.md')).toBe(
    settingsTable(five.map((name) => settings.find((one) => one.name === name) as Setting)),
  );
});

test('the guide has every field type, with every option it can be given', () => {
  const table =
    /<!-- field types -->\n([\s\S]*?)\n<!-- \/field types -->/.exec(read('docs/guide/tables.md'))?.[1] ?? '';
  const rows = new Map(
    table
      .split('\n')
      .slice(2)
      .map((row) => [/^\| `(\w+)`/.exec(row)?.[1], row]),
  );
  expect([...rows.keys()]).toEqual(fieldTypes);
  const missing = fieldTypes.flatMap((type) => {
    const { properties } = fieldTypeOf(type).optionsSchema as unknown as { properties: Record<string, unknown> };
    return Object.keys(properties)
      .filter((option) => !rows.get(type)?.includes(`\`${option}\``))
      .map((option) => `${type}.${option}`);
  });
  expect(missing).toEqual([]);
});

test('documents link to files that are there', () => {
  const below = ['docs/guide', 'docs/adr'].flatMap((folder) =>
    readdirSync(new URL(`../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`),
  );
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'docs/glossary.md',
    'docs/errors.md',
    ...below,
  ];
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
      .map(([, target]) => target as string)
      .filter(
        (target) =>
          !/^https?:/.test(target) && !existsSync(new URL(target, new URL(`../${document}`, import.meta.url))),
      )
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the index of decisions has every decision, once', () => {
  const files = readdirSync(new URL('../docs/adr', import.meta.url)).filter((name) => name !== 'README.md');
  const listed = [...read('docs/adr/README.md').matchAll(/^\| \[\d+\]\(([^)]+)\)/gm)].map(([, name]) => name as string);
  expect(listed.toSorted()).toEqual(files.toSorted());
});

test('docs/errors.md is the table in contract/error.ts', () => {
  const rows = Object.entries(errorTable).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  const table = ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n');
  expect(read('docs/errors.md')).toContain(`\n${table}\n`);
});

const functionRow = ({ name, values, help, example }: FunctionHelp): string => {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return `| \`${cell(`${name}(${values.join(', ')})`)}\` | ${cell(help)} | \`${cell(example[0])}\` → ${example[1] === null ? 'empty' : `\`${cell(JSON.stringify(example[1]))}\``} |`;
};

test('docs/guide/formulas.md lists the functions of contract/formula.ts', () => {
  const groups = [...new Set(functionHelp.map(({ group }) => group))];
  const tables = groups.map((group) =>
    [
      `### ${group}`,
      '',
      '| | | |',
      '|---|---|---|',
      ...functionHelp.filter((help) => help.group === group).map(functionRow),
    ].join('\n'),
  );
  const found = /<!-- functions -->\n([\s\S]*?)\n?<!-- \/functions -->/.exec(read('docs/guide/formulas.md'))?.[1];
  expect(found).toBe(tables.join('\n\n'));
});

test.each(['A field type', 'A view type'])('the recipe for %s takes three files or fewer on each side', (title) => {
  const recipe =
    read('CONTRIBUTING.md')
      .split(/^### /m)
      .find((part) => part.startsWith(title)) ?? '';
  const files = new Set([...recipe.matchAll(/^ *```\w+ (\S+\/\S+)$/gm)].map(([, name]) => name as string));
  const ofApp = [...files].filter((name) => name.startsWith('web/')).length;
  expect([ofApp > 0 && ofApp <= 3, files.size > ofApp && files.size - ofApp <= 3]).toEqual([true, true]);
});

/** Words of an older English that readers stumble over, and sentences that said too little. `letters` are characters here, never e-mails. */
const banned = [
  /\bwhoever\b/i,
  /\banew\b/i,
  /is there twice/i,
  /as much to do as/i,
  /of what is no JSON/i,
  /mail\.letters|cutOffTheDeaf|with-room|base-tail|embedded-hold/,
];

test('code and documents are in plain English', () => {
  const root = new URL('../', import.meta.url);
  const files = ['contract', 'server', 'web', 'docs', 'test', 'proof', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs|md)$/.test(name) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const own = 'test/documents.test.ts';
  const found = [
    ...files.filter((name) => name !== own),
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ].flatMap((name) => {
    const text = read(name);
    return banned.filter((word) => word.test(text)).map((word) => `${name}: ${word.source}`);
  });
  expect(files.length).toBeGreaterThan(800);
  expect(found).toEqual([]);
});

test('of every bench and every part of the proof the last result is kept, and no other', () => {
  const results = readdirSync(new URL('../bench/results', import.meta.url)).map(
    (name) => /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(name) ?? ['', '', name],
  );
  const kinds = results.map(([, , kind]) => kind as string);
  expect(
    kinds
      .filter((kind, at) => kinds.indexOf(kind) !== at)
      .map((kind) => `bench/results: delete all but the newest of ${kind}`),
  ).toEqual([]);
  const parts = readdirSync(new URL('../proof', import.meta.url));
  expect(
    readdirSync(new URL('../proof/results', import.meta.url)).filter(
      (name) => !parts.includes(name.replace(/\.json$/, '')),
    ),
  ).toEqual([]);
});

test('a message of a commit names its kind, is short, and says why', () => {
  expect(messageFaults('fix(share): count wrong passwords only\n\nRight ones shut everybody out.')).toEqual([]);
  expect(messageFaults('docs: list the decisions by subject')).toEqual([]);
  expect(messageFaults('perf(list): read half as much')).toEqual(['says in its body why, and how it was verified']);
  expect(messageFaults('Fixed the list')).toHaveLength(1);
  expect(messageFaults(`docs: ${'x'.repeat(67)}`)).toEqual(['has at most 72 characters in its subject, not 73']);
});

/** The browser tests of every file, by their titles. */
const browserTitles = (): Map<string, string[]> =>
  new Map(
    readdirSync(new URL('browser', import.meta.url)).map((file) => [
      file,
      [...read(`test/browser/${file}`).matchAll(/^(?:test|plain)\(\s*'((?:[^'\\]|\\.)*)'/gm)].map(
        ([, title]) => title as string,
      ),
    ]),
  );

/** Where a title begins as each of these says, beside where it should. */
const foundTitles = (
  all: Map<string, string[]>,
  listed: Readonly<Record<string, Readonly<Record<string, string>>>>,
): { left: string[][]; found: string[][][] } => {
  const left = Object.entries(listed).flatMap(([file, tests]) =>
    Object.keys(tests).map((title) => [`${file}.test.ts`, title]),
  );
  return {
    left,
    found: left.map(([, begins]) =>
      [...all].flatMap(([file, titles]) =>
        titles.filter((title) => title.includes(begins as string)).map(() => [file, begins as string]),
      ),
    ),
  };
};

test('the browser tests that are left to the proof are there, each once, and no file is left to it as a whole', () => {
  const all = browserTitles();
  const { left, found } = foundTitles(all, proofOnly);
  expect(found).toEqual(left.map((one) => [one]));
  const emptied = [...all].filter(
    ([file, titles]) => titles.length > 0 && left.filter(([name]) => name === file).length === titles.length,
  );
  expect(emptied).toEqual([]);
});

test('what runs after `npm test` is there, each once, is not left to the proof as well, and CI runs it', () => {
  const { left, found } = foundTitles(browserTitles(), longTitles);
  expect(found).toEqual(left.map((one) => [one]));
  for (const [file, begins] of left)
    expect(Object.keys(proofOnly[(file as string).replace('.test.ts', '')] ?? {})).not.toContain(begins);
  const files = Object.keys(longFiles).map((path) => `${path}.test.ts`);
  expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
  expect(read('.ci/run')).toMatch(/^npm test\nnpm run test:long\n/m);
});
