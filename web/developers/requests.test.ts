import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { examplesFor } from './requests.ts';

const field = (name: string, type: string, options: object = {}): Field =>
  ({ id: `fld${name}`, name, type, options }) as unknown as Field;

test('the example of a new record names only cells that the server takes', () => {
  const fields = [
    field('Name', 'singleLineText'),
    field('Files', 'attachment'),
    field('Person', 'user'),
    field('Link', 'link'),
    field('Empty', 'singleSelect', { choices: [] }),
    field('State', 'singleSelect', { choices: [{ name: 'open' }] }),
    field('Stars', 'rating', { max: 2 }),
  ];
  const create = examplesFor('https://example.com', 'tbl1', fields).find(({ title }) => title === 'Create records');
  const body = /-d '([\s\S]*)'/.exec(create?.code.curl ?? '')?.[1];
  expect(JSON.parse(body ?? '')).toEqual({ records: [{ fields: { Name: 'Some text', State: 'open', Stars: 2 } }] });
});
