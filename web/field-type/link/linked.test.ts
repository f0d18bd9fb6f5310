import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { detailFields } from './detail-fields.ts';
import { bestFirst, cellOfLinks, linksOf, moved, withIds } from './linked.ts';

test('a cell is one record or a list of them, and text on its way is a title', () => {
  expect(linksOf({ id: 'recA', title: 'Alpha' })).toEqual([{ id: 'recA', title: 'Alpha' }]);
  expect(linksOf([{ id: 'recA' }, 'Beta'])).toEqual([{ id: 'recA' }, { title: 'Beta' }]);
  expect([undefined, null].flatMap(linksOf)).toEqual([]);
  expect(cellOfLinks([{ id: 'recA' }, { id: 'recB' }], false)).toEqual({ id: 'recB' });
  expect(cellOfLinks([], true)).toBeNull();
});

test('records that were to be made get the ids that the server gave them', () => {
  expect(
    withIds(
      [{ id: 'recA', title: 'Alpha' }, { title: 'New' }, { title: 'Later' }],
      [
        { id: 'recA', title: 'Alpha' },
        { id: 'recN', title: 'New' },
      ],
    ),
  ).toEqual([{ id: 'recA', title: 'Alpha' }, { id: 'recN', title: 'New' }, { title: 'Later' }]);
  // The server found one whose title differs in case and accents.
  expect(withIds([{ title: ' cafe noir' }], [{ id: 'recC', title: 'Café Noir' }])).toEqual([
    { id: 'recC', title: 'Café Noir' },
  ]);
});

test('a linked record is moved within its list, and not out of it', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
});

test('what has the very title that is searched stands first', () => {
  expect(bestFirst(['Beta alpha', 'Alphabet', 'ALPHA', 'x'], String, 'alpha')).toEqual([
    'ALPHA',
    'Alphabet',
    'Beta alpha',
    'x',
  ]);
});

test('details are the fields that the link names, or else the first ones', () => {
  const field = (id: string, more: Partial<Field> = {}): Field =>
    ({ id, name: id, type: 'number', options: {}, ...more }) as Field;
  const fields = [
    field('fldName', { isPrimary: true }),
    field('fldBack'),
    field('fldA'),
    field('fldLong', { type: 'longText' }),
    field('fldB'),
    field('fldC'),
  ];
  expect(detailFields(fields, { symmetricFieldId: 'fldBack' }, 2).map(({ id }) => id)).toEqual(['fldA', 'fldB']);
  expect(detailFields(fields, { visibleFieldIds: ['fldC', 'fldName'] }, 2).map(({ id }) => id)).toEqual(['fldC']);
});
