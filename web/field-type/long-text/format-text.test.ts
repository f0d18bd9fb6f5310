import { expect, test } from 'vitest';
import { insert, prefixLines, wrap } from './format-text.ts';

test('a mark is set around what is selected, and taken away again', () => {
  const bold = wrap({ text: 'a word here', from: 2, to: 6 }, '**', 'bold');
  expect(bold).toEqual({ text: 'a **word** here', from: 4, to: 8 });
  expect(wrap(bold, '**', 'bold')).toEqual({ text: 'a word here', from: 2, to: 6 });
  expect(wrap({ text: '', from: 0, to: 0 }, '**', 'bold').text).toBe('**bold**');
});

test('all lines of the selection become items, and lines again', () => {
  const list = prefixLines({ text: 'x\none\ntwo', from: 3, to: 7 }, (at) => `${at + 1}. `);
  expect(list.text).toBe('x\n1. one\n2. two');
  expect(prefixLines(list, (at) => `${at + 1}. `).text).toBe('x\none\ntwo');
});

test('what is inserted takes the place of what is selected', () => {
  expect(insert({ text: 'ask him', from: 4, to: 7 }, '@Ada ')).toEqual({ text: 'ask @Ada ', from: 9, to: 9 });
});
