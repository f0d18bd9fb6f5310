import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { cellsOfFilter, cellsOfGroup } from './new-record-cells.ts';

const field = (id: string, type: string, more: object = {}): Field =>
  ({ id, name: id, type, options: {}, ...more }) as unknown as Field;
const fields = [
  field('text', 'singleLineText'),
  field('number', 'number'),
  field('tick', 'checkbox'),
  field('tags', 'multipleSelect', { isMultipleCellValue: true }),
  field('status', 'singleSelect'),
  field('due', 'date'),
  field('owner', 'user'),
  field('maker', 'createdBy', { isComputed: true }),
];
const kim = { id: 'usrKim', name: 'Kim', email: 'kim@example.com' };
const now = Date.parse('2026-03-04T23:30:00.000Z');
const of = (...filterSet: object[]) =>
  cellsOfFilter(
    { filter: { conjunction: 'and', filterSet } } as unknown as View,
    fields,
    { people: [kim], ownId: 'usrKim' },
    now,
  );

test('what a filter determines is filled in', () => {
  expect(
    of(
      { fieldId: 'text', operator: 'is', value: 'a' },
      { fieldId: 'number', operator: 'is', value: 0 },
      { fieldId: 'tick', operator: 'is', value: true },
      { fieldId: 'tags', operator: 'hasAllOf', value: ['x', 'y'] },
      { fieldId: 'status', operator: 'isAnyOf', value: ['open'] },
      { fieldId: 'owner', operator: 'is', value: 'Me' },
      {
        conjunction: 'and',
        filterSet: [{ fieldId: 'due', operator: 'is', value: { mode: 'tomorrow', timeZone: 'Europe/Berlin' } }],
      },
    ),
  ).toEqual({
    text: 'a',
    number: 0,
    tick: true,
    tags: ['x', 'y'],
    status: 'open',
    owner: { id: 'usrKim', title: 'Kim', email: 'kim@example.com' },
    due: '2026-03-05T23:00:00.000Z',
  });
});

test('what it leaves open is left open', () => {
  expect(
    of(
      { fieldId: 'text', operator: 'contains', value: 'a' },
      { fieldId: 'number', operator: 'isGreater', value: 1 },
      { fieldId: 'tick', operator: 'is', value: false },
      { fieldId: 'status', operator: 'isAnyOf', value: ['open', 'done'] },
      { fieldId: 'status', operator: 'isNot', value: 'open' },
      { fieldId: 'due', operator: 'isAfter', value: { mode: 'today', timeZone: 'UTC' } },
      { fieldId: 'owner', operator: 'is', value: 'usrNobody' },
      { fieldId: 'maker', operator: 'is', value: 'usrKim' },
      { fieldId: 'gone', operator: 'is', value: 'a' },
      {
        conjunction: 'or',
        filterSet: [
          { fieldId: 'text', operator: 'is', value: 'a' },
          { fieldId: 'text', operator: 'is', value: 'b' },
        ],
      },
    ),
  ).toEqual({});
});

test('a group gives its values, as a record in it has them', () => {
  const around = [
    { id: '1', depth: 0, value: '2026-03-04', count: 1, isCollapsed: false },
    { id: '2', depth: 1, value: 'open', count: 1, isCollapsed: false },
  ];
  const levels = [fields[5], fields[4]];
  expect(cellsOfGroup(around, levels, undefined)).toEqual({ status: 'open' });
  expect(
    cellsOfGroup(around, levels, { id: 'rec', fields: { due: '2026-03-04T11:00:00.000Z', status: 'open', text: 'x' } }),
  ).toEqual({ due: '2026-03-04T11:00:00.000Z', status: 'open' });
});
