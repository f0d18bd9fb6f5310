// The commands of the guides and of the README are run, and the answers they show are compared.
import { readFileSync } from 'node:fs';
import { createTable } from '@rowhouse/contract/table.ts';
import { describe, expect, test } from 'vitest';
import { exampleTable } from '../../server/domain/setup/example-table.ts';
import { differences, examplesIn, runExample } from '../support/shell-example.ts';
import { ground } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('docs/guide/api.md', () => {
  test('every command does what the page says', async () => {
    const { owner, baseId } = await ground(world());
    const variables = new Map([
      ['API', world().baseUrl],
      ['TOKEN', owner.token],
      ['BASE', baseId],
    ]);
    const examples = examplesIn(read('docs/guide/api.md'));
    expect(examples.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const { line, commands, answer } of examples) {
      const printed = await runExample(commands, variables);
      if (answer !== undefined)
        wrong.push(...differences(answer, printed).map((difference) => `line ${line}: ${difference}`));
    }
    expect(wrong).toEqual([]);
  });
});

describe('README.md', () => {
  test('the first request works against the example table', async () => {
    const { owner, baseId } = await ground(world());
    const table = await owner.call(createTable, { params: { baseId }, body: exampleTable(owner.userId) });
    const example = examplesIn(read('README.md')).find(({ commands }) => commands.includes('curl')) as {
      commands: string;
    };
    // They are read from credentials.json, which the first start of a server makes.
    const commands = example.commands
      .replace(/^(TOKEN|TABLE)=.*\n/gm, '')
      .replaceAll('http://127.0.0.1:3000', world().origin);
    const listed = (await runExample(
      commands,
      new Map([
        ['TOKEN', owner.token],
        ['TABLE', table.body.id],
      ]),
    )) as { records: unknown[] };
    expect(
      differences({ name: 'Mend the roof', fields: { Status: 'Planned', Budget: 900 } }, listed.records.at(-1)),
    ).toEqual([]);
  });
});

describe('what reads the examples', () => {
  test('shows a wrong answer', () => {
    expect(differences({ a: [{ id: 'rec…', n: 1 }] }, { a: [{ id: 'rec1', n: 1, more: true }], b: 2 })).toEqual([]);
    expect(differences({ a: [{ id: 'rec…' }] }, { a: [{ id: 'fld1' }] })).toHaveLength(1);
    expect(differences({ a: [1] }, { a: [1, 2] })).toHaveLength(1);
    expect(differences({ a: null }, {})).toHaveLength(1);
  });
});
