import type { EventData } from '@rowhouse/contract/event.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { expect, test } from 'vitest';
import { effectOf as effectWith } from './change-effect.ts';

const field = (id: string, type: string, isPrimary = false): Field =>
  ({ id, type, name: id, isPrimary, options: {} }) as unknown as Field;
const fields = [field('fldName', 'singleLineText', true), field('fldCount', 'number')];
const view = (more: Partial<View> = {}): View =>
  ({ id: 'viw', type: 'grid', options: {}, columnMeta: {}, ...more }) as View;
const change = (fieldIds: string[], cells: Record<string, unknown>): EventData<'records.updated'> => ({
  tableId: 'tbl',
  operationId: 'opr',
  by: 'usrKim',
  time: '2026-01-01T00:00:00.000Z',
  recordIds: ['recA'],
  fieldIds,
  records: [{ id: 'recA', fields: cells }],
});

const effectOf = (told: EventData<'records.updated'>, shown: View, of: readonly Field[]) =>
  effectWith(told, shown, of, (_field, value) => String(value));

test('changed cells are written into the record, and emptied ones go', () => {
  const effect = effectOf(change(['fldName', 'fldCount'], { fldName: 'New', fldCount: null }), view(), fields);
  expect(
    effect.kind === 'cells' &&
      effect.changes[0]?.apply({ id: 'recA', name: 'Old', fields: { fldName: 'Old', fldCount: 3 } }),
  ).toEqual({
    id: 'recA',
    name: 'New',
    fields: { fldName: 'New' },
    lastModifiedTime: '2026-01-01T00:00:00.000Z',
    lastModifiedBy: 'usrKim',
  });
});

test('a change of what the view sorts, groups or filters by may move records', () => {
  const moved = change(['fldCount'], { fldCount: 1 });
  expect(effectOf(moved, view({ sort: { sortObjs: [{ fieldId: 'fldCount', order: 'asc' }] } }), fields).kind).toBe(
    'order',
  );
  expect(effectOf(moved, view({ group: [{ fieldId: 'fldCount', order: 'asc' }] }), fields).kind).toBe('order');
  expect(
    effectOf(
      moved,
      view({
        filter: {
          conjunction: 'and',
          filterSet: [{ conjunction: 'or', filterSet: [{ fieldId: 'fldCount', operator: 'is', value: 1 }] }],
        },
      }),
      fields,
    ).kind,
  ).toBe('order');
  expect(
    effectOf(moved, view({ sort: { sortObjs: [{ fieldId: 'fldCount', order: 'asc' }], manualSort: true } }), fields)
      .kind,
  ).toBe('cells');
  expect(effectOf(change([], {}), view(), fields).kind).toBe('order');
});

test('what follows from a change elsewhere leaves alone who changed the record last', () => {
  const caused = { ...change(['fldCount'], { fldCount: 4 }), cause: 'oprElsewhere' };
  const effect = effectOf(caused, view(), [...fields, field('fldBy', 'lastModifiedBy')]);
  expect(
    effect.kind === 'cells' &&
      effect.changes[0]?.apply({
        id: 'recA',
        name: 'Old',
        fields: { fldName: 'Old', fldCount: 3 },
        lastModifiedBy: 'usrLee',
      }),
  ).toEqual({
    id: 'recA',
    name: 'Old',
    fields: { fldName: 'Old', fldCount: 4 },
    lastModifiedBy: 'usrLee',
  });
  expect(
    effectOf({ ...caused, recordIds: [], records: undefined as never, recordsOmitted: true }, view(), fields).kind,
  ).toBe('order');
});

test('records are read again when a column shows who changed them last', () => {
  expect(
    effectOf(change(['fldName'], { fldName: 'New' }), view(), [...fields, field('fldBy', 'lastModifiedBy')]),
  ).toEqual({ kind: 'read', recordIds: ['recA'] });
});
