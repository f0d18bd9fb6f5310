import { expect, test } from 'vitest';
import { changesBetween, contentOf } from './document-content.ts';

const before = { id: 'rec1', name: 'A', fields: { fld1: 'one', fld2: 'x'.repeat(500), fld3: [1] } };
const changes = (after: Record<string, unknown>, from: Record<string, unknown> = before) =>
  changesBetween(contentOf(from), contentOf(after), after);

test('nothing changes between equal documents', () => {
  expect(changes(structuredClone(before))).toEqual([]);
});

test('cells change one by one, and an empty cell is removed', () => {
  const after = { id: 'rec1', name: 'A', fields: { fld1: 'two', fld2: `${'x'.repeat(499)}y`, fld4: null } };
  expect(changes(after)).toEqual([
    { p: ['fields', 'fld1'], oi: 'two' },
    { p: ['fields', 'fld2'], oi: after.fields.fld2 },
    { p: ['fields', 'fld4'], oi: null },
    { p: ['fields', 'fld3'], od: null },
  ]);
});

test('other keys change as a whole', () => {
  const view = { id: 'viw1', filter: { conjunction: 'and' }, columnMeta: { fld1: { order: 1 } } };
  expect(changes({ ...view, filter: null, columnMeta: { fld1: { order: 2 } } }, view)).toEqual([
    { p: ['filter'], oi: null },
    { p: ['columnMeta', 'fld1'], oi: { order: 2 } },
  ]);
});

test('the whole document is sent when its first cell comes or its last one goes', () => {
  expect(changes({ id: 'rec1', name: 'A', fields: {} })).toBeNull();
  expect(changes(before, { id: 'rec1', name: 'A', fields: {} })).toBeNull();
});

test('marks are short, however long a value is', () => {
  for (const mark of contentOf(before).values()) expect(mark.length).toBeLessThanOrEqual(44);
});
