import { expect, test } from 'vitest';
import { targetsOfNew } from './last-import.ts';

test('the next version of a file finds the columns that were renamed or left out', () => {
  const columns = [{ sourceColumnIndex: 0 }, { sourceColumnIndex: 2 }];
  expect(targetsOfNew(['Name', 'Secret', 'Town'], columns, [{ id: 'fldName' }, { id: 'fldCity' }])).toEqual({
    Name: 'fldName',
    Secret: 'nowhere',
    Town: 'fldCity',
  });
});
