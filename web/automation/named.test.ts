import { expect, test } from 'vitest';
import { fieldNames, named, tablesOf } from './named.ts';

test('what steps read and wrote is shown by the names of fields, wherever their ids stand; of a deleted field the id is left', () => {
  const trigger = { type: 'recordCreated' as const, tableId: 'tblA' };
  const steps = [
    {
      type: 'if' as const,
      id: 'check',
      condition: { formula: '1 = 1' },
      then: [{ type: 'createRecord' as const, id: 'log', tableId: 'tblB', fields: {} }],
    },
  ];
  const tables = tablesOf(trigger, steps);
  expect(tables).toEqual(['tblA', 'tblB']);
  const names = fieldNames(
    tables,
    (tableId) =>
      [{ id: tableId === 'tblA' ? 'fldName' : 'fldText', name: tableId === 'tblA' ? 'Name' : 'Text' }] as never,
  );
  expect(
    named({ record: { fields: { fldName: 'a', fldGone: 1 } }, records: [{ fields: { fldText: ['fldName'] } }] }, names),
  ).toEqual({ record: { fields: { Name: 'a', fldGone: 1 } }, records: [{ fields: { Text: ['fldName'] } }] });
});
