import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import type { BasePerson } from '../../record-data/queries.ts';
import { user } from './user-type.ts';

const people = [
  { id: 'usrA', name: 'Ada', email: 'ada@example.com' },
  { id: 'usrG', name: 'Grace', email: 'grace@example.com' },
] as BasePerson[];
const field = (isMultiple: boolean): Field => ({ name: 'Who', options: { isMultiple } }) as unknown as Field;
const [ada, grace] = people.map(({ id, name, email }) => ({ id, title: name, email }));

test('people are found by name or address, one or as many as the field holds', () => {
  expect(user.read?.(field(false), 'ada', people)).toEqual({ ok: true, value: ada });
  expect(user.read?.(field(true), 'Ada, grace@example.com', people)).toEqual({ ok: true, value: [ada, grace] });
  expect(user.read?.(field(false), 'Ada, Grace', people)).toMatchObject({ ok: false });
  expect(user.read?.(field(true), 'Ada, Nobody', people)).toMatchObject({ ok: false });
});
