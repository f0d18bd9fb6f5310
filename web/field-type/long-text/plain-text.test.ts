import { expect, test } from 'vitest';
import { cellText, shownText } from '../cell-text.ts';
import { plainText } from './plain-text.ts';

test('headings, lists, links and emphasis are read without their marks, line by line', () => {
  expect(
    plainText('# Plan\n\n- **two** of [them](https://example.com)\n- _last_\n\n1. first\n2) second\n> said\n`x`'),
  ).toBe('Plan\n\n• two of them\n• last\n\n1. first\n2. second\nsaid\nx');
});

test('text that is no Markdown stays as it is', () => {
  for (const text of [
    'snake_case_name',
    '2*3*4',
    'a - b',
    'a > b',
    '[x](javascript:alert)',
    'C# and #1',
    '<b>bold</b>',
  ])
    expect(plainText(text)).toBe(text);
});

test('a text of very many lines takes no longer than others', () => {
  const lines = '\n'.repeat(900_000);
  expect(plainText(`${lines}*a*`)).toBe(`${lines}*a*`);
  expect(plainText(`*a*${lines}*b*`)).toBe(`a${lines}*b*`);
});

test('a cell shows the text without marks and is copied with them, in lists of lookups as well', () => {
  const field = { type: 'longText' as const, options: {} };
  expect([shownText(field, '# Plan'), cellText(field, '# Plan')]).toEqual(['Plan', '# Plan']);
  expect(shownText(field, ['# Plan', '**b**'])).toBe('Plan, b');
  expect(shownText({ type: 'singleLineText', options: {} }, '# Plan')).toBe('# Plan');
  expect(shownText(field, { unparsed: '# Plan' })).toBe('# Plan');
});
