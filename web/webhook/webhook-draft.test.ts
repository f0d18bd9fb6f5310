import { expect, test } from 'vitest';
import { bodyOf, draftOf, isReady, newDraft, withTables } from './webhook-draft.ts';

const filter = { conjunction: 'and' as const, filterSet: [{ fieldId: 'fldA', operator: 'is' as const, value: 1 }] };
const ofOne = {
  ...newDraft,
  name: ' Orders ',
  url: ' https://example.com/hook ',
  tableIds: ['tblA'],
  fieldIds: ['fldA'],
  after: filter,
};

test('fields and conditions are sent with the one table they are of', () => {
  expect(bodyOf(ofOne)).toMatchObject({
    name: 'Orders',
    url: 'https://example.com/hook',
    tableIds: ['tblA'],
    fieldIds: ['fldA'],
    filter: { after: filter },
  });
  expect(bodyOf({ ...ofOne, tableIds: [] })).toMatchObject({ tableIds: null, fieldIds: null, filter: null });
});

test('watched fields go with the event of updates alone, conditions with those of records', () => {
  expect(bodyOf({ ...ofOne, events: ['record.created'] })).toMatchObject({ fieldIds: null, filter: { after: filter } });
  expect(bodyOf({ ...ofOne, events: ['field.changed'] })).toMatchObject({ fieldIds: null, filter: null });
});

test('another table takes nothing of the one before along', () => {
  expect(withTables(ofOne, ['tblB'])).toMatchObject({ fieldIds: [], viewId: '', after: { filterSet: [] } });
  expect(withTables(ofOne, ['tblA'])).toBe(ofOne);
});

test('events of a view need one', () => {
  expect(isReady(ofOne)).toBe(true);
  expect(isReady({ ...ofOne, events: ['view.left'] })).toBe(false);
  expect(isReady({ ...ofOne, events: ['view.left'], viewId: 'viwA' })).toBe(true);
  expect(isReady({ ...ofOne, events: [] })).toBe(false);
});

test('what was saved is shown and sent as it was', () => {
  const webhook = { id: 'whkA', ...bodyOf(ofOne), state: 'on' } as unknown as Parameters<typeof draftOf>[0];
  expect(bodyOf(draftOf(webhook))).toEqual(bodyOf(ofOne));
});
