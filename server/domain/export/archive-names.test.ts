import { expect, test } from 'vitest';
import { archiveNames } from './archive-names.ts';

test('every file of an archive has a name of its own, inside of its folder', () => {
  expect(
    archiveNames(['a.txt', 'A.txt', 'a (2).txt', 'a.txt', '../../etc/passwd', '..', 'C:\\x\n', 'Größe', 'Größe']),
  ).toEqual([
    'a.txt',
    'A (2).txt',
    'a (2) (2).txt',
    'a (3).txt',
    '_.._etc_passwd',
    'file',
    'C__x_',
    'Größe',
    'Größe (2)',
  ]);
});
