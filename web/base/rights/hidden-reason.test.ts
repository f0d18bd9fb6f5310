import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { hiddenReason } from './hidden-reason.ts';
import type { Grant } from './queries.ts';

const field = (id: string, type: string, more = {}) => ({ id, name: id, type, options: {}, ...more }) as Field;
const link = field('fldLink', 'link');
const phone = field('fldPhone', 'singleLineText', {
  isLookup: true,
  lookupOptions: { foreignTableId: 'tblClients', linkFieldId: 'fldLink', lookupFieldId: 'fldNumber' },
});
const total = field('fldTotal', 'formula', { options: { expression: '{fldPrice} * 2' } });

const reason = (one: Field, own: Grant[], clients: Grant[], links: Field = link) =>
  hiddenReason(one, {
    fields: [links, phone, total],
    tableId: 'tblOrders',
    grantsOn: (id) => (id === 'tblOrders' ? own : clients),
    tableName: () => 'Clients',
    fieldName: (_table, id) => id,
  });

const read = (more: object = {}): Grant => ({ actions: ['record|read'], ...more }) as Grant;
const some = { when: { conjunction: 'and', filterSet: [{ fieldId: 'fldA', operator: 'is', value: 'x' }] } };

test('a looked up field needs its table, its link and its field', () => {
  expect(reason(phone, [read()], [])).toContain('the table Clients');
  expect(reason(phone, [read({ fields: ['fldPhone'] })], [read()])).toContain('fldLink, the link');
  expect(reason(phone, [read()], [read({ fields: ['fldName'] })])).toContain('fldNumber in Clients');
  expect(reason(phone, [read()], [read()])).toBeUndefined();
});

test('of one record it is shown where that is seen, of several only where all are', () => {
  expect(reason(phone, [read()], [read(some)])).toMatch(/^Shown where the linked record/);
  expect(reason(phone, [read()], [read(some)], { ...link, isMultipleCellValue: true })).toMatch(
    /^Hidden: it shows several/,
  );
});

test('a formula needs what it names', () => {
  expect(reason(total, [read({ fields: ['fldTotal'] })], [])).toContain('fldPrice');
  expect(reason(total, [read()], [])).toBeUndefined();
});
