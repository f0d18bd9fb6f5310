import { expect, test } from 'vitest';
import { partsOfTemplate, templateText } from './template.ts';

test.each([
  ['plain', [['text', 'plain']]],
  [
    'Dear {a.b}!',
    [
      ['text', 'Dear '],
      ['reference', 'a.b'],
      ['text', '!'],
    ],
  ],
  ['{= "}" & {a.b c} }', [['formula', ' "}" & {a.b c} ']]],
  ['\\{no\\} \\\\', [['text', '{no} \\']]],
  ['{a.\\}}', [['reference', 'a.\\}']]],
])('%s', (text, wanted) => {
  const parts = partsOfTemplate(text);
  expect(parts.map(({ kind, text: part }) => [kind, part])).toEqual(wanted);
  expect(partsOfTemplate(templateText(parts))).toEqual(parts);
});

test.each(['{', 'a {b', '{= "}', '{= {a }'])('%s has no end', (text) => {
  expect(() => partsOfTemplate(text)).toThrow('no end');
});
