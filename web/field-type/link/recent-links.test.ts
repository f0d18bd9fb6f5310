import { expect, test } from 'vitest';
import { noteLink, recentLinks } from './recent-links.ts';

test('the records that a person linked last come first, each once, six of a table', () => {
  for (const id of ['rec1', 'rec2', 'rec3', 'rec2', 'rec4', 'rec5', 'rec6', 'rec7']) noteLink('usr1', 'tbl1', id);
  expect(recentLinks('usr1', 'tbl1')).toEqual(['rec7', 'rec6', 'rec5', 'rec4', 'rec2', 'rec3']);
  expect([recentLinks('usr1', 'tbl2'), recentLinks('usr2', 'tbl1')]).toEqual([[], []]);
});

test('of many tables those are forgotten that were linked to least recently', () => {
  for (let at = 0; at < 45; at += 1) noteLink('usr3', `tbl${at}`, 'rec1');
  noteLink('usr3', 'tbl10', 'rec2');
  noteLink('usr3', 'tbl45', 'rec1');
  expect([recentLinks('usr3', 'tbl4'), recentLinks('usr3', 'tbl10'), recentLinks('usr3', 'tbl44')]).toEqual([
    [],
    ['rec2', 'rec1'],
    ['rec1'],
  ]);
});
