import { expect, test } from 'vitest';
import { summaryOf } from './grant-words.ts';
import { roleTemplates, type TemplateTable } from './role-templates.ts';

const grants = (id: string, table: TemplateTable) => roleTemplates.find((one) => one.id === id)?.grantsOf(table) ?? [];
const field = (id: string, type: string, more = {}) => ({ id, type, ...more }) as TemplateTable['fields'][number];
const people = { id: 'tbl', fields: [field('fldT', 'singleLineText'), field('fldP', 'user')] };
const plain = { id: 'tbl', fields: [field('fldT', 'singleLineText')] };

test('a department sees everything and changes what is its own', () => {
  const [read, change] = grants('department', people);
  expect(read).not.toHaveProperty('when');
  expect(change?.when?.filterSet).toEqual([{ fieldId: 'fldP', operator: 'is', value: 'me' }]);
  expect(summaryOf(grants('department', people))).toEqual({ title: 'Change', details: ['changes some'] });
});

test('several people are compared by a list; a looked up person is nobody to go by', () => {
  const several = {
    id: 'tbl',
    fields: [field('fldL', 'user', { isLookup: true }), field('fldP', 'user', { isMultipleCellValue: true })],
  };
  expect(grants('client', several)[0]?.when?.filterSet).toEqual([
    { fieldId: 'fldP', operator: 'hasAnyOf', value: ['me'] },
  ]);
});

test('a client sees no table in which nothing says what is theirs', () => {
  expect(grants('client', plain)).toEqual([]);
  expect(summaryOf(grants('client', people))).toEqual({ title: 'See', details: ['some records'] });
});

test('an approval is checked before and afterwards', () => {
  const state = field('fldS', 'singleSelect', { options: { choices: [{ name: 'Open' }, { name: 'Approved' }] } });
  const [, change] = grants('approval', { id: 'tbl', fields: [state] });
  expect(change?.when).toEqual(change?.after);
  expect(change?.when?.filterSet).toEqual([{ fieldId: 'fldS', operator: 'isNot', value: 'Approved' }]);
});

test('the words of a cell say the most that is allowed', () => {
  expect(summaryOf([]).title).toBe('Nothing');
  expect(summaryOf([{ actions: ['record|create'] }]).title).toBe('Add only');
  expect(summaryOf([{ actions: ['record|read'], fields: ['fldT'] }])).toEqual({ title: 'See', details: ['1 field'] });
});
