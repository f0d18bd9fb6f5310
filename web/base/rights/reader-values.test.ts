import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { type PeopleTable, readerValuesFor } from './reader-values.ts';

const field = (id: string, type: string, cellValueType = 'string', more: object = {}): Field =>
  ({ id, name: id, type, cellValueType, options: {}, ...more }) as unknown as Field;

const table = (name: string, ...fields: Field[]): PeopleTable => ({ id: `tbl${name}`, name, fields });

const people = field('Person', 'user');
const client = { options: { foreignTableId: 'tblClients' } };

const labels = (tables: readonly PeopleTable[], of: Field, operator: 'is' | 'isAnyOf' | 'isNoneOf' = 'isAnyOf') =>
  readerValuesFor(tables)(of, operator).map(({ label }) => label);

test('cells of the same kind are offered, of tables that have a person field', () => {
  const staff = table('Staff', people, field('Region', 'singleSelect'), field('Level', 'number', 'number'));
  const places = table('Places', field('Region', 'singleSelect'));
  const region = field('Of', 'singleSelect');
  expect(labels([staff, places], region)).toEqual(['My Region in Staff', 'Names of my groups']);
  expect(labels([staff, places], field('Of', 'number', 'number'), 'is')).toEqual(['My Level in Staff']);
  expect(labels([staff, places], people)).toEqual(['My Person in Staff', 'People of my groups']);
  expect(labels([staff, places], field('Of', 'date', 'dateTime'), 'is')).toEqual([]);
  expect(labels([staff], region, 'isNoneOf')).toEqual([]);
});

test('links are compared with links to the same table, and with the own records of that table', () => {
  const clients = table('Clients', people, field('Deputy', 'user'));
  const staff = table('Staff', people, field('Client', 'link', 'string', client), field('Boss', 'link'));
  const link = field('Of', 'link', 'string', client);
  expect(labels([clients, staff], link)).toEqual([
    'My records in Clients (Person)',
    'My records in Clients (Deputy)',
    'My Client in Staff',
  ]);
  expect(readerValuesFor([staff])(link, 'isAnyOf')[0]?.value).toEqual({
    type: 'mine',
    tableId: 'tblStaff',
    keyFieldId: 'Person',
    fieldId: 'Client',
  });
});

test('computed fields, and people that are looked up, are not', () => {
  const staff = table('Staff', people, field('Region', 'singleLineText', 'string', { isComputed: true }));
  const lookedUp = table(
    'Other',
    field('Person', 'user', 'string', { isLookup: true }),
    field('Text', 'singleLineText'),
  );
  expect(labels([staff, lookedUp], field('Of', 'singleLineText'), 'is')).toEqual(['Names of my groups']);
});
