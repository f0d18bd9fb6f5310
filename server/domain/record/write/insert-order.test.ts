import { expect, test } from 'vitest';
import { inOrderOf } from './insert.sql.ts';

test('what new records have got is matched to them by id, in whatever order the rows came', () => {
  const computed = (index: number, pieces: string[]): void => void pieces.push(['b', 'c', 'a'][index] as string);
  const came = { createdTime: '', autoNumbers: ['2', '3', '1'], names: ['B', 'C', null], computed };
  const sorted = inOrderOf(['recA', 'recB', 'recC'], 'recB,recC,recA', came);
  const pieces: string[] = [];
  for (const index of [0, 1, 2]) sorted.computed?.(index, pieces);
  expect({ ...sorted, computed: pieces }).toEqual({
    createdTime: '',
    autoNumbers: ['1', '2', '3'],
    names: [null, 'B', 'C'],
    computed: ['a', 'b', 'c'],
  });
});
