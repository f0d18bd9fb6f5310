import { expect, test } from 'vitest';
import { readMarkdown } from './markdown.ts';

test('headings, lists, quotes, code and paragraphs are told apart', () => {
  const blocks = readMarkdown('# Plan\n- one\n- **two**\n1. first\n> said\n```\n# no heading\n```\nend');
  expect(blocks).toEqual([
    { as: 'heading', level: 1, inlines: [{ as: 'text', text: 'Plan' }] },
    { as: 'list', isNumbered: false, items: [[{ as: 'text', text: 'one' }], [{ as: 'bold', text: 'two' }]] },
    { as: 'list', isNumbered: true, items: [[{ as: 'text', text: 'first' }]] },
    { as: 'quote', inlines: [{ as: 'text', text: 'said' }] },
    { as: 'code', text: '# no heading' },
    { as: 'paragraph', inlines: [{ as: 'text', text: 'end' }] },
  ]);
});

test('links lead to web pages and e-mail addresses only, and HTML is text', () => {
  const inlines = (text: string) => readMarkdown(text).flatMap((block) => ('inlines' in block ? block.inlines : []));
  expect(inlines('[a](https://example.com) [b](mailto:a@example.com) https://example.org')).toEqual([
    { as: 'link', text: 'a', href: 'https://example.com' },
    { as: 'text', text: ' ' },
    { as: 'link', text: 'b', href: 'mailto:a@example.com' },
    { as: 'text', text: ' ' },
    { as: 'link', text: 'https://example.org', href: 'https://example.org' },
  ]);
  for (const text of ['[x](javascript:alert)', '[x](data:text/html,hi)', '<img src=x onerror=alert(1)>', '[x](//evil)'])
    expect(inlines(text).every(({ as }) => as === 'text')).toBe(true);
});

test('people are mentioned by their whole names; names with underscores stay as they are', () => {
  const [block] = readMarkdown('ask @Ada Stone or @Ada, see snake_case_name', ['Ada', 'Ada Stone']);
  expect(block).toEqual({
    as: 'paragraph',
    inlines: [
      { as: 'text', text: 'ask ' },
      { as: 'mention', text: '@Ada Stone' },
      { as: 'text', text: ' or ' },
      { as: 'mention', text: '@Ada' },
      { as: 'text', text: ', see snake_case_name' },
    ],
  });
});
