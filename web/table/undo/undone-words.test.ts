import { expect, test } from 'vitest';
import { undoneWords } from './undone-words.ts';

test('what was undone is named, changes of one kind together', () => {
  expect(undoneWords('undo', [{ kind: 'cells', count: 4_000 }, { kind: 'cells', count: 1 }, { kind: 'recordsDeleted', count: 1 }])).toBe('Undone: 4,001 cells, 1 record removed.');
  expect(undoneWords('redo', [{ kind: 'schema', count: 0, fields: ['State'] }, { kind: 'schema', count: 0, fields: ['Due'] }])).toBe('Redone: fields “State” and “Due”.');
  expect(undoneWords('undo', [{ kind: 'schema', count: 0, views: ['Grid'] }])).toBe('Undone: view “Grid”.');
  expect(undoneWords('undo', [])).toBe('Everything is as it was before that change already.');
});
