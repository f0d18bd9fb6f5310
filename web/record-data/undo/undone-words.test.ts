import { expect, test } from 'vitest';
import { leftWords, madeWords, undoneWords } from './undone-words.ts';

test('what was undone is named, changes of one kind together', () => {
  expect(
    undoneWords('undo', [
      { kind: 'cells', count: 4_000 },
      { kind: 'cells', count: 1 },
      { kind: 'recordsDeleted', count: 1 },
    ]),
  ).toBe('Undone: 4,001 cells, 1 record removed.');
  expect(
    undoneWords('redo', [
      { kind: 'schema', count: 0, fields: ['State'] },
      { kind: 'schema', count: 0, fields: ['Due'] },
    ]),
  ).toBe('Redone: fields “State” and “Due”.');
  expect(undoneWords('undo', [{ kind: 'schema', count: 0, views: ['Grid'] }])).toBe('Undone: view “Grid”.');
  expect(undoneWords('undo', [])).toBe('Everything is as it was before that change already.');
});

test('records of other tables and choices are named, and what stays with its reason', () => {
  expect(
    madeWords({ records: { tbl1: 4, tbl2: 1 }, choices: 2 }, (id) => (id === 'tbl1' ? 'Customers' : undefined)),
  ).toEqual(['4 records created in Customers', '1 record created in another table', '2 choices added']);
  const effect = { tableId: 'tbl1', table: 'Customers' };
  const removed = undoneWords(
    'undo',
    [{ kind: 'cells', count: 28 }],
    [
      { ...effect, kind: 'recordsDeleted', count: 3 },
      { ...effect, kind: 'recordsDeleted', count: 1 },
      { ...effect, kind: 'choicesRemoved', count: 2, fieldId: 'fld1', field: 'State' },
    ],
  );
  expect(removed).toBe('Undone: 28 cells, 4 records removed from Customers, 2 choices removed.');
  const stays = {
    ...effect,
    kind: 'record' as const,
    id: 'rec1',
    reason: 'linked' as const,
    message: 'A record of "Customers" stays: another record links to it',
  };
  expect([leftWords([], 0), leftWords([stays], 1), leftWords([stays], 120)]).toEqual([
    undefined,
    `${stays.message}.`,
    `${stays.message}. 120 things in all.`,
  ]);
});
