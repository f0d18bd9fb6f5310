import type { Field } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { readPrefill } from './prefill.ts';

const field = (name: string, type: string, options: object = {}): Field =>
  ({
    id: `fld${name}`,
    name,
    type,
    options,
    cellValueType: 'string',
    dbFieldType: 'TEXT',
    dbFieldName: name,
  }) as unknown as Field;
const choices = {
  choices: [
    { id: 'a', name: 'red', color: 'red' },
    { id: 'b', name: 'blue', color: 'blue' },
  ],
};
const fields = [
  field('Name', 'singleLineText'),
  field('Count', 'number'),
  field('Agree', 'checkbox'),
  field('Color', 'singleSelect', choices),
  field('Tags', 'multipleSelect', choices),
  field('Due', 'date'),
  field('Who', 'user'),
];

test('an address fills in fields by name or id, and hides them', () => {
  const { cells, hiddenIds } = readPrefill(
    '?prefill_Name=Anna%20B&prefill_fldCount=3&prefill_Agree=true&prefill_Color=red&prefill_Tags=blue,green,red&prefill_Due=2026-01-31&hide_Color=true&hide_Name=false',
    fields,
  );
  expect(cells).toEqual({
    fldName: 'Anna B',
    fldCount: 3,
    fldAgree: true,
    fldColor: 'red',
    fldTags: ['blue', 'red'],
    fldDue: '2026-01-31T00:00:00.000Z',
  });
  expect([...hiddenIds]).toEqual(['fldColor']);
});

test('what does not fit is left out', () => {
  expect(
    readPrefill(
      '?prefill_Count=many&prefill_Count=&prefill_Color=green&prefill_Due=soon&prefill_Who=usr1&prefill_None=x&Name=x&prefill_=x',
      fields,
    ),
  ).toEqual({ cells: {}, hiddenIds: new Set() });
});
