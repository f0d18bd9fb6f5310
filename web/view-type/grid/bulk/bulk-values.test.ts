import { ApiError } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { bulkChanges, readDrafts, refusedFields, sharedValue } from './bulk-values.ts';

const field = (id: string, type: string, options: object = {}): Field => ({ id, name: id, type, options }) as Field;
const record = (id: string, fields: Record<string, unknown>): RecordVo => ({ id, fields });
const valueOf = ({ fields }: RecordVo, fieldId: string): unknown => fields[fieldId];

test('records that hold the same are told apart from those that differ, and empty cells count', () => {
  const records = [record('a', { tags: ['x', 'y'], n: 1 }), record('b', { tags: ['x', 'y'] })];
  expect(sharedValue(records, 'tags', valueOf)).toEqual({ is: 'same', value: ['x', 'y'] });
  expect(sharedValue(records, 'n', valueOf)).toEqual({ is: 'several' });
  expect(sharedValue(records, 'none', valueOf)).toEqual({ is: 'same', value: undefined });
});

test('what is typed is read as its field reads it; what does not fit has a reason, and an empty draft clears', () => {
  const fields = [field('n', 'number'), field('m', 'number'), field('t', 'singleLineText'), field('u', 'longText')];
  const { values, reasons, typecast } = readDrafts(
    fields,
    new Map<string, unknown>([
      ['n', { unparsed: '7' }],
      ['m', { unparsed: 'many' }],
      ['t', null],
    ]),
  );
  expect([...values]).toEqual([
    ['n', 7],
    ['t', null],
  ]);
  expect([...reasons.keys()]).toEqual(['m']);
  expect(typecast).toBe(false);
  const select = field('s', 'singleSelect', { choices: [{ id: '1', name: 'Done', color: 'red' }] });
  expect(readDrafts([select], new Map([['s', 'Done']])).typecast).toBe(false);
  expect(readDrafts([select], new Map([['s', 'Later']])).typecast).toBe(true);
});

test('only cells that change are sent, each with what it was', () => {
  const records = [record('a', { n: 7 }), record('b', { n: 1 }), record('c', {})];
  expect(bulkChanges(records, new Map([['n', 7]]), valueOf)).toEqual([
    { recordId: 'b', fieldId: 'n', value: 7, before: 1 },
    { recordId: 'c', fieldId: 'n', value: 7, before: undefined },
  ]);
  expect(bulkChanges(records, new Map([['n', null]]), valueOf).map(({ recordId }) => recordId)).toEqual(['a', 'b']);
});

test('refused cells are named by field, with their number', () => {
  const errors = ['a', 'b'].map((recordId) => ({ recordId, field: 'n', message: '"n" must be unique' }));
  expect([...refusedFields(new ApiError('validation_error', 'Validation error', { errors }))]).toEqual([
    ['n', '"n" must be unique. 2 records are affected.'],
  ]);
  expect(refusedFields(new Error('lost')).size).toBe(0);
});
