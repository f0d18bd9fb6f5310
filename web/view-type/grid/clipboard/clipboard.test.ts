import { expect, test } from 'vitest';
import { fromClipboard, toClipboard } from './clipboard.ts';

const rows = [
  [{ text: 'Alpha', value: 'Alpha' }, { text: '1.50', value: 1.5 }, { text: 'a "quoted"\tword' }],
  [{ text: '' }, { text: '' }, { text: 'two\nlines' }],
];

test('other programs get the text that people see, and the same text comes back from them', () => {
  const { plain, html } = toClipboard({ rows });
  expect(plain.split('\t').slice(0, 2)).toEqual(['Alpha', '1.50']);
  expect(fromClipboard({ plain, html: '' })).toEqual({
    rows: rows.map((row) => row.map(({ text }) => ({ text }))),
  });
  expect(html).toContain('<td>a &quot;quoted&quot;\tword</td>');
});

test('what is copied cannot become a part of the page that it is pasted into', () => {
  const { html } = toClipboard({ rows: [[{ text: '<img src=x>', value: '"><script>' }]] });
  expect([html.includes('<img'), html.includes('<script>')]).toEqual([false, false]);
});
