import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { readPasted } from './read-pasted.ts';

const field = (type: FieldTypeName, options: Record<string, unknown> = {}): Field =>
  ({ id: 'fld', name: 'Field', type, options }) as unknown as Field;
const kim = { id: 'usrKim', name: 'Kim', email: 'kim@example.com' };
const choices = {
  choices: [
    { id: 'cho1', name: 'open', color: 'blue' },
    { id: 'cho2', name: 'a, b', color: 'red' },
  ],
};
const paste = (to: Field, text: string, value?: unknown, from?: FieldTypeName, leadsTo?: string): unknown => {
  const draft = readPasted(
    to,
    { text, ...(value === undefined ? {} : { value }) },
    from === undefined ? undefined : { type: from, ...(leadsTo === undefined ? {} : { leadsTo }) },
    [kim],
  );
  return draft.ok ? draft.value : { refused: draft.reason };
};

test('between cells of one kind the full value is pasted', () => {
  expect(paste(field('number'), '2', 1.5, 'number')).toBe(1.5);
  expect(paste(field('date'), '4/3/2026', '2026-03-04T09:30:15.250Z', 'createdTime')).toBe('2026-03-04T09:30:15.250Z');
  expect(paste(field('longText'), 'a b', 'a\nb', 'singleLineText')).toBe('a\nb');
  expect(paste(field('multipleSelect', choices), 'open', 'open', 'singleSelect')).toEqual(['open']);
  expect(paste(field('user'), 'Kim', { id: 'usrKim', title: 'Kim' }, 'createdBy')).toEqual({
    id: 'usrKim',
    title: 'Kim',
    email: 'kim@example.com',
  });
  expect(paste(field('number'), '', undefined, 'number')).toBeNull();
});

test('between cells of different kinds it is the text that people see', () => {
  expect(paste(field('singleLineText'), '2', 1.5, 'number')).toBe('2');
  expect(paste(field('number'), 'open', 'open', 'singleSelect')).toEqual({
    refused: '“open” is not a number. Type digits, such as 1234.5.',
  });
});

test('text is read as if it had been typed', () => {
  expect(paste(field('number', { formatting: { type: 'percent', precision: 0 } }), '12')).toBe(0.12);
  expect(paste(field('date'), '4.3.26')).toBe('2026-03-04T00:00:00.000Z');
  expect(paste(field('multipleSelect', choices), 'OPEN, "a, b", new')).toEqual(['open', 'a, b', 'new']);
  expect(paste(field('singleSelect', choices), 'a, b')).toBe('a, b');
  expect(paste(field('checkbox'), 'Yes')).toBe(true);
  expect(paste(field('checkbox'), 'FALSE')).toBeNull();
  expect(paste(field('rating'), '★★★')).toBe(3);
  expect(paste(field('user', { isMultiple: true }), 'kim@example.com')).toEqual([
    { id: 'usrKim', title: 'Kim', email: 'kim@example.com' },
  ]);
});

test('what does not fit is refused with a reason', () => {
  expect(paste(field('rating', { max: 3 }), '5')).toEqual({ refused: '“5” is not a rating from 0 to 3.' });
  expect(paste(field('checkbox'), 'perhaps')).toEqual({ refused: '“perhaps” is neither yes nor no.' });
  expect(paste(field('singleSelect', { ...choices, preventAutoNewOptions: true }), 'new')).toEqual({
    refused: '“new” is not among the choices of Field.',
  });
  expect(paste(field('user'), 'Nobody')).toEqual({ refused: '“Nobody” is nobody of this base.' });
});

test('links to the same table are pasted as they are, and anything else by title', () => {
  const one = field('link', { foreignTableId: 'tblA', relationship: 'manyOne' });
  const several = {
    ...field('link', { foreignTableId: 'tblA', relationship: 'manyMany' }),
    isMultipleCellValue: true,
  } as Field;
  const cell = [
    { id: 'recA', title: 'Alpha' },
    { id: 'recB', title: 'Beta' },
  ];
  expect(paste(several, 'Alpha, Beta', cell, 'link', 'tblA')).toEqual(cell);
  expect(paste(one, 'Alpha, Beta', cell, 'link', 'tblA')).toEqual(cell[0]);
  expect(paste(several, 'Alpha, Beta', cell, 'link', 'tblB')).toEqual([{ title: 'Alpha' }, { title: 'Beta' }]);
  expect(paste(several, 'Alpha,"Beta, the second"')).toEqual([{ title: 'Alpha' }, { title: 'Beta, the second' }]);
  expect(paste(one, 'Alpha, Beta')).toEqual({ title: 'Alpha, Beta' });
  expect(paste(one, ' ')).toBeNull();
});
