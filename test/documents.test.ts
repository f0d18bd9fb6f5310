// Documents that repeat what the code says, kept equal to it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTable } from '@rowhouse/contract/error.ts';
import { settings } from '../server/config.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

test('the table of settings in README.md is the list in server/config.ts', () => {
  const rows = settings.map(({ name, default: value, meaning }) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning} |`);
  const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
  const found = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(read('README.md'))?.[1];
  expect(found).toBe(table);
});

test('docs/errors.md is the table in contract/error.ts', () => {
  const rows = Object.entries(errorTable).map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`);
  const table = ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n');
  expect(read('docs/errors.md')).toContain(`\n${table}\n`);
});
